import copy
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcprove.spec.revisions import Revision
from mcprove.spec.schemas import definitions, overlay
from mcprove.spec.validation import SchemaDefect, schema_defects

SAMPLES = json.loads((Path(__file__).parent / "samples.json").read_text("utf-8"))
A, B, C, MODERN = Revision


def revisions(text: str) -> list[Revision]:
    first, last = (Revision(part) for part in text.split(".."))
    return [revision for revision in Revision if first <= revision <= last]


def change(value: Any, pointer: str, *replacement: Any) -> Any:
    changed = copy.deepcopy({"": value})
    *parents, last = [part.replace("~1", "/") for part in pointer.split("/")]
    holder: Any = changed
    for part in parents:
        holder = holder[int(part) if isinstance(holder, list) else part]
    key = int(last) if isinstance(holder, list) else last
    if replacement:
        holder[key] = replacement[0]
    else:
        del holder[key]
    return changed[""]


def judged(rows: Any) -> list[Any]:
    return [
        pytest.param(revision, sample["definition"], *row, id=f"{revision}-{sample['definition']}-{name}")
        for sample in SAMPLES
        for revision in revisions(sample["revisions"])
        for name, *row in rows(sample)
    ]


def valid(sample: Any) -> Any:
    return [(name, sample[name]) for name in ("minimal", "full")]


def wrong(sample: Any) -> Any:
    found = sample.get("wrong", {}).items()
    return [(f"{at}={bad!r}", change(sample["full"], at, bad), at) for at, values in found for bad in values]


def absent(sample: Any) -> Any:
    return [(f"no-{at}", change(sample["full"], at), at.rpartition("/")[0]) for at in sample.get("absent", ())]


@pytest.mark.parametrize(("revision", "definition", "value"), judged(valid))
def test_valid_samples_have_no_defect(revision: Revision, definition: str, value: Any) -> None:
    assert schema_defects(revision, definition, value) == []


@pytest.mark.parametrize(("revision", "definition", "value", "pointer"), judged(wrong))
def test_a_wrong_value_is_found_where_it_is(revision: Revision, definition: str, value: Any, pointer: str) -> None:
    assert {defect.pointer for defect in schema_defects(revision, definition, value)} == {pointer}


@pytest.mark.parametrize(("revision", "definition", "value", "pointer"), judged(absent))
def test_an_absent_member_is_found_in_its_holder(revision: Revision, definition: str, value: Any, pointer: str) -> None:
    assert {defect.pointer for defect in schema_defects(revision, definition, value)} == {pointer}


@pytest.mark.parametrize("revision", Revision)
def test_every_definition_has_valid_and_broken_samples(revision: Revision) -> None:
    held = [sample for sample in SAMPLES if revision in revisions(sample["revisions"])]
    assert {sample["definition"] for sample in held if wrong(sample)} == set(definitions(revision))


@pytest.mark.parametrize("revision", Revision)
def test_every_definition_is_a_schema_whose_references_lead_somewhere(revision: Revision) -> None:
    known = definitions(revision)
    for name, schema in known.items():
        Draft202012Validator.check_schema(schema)
        text = json.dumps(schema)
        targets = {part.partition('"')[0] for part in text.split('"#/$defs/')[1:]}
        assert targets <= set(known), name


@pytest.mark.parametrize(
    ("revision", "definition", "member", "value"),
    [
        (A, "Implementation", {"title": 5}, {"name": "a", "version": "1"}),
        (
            A,
            "Tool",
            {"annotations": 5, "outputSchema": 5, "_meta": 5},
            {"name": "a", "inputSchema": {"type": "object"}},
        ),
        (A, "CallToolResult", {"structuredContent": 5}, {"content": []}),
        (A, "ProgressNotificationParams", {"message": 5}, {"progressToken": 1, "progress": 1}),
        (B, "Implementation", {"websiteUrl": 5, "icons": 5}, {"name": "a", "version": "1"}),
        (B, "ClientCapabilities", {"tasks": 5, "extensions": 5}, {}),
        (C, "ListToolsResult", {"ttlMs": -5, "cacheScope": "x", "resultType": 5}, {"tools": []}),
        (C, "Error", {"data": 5}, {"code": -32022, "message": "m"}),
        (MODERN, "ServerCapabilities", {"tasks": 5}, {}),
        (MODERN, "Error", {"data": 5}, {"code": -32042, "message": "m"}),
    ],
)
def test_members_of_other_revisions_are_open_extras(
    revision: Revision, definition: str, member: dict[str, Any], value: dict[str, Any]
) -> None:
    assert schema_defects(revision, definition, {**value, **member}) == []


@pytest.mark.parametrize("name", ["experimental", "extensions"])
def test_null_and_fractions_are_settings_like_any_other(name: str) -> None:
    capabilities = {name: {"a.example/x": {"none": None, "half": 0.5, "list": [None, 1.5]}}}
    assert schema_defects(MODERN, "ServerCapabilities", capabilities) == []
    assert schema_defects(MODERN, "ClientCapabilities", capabilities) == []


@pytest.mark.parametrize("block", [{"type": "audio", "data": "", "mimeType": "a"}, {"type": "resource_link"}])
def test_a_content_type_of_a_later_revision_is_a_defect(block: Any) -> None:
    assert [defect.pointer for defect in schema_defects(A, "ContentBlock", block)] == ["/type"]


def test_defects_come_in_the_order_of_paths_and_once_each() -> None:
    tools = [{"name": 1, "inputSchema": {}}] * 11
    defects = schema_defects(A, "ListToolsResult", {"tools": tools, "nextCursor": None})
    expected = [f"/tools/{index}/{rest}" for index in range(11) for rest in ("inputSchema", "name")]
    assert [defect.pointer for defect in defects] == ["/nextCursor", *expected]


def test_details_are_short_and_speak_json() -> None:
    [null] = schema_defects(A, "ListToolsResult", {"tools": [], "nextCursor": None})
    [both] = schema_defects(A, "ResourceContents", {"uri": "a:b", "text": "", "blob": ""})
    [long] = schema_defects(A, "LoggingLevel", "x" * 1000)
    assert null == SchemaDefect("/nextCursor", "is null, not of type string")
    assert both == SchemaDefect("", "exactly one of text and blob is due")
    assert len(long.detail) <= 200


def test_pointers_escape_member_names() -> None:
    defects = schema_defects(A, "ServerCapabilities", {"experimental": {"a/b~c": None}})
    assert [defect.pointer for defect in defects] == ["/experimental/a~1b~0c"]


def test_an_unknown_definition_is_an_error() -> None:
    with pytest.raises(KeyError, match="2024-11-05 has no definition DiscoverResult"):
        schema_defects(A, "DiscoverResult", {})


@pytest.mark.parametrize(
    ("base", "later", "expected"),
    [
        ({"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": 1, "c": 2}}),
        ({"a": [1]}, {"a": {"$append": [2]}}, {"a": [1, 2]}),
        ({"a": [1]}, {"a": []}, {"a": []}),
        ({"a": {"b": 1}}, {"a": True}, {"a": True}),
        ({}, {"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 1}}}),
    ],
)
def test_an_overlay_changes_only_what_it_names(base: Any, later: Any, expected: Any) -> None:
    before = copy.deepcopy(base)
    assert overlay(base, later) == expected
    assert base == before
