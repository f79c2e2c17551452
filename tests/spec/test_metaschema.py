from typing import Any

import pytest

from mcprove.spec.schemas import DIALECT
from mcprove.spec.validation import DRAFT_07, metaschema_defects

# A list under "items" is a tuple in draft-07 and a mistake in 2020-12, which has "prefixItems" for it.
TUPLE = {"type": "object", "properties": {"pair": {"items": [{}, {}]}}}
DEEP: Any = {}
for _ in range(2000):
    DEEP = {"properties": {"a": DEEP}}


@pytest.mark.parametrize(
    ("schema", "default"),
    [
        ({"type": "object"}, DIALECT),
        ({"type": "object", "properties": {"n": {"type": ["integer", "null"]}, "any": True}}, DIALECT),
        ({"type": "object", "x-mcp-header": 5, "properties": {"n": {"x-mcp-header": "N"}}}, DIALECT),
        ({"$schema": DIALECT, "type": "object"}, DRAFT_07),
        ({"$schema": f"{DRAFT_07}#", **TUPLE}, DIALECT),
        ({"$schema": DRAFT_07, **TUPLE}, DIALECT),
        ({"$schema": "https://schemas.example/own", "type": 5}, DIALECT),
        ({"$ref": "http://127.0.0.1:9/never-fetched"}, DIALECT),
        ({"properties": {"n": {"pattern": "\\p{L}(?<name>x)"}}}, DIALECT),
        (TUPLE, None),
        ({"minContains": -1}, None),
        (DEEP, DIALECT),
        (True, DIALECT),
    ],
)
def test_schemas_that_keep_their_dialect_have_no_defect(schema: Any, default: str | None) -> None:
    assert metaschema_defects(schema, default) == []


@pytest.mark.parametrize(
    ("schema", "default", "pointer"),
    [
        ({"type": "objekt"}, DIALECT, "/type"),
        ({"type": "objekt"}, None, "/type"),
        (TUPLE, DIALECT, "/properties/pair/items"),
        ({"$schema": DIALECT, **TUPLE}, None, "/properties/pair/items"),
        ({"$schema": DRAFT_07, "required": "name"}, None, "/required"),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": 1, "minimum": 1}, DIALECT,
         "/exclusiveMinimum"),
        ({"$schema": 7}, DIALECT, "/$schema"),
        ({"properties": {"n": None}}, DIALECT, "/properties/n"),
        (None, DIALECT, ""),
        ("object", None, ""),
    ],
)  # fmt: skip
def test_schemas_that_break_their_dialect_have_a_defect(schema: Any, default: str | None, pointer: str) -> None:
    assert {defect.pointer for defect in metaschema_defects(schema, default)} == {pointer}
