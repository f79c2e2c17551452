from typing import Any

import pytest

from mcprove.spec.schemas import DIALECT
from mcprove.spec.validation import instance_defects

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
PAIR = {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]}


def pointers(schema: Any, value: Any, default: str | None = DIALECT) -> list[str]:
    return [defect.pointer for defect in instance_defects(schema, value, default)]


def test_a_value_that_fits_has_no_defect() -> None:
    assert pointers({"type": "object", "required": ["a"]}, {"a": None}) == []


def test_a_value_that_does_not_fit_is_told_by_where() -> None:
    schema = {"properties": {"a": {"type": "integer"}, "b": {"enum": [1]}}}
    assert pointers(schema, {"a": "x", "b": 2}) == ["/a", "/b"]


def test_the_dialect_is_the_one_that_the_schema_names() -> None:
    assert pointers({"$schema": DRAFT_07, **PAIR}, ["x", "y"]) == ["/1"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "text"},
        PAIR,
        {"$ref": "https://example.com/elsewhere.json"},
        {"$ref": "#/$defs/missing"},
        {"$schema": "https://example.com/dialect", "type": "string"},
        {"properties": {"a": {"type": "string", "pattern": r"^\p{Lu}$"}}},
    ],
    ids=["broken", "broken in 2020-12", "remote", "dangling", "unknown dialect", "pattern"],
)
def test_what_cannot_be_judged_for_certain_is_not_judged(schema: Any) -> None:
    assert pointers(schema, {"a": 5}) == []


def test_without_a_dialect_of_the_revision_either_will_do_for_the_schema() -> None:
    assert pointers({"type": "string"}, 5, None) == [""]
