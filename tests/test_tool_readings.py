"""What checks of tools take for a departure, and what they let pass."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mcprove.spec.revisions import Lineage, Revision
from mcprove.spec.validation import schema_defects
from mcprove_suites.calls import is_repeated_in_text, part_of, sample_arguments
from mcprove_suites.harmless import is_harmless
from mcprove_suites.listed import is_boolean_schema, is_without_parameters, marked_parameters


def result(structured: Any, *texts: str) -> dict[str, Any]:
    return {"structuredContent": structured, "content": [{"type": "text", "text": text} for text in texts]}


@pytest.mark.parametrize(
    ("found", "repeated"),
    [
        (result({"a": 1}, '{ "a": 1 }'), True),
        (result({"a": 1}, "a table", '{"a":1}'), True),
        (result({"result": 5}, "5"), True),
        (result({"result": "five"}, "five"), True),
        (result({"a": 1, "b": 2}, '{"a": 1}'), False),
        (result([1], "there is one"), False),
        (result({"a": 1}), False),
    ],
)
def test_structured_content_may_be_repeated_as_it_is_or_unwrapped(found: Any, repeated: bool) -> None:
    assert is_repeated_in_text(found) is repeated


@pytest.mark.parametrize(
    ("schema", "bare"),
    [
        ({"type": "object"}, True),
        ({"type": "object", "properties": {}}, True),
        ({"type": "object", "properties": {"a": {}}}, False),
        ({"type": "object", "patternProperties": {"^x-": {}}}, False),
        ({"type": "object", "$ref": "#/$defs/a"}, False),
    ],
)
def test_a_schema_has_no_parameters_only_where_that_is_plain(schema: Any, bare: bool) -> None:
    assert is_without_parameters({"inputSchema": schema}) is bare


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        ({"type": "object"}, {}),
        ({"properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]}, {"a": "x"}),
        ({"properties": {"a": {"type": "string", "format": "date"}}, "required": ["a"]}, None),
        ({"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}, None),
        ({"properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]}, None),
        ({"required": ["a"]}, None),
        (5, None),
    ],
)
def test_arguments_are_made_up_only_where_any_value_will_do(schema: Any, arguments: Any) -> None:
    assert sample_arguments({"inputSchema": schema}) == arguments


@pytest.mark.parametrize(
    ("tool", "harmless"),
    [
        ({"name": "test_simple_text"}, True),
        ({"name": "test_sampling"}, False),
        ({"name": "read", "annotations": {"readOnlyHint": True}}, True),
        ({"name": "write", "annotations": {"readOnlyHint": "true"}}, False),
        ({"name": "write"}, False),
        ({"name": "write-as-the-user-said"}, True),
    ],
)
def test_only_tools_that_are_known_to_change_nothing_are_called(tool: Any, harmless: bool) -> None:
    probe: Any = SimpleNamespace(allowed_tools=frozenset({"write-as-the-user-said"}))
    assert is_harmless(probe, tool) is harmless


def test_a_property_described_by_a_boolean_is_a_reading_of_its_own() -> None:
    tool = {"name": "a", "inputSchema": {"type": "object", "properties": {"a": True, "b": 5}}}
    (boolean, number) = schema_defects(Revision.R2025_11_25, "Tool", tool)
    assert is_boolean_schema(boolean)
    assert not is_boolean_schema(number)


@pytest.mark.parametrize(
    ("block", "lineage", "parts"),
    [
        ({"type": "text"}, Lineage.LEGACY, {"shape"}),
        ({"type": "video"}, Lineage.LEGACY, {"type"}),
        ({"type": "video"}, Lineage.MODERN, {"shape"}),
        ({"type": "image", "data": "?", "mimeType": "image/png"}, Lineage.MODERN, {"media"}),
        ({"type": "audio", "data": "UklG"}, Lineage.MODERN, {"media"}),
        ({"type": "image", "data": "UklG", "mimeType": "a/b", "annotations": 5}, Lineage.MODERN, {"shape"}),
    ],
)
def test_a_defect_of_content_belongs_to_one_requirement(block: Any, lineage: Lineage, parts: set[str]) -> None:
    revision = Revision.R2026_07_28 if lineage is Lineage.MODERN else Revision.R2025_06_18
    found: dict[str, Any] = {"resultType": "complete", "content": [block]}
    defects = schema_defects(revision, "CallToolResult", found)
    assert {part_of(defect, found, lineage) for defect in defects} == parts


def test_marked_parameters_are_found_at_any_depth() -> None:
    inner = {"type": "object", "properties": {"token": {"type": "string", "x-mcp-header": "Token"}}}
    assert list(marked_parameters({"properties": {"auth": inner, "region": {"type": "string"}}})) == ["token"]
