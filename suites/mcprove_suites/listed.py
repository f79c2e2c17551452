"""The tools that a server was heard to list, and how they depart from the schema of the revision."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mcprove import Exchange, Inconclusive, Json, Lineage, NotApplicable, Probe, Revision
from mcprove.core import meta
from mcprove.spec.schemas import DIALECT
from mcprove.spec.validation import SchemaDefect, schema_defects
from mcprove_suites.judging import Offence, answers, body_of, modern_answers
from mcprove_suites.walks import BY_METHOD, entries_of, walks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def heard(probe: Probe, method: str) -> Iterator[tuple[Exchange, dict[str, Json]]]:
    """Yield each complete result that came for a method, asked for in the way of the lane's lineage."""
    modern = probe.lane.lineage is Lineage.MODERN
    for exchange, _ in modern_answers(probe) if modern else answers(probe):
        result = exchange.result if exchange.label == method else None
        foreign = not modern and _declares_version(exchange)
        if result is not None and not foreign and result.get("resultType", "complete") == "complete":
            yield exchange, result


def listed_tools(probe: Probe) -> list[tuple[Json, Exchange]]:
    """Return each tool that was listed in the lane, with the exchange that shows it; equal ones once."""
    probe.need("tools")
    walks(probe)
    found: dict[str, tuple[Json, Exchange]] = {}
    for exchange, _ in heard(probe, "tools/list"):
        for tool in entries_of(exchange, BY_METHOD["tools/list"]):
            found.setdefault(json.dumps(tool, sort_keys=True), (tool, exchange))
    if not found:
        raise NotApplicable("the server lists no tool")
    return list(found.values())


def named_tools(probe: Probe) -> list[tuple[str, Exchange]]:
    """Return the names that are strings."""
    found = [(tool.get("name"), exchange) for tool, exchange in listed_tools(probe) if isinstance(tool, dict)]
    names = [(name, exchange) for name, exchange in found if isinstance(name, str)]
    if not names:
        raise Inconclusive("no tool has a name that is a string")
    return names


def tools_with(probe: Probe, member: str) -> list[tuple[dict[str, Json], Exchange]]:
    """Return the tools that have a member."""
    found = [(tool, exchange) for tool, exchange in listed_tools(probe) if isinstance(tool, dict) and member in tool]
    if not found:
        raise NotApplicable(f"the server lists no tool with {member}")
    return found


def misshapen(probe: Probe, judged: Callable[[str], bool]) -> list[Offence]:
    """Return how the listed tools depart from the revision's schema, in the members that are judged.

    ``judged`` is asked for the name of each member; it is empty where one is missing.
    """
    return [
        offence(f"{called(tool)}: {defect.pointer or 'it'} {defect.detail}", exchange)
        for tool, exchange in listed_tools(probe)
        for defect in schema_defects(probe.revision, "Tool", tool)
        if judged(member_of(defect)) and not is_boolean_schema(defect)
    ]


def member_of(defect: SchemaDefect) -> str:
    """Return the member of a value in which a defect lies, empty where it is the value itself."""
    return defect.pointer[1:].partition("/")[0]


def is_boolean_schema(defect: SchemaDefect) -> bool:
    """Return whether a defect is a property described by true or false.

    The schema of the legacy revisions wants an object there, JSON Schema itself takes a boolean: both readings pass.
    """
    return "Schema/properties/" in defect.pointer and defect.detail.startswith(("is true", "is false"))


def is_without_parameters(tool: dict[str, Json]) -> bool:
    """Return whether the inputSchema of a tool plainly has no parameters."""
    schema = tool["inputSchema"]
    plain = {"$schema", "type", "title", "description", "properties", "required", "additionalProperties"}
    return isinstance(schema, dict) and not schema.get("properties") and schema.keys() <= plain


def is_open(schema: Json) -> bool:
    """Return whether a schema does not say what it makes of additional properties."""
    return isinstance(schema, dict) and "additionalProperties" not in schema


def default_dialect(probe: Probe) -> str | None:
    """Return the dialect of schemas that name none; before 2025-11-25 the protocol says nothing of it."""
    return DIALECT if probe.revision >= Revision.R2025_11_25 else None


def marked_parameters(schema: Json) -> Iterator[str]:
    """Yield the name of each property, at any depth of a schema, that has x-mcp-header."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, described in properties.items() if isinstance(properties, dict) else ():
        if isinstance(described, dict) and "x-mcp-header" in described:
            yield name
        yield from marked_parameters(described)


def offence(detail: str, exchange: Exchange) -> Offence:
    """Return an offence in the answer of an exchange."""
    return Offence(detail, exchange.expect_answer(), exchange)


def called(tool: Json) -> str:
    """Return what a tool is called in a report."""
    return f"tool {json.dumps(tool.get('name') if isinstance(tool, dict) else tool, ensure_ascii=False)[:80]}"


def _declares_version(exchange: Exchange) -> bool:
    params = body_of(exchange).get("params")
    metadata = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(metadata, dict) and meta.PROTOCOL_VERSION in metadata
