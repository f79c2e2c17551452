"""Faults of the schemas that describe tools."""

from typing import Any

from mcprove.core.jsonrpc import Json
from mcprove.spec.revisions import MODERN, Revision
from mcprove_reference.faults.base import Fault

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def _schema(member: str, **changes: Json) -> Any:
    """Return a patch that changes keywords of the schemas of tools."""

    def patch(original: Any, _self: Any, tool: Any, revision: Any) -> Any:
        entry = original(tool, revision)
        return {**entry, member: {**entry[member], **changes}} if member in entry else entry

    return patch


FAULTS = (
    Fault(
        id="jsonschema.type-misspelt",
        breaks=("jsonschema.schemas-valid",),
        says="The type of an argument is no type of JSON Schema.",
        patch={"tool_entry": _schema("inputSchema", properties={"text": {"type": "text"}})},
        transport="stdio",
        revisions=(Revision.R2025_11_25,),
    ),
    Fault(
        id="jsonschema.output-schema-broken",
        breaks=("jsonschema.schemas-valid",),
        says="The required members of an output are given as a text.",
        patch={"tool_entry": _schema("outputSchema", required="temperature")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="jsonschema.draft-07",
        breaks=("jsonschema.prefer-2020-12",),
        says="The schemas are of draft-07.",
        patch={"tool_entry": _schema("inputSchema", **{"$schema": DRAFT_07})},
        transport="stdio",
        revisions=MODERN,
    ),
)
