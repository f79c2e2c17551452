"""Calls of tools that are known to change nothing, and what is wrong with their results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mcprove import Exchange, Json, Lineage, NotApplicable, Probe
from mcprove.spec.validation import SchemaDefect, instance_defects, schema_defects
from mcprove_suites.harmless import Tool, is_harmless
from mcprove_suites.judging import Offence, body_of
from mcprove_suites.listed import heard, offence

if TYPE_CHECKING:
    from collections.abc import Callable

ENOUGH = 10
# A tool that takes longer, in seconds, is no sample for quick checks.
PATIENCE = 2.0
NO_SUCH_TOOL = "mcprove-no-such-tool"
# A value of each simple type, and one that is of none of them.
SAMPLES: dict[str, Json] = {"string": "x", "integer": 1, "number": 1, "boolean": True}
MISFIT: Json = {"mcprove": ["x"]}


def sample_arguments(tool: Tool) -> dict[str, Json] | None:
    """Return arguments that should fit a tool: a sample of each required one; None where one is not simple."""
    schema = tool.get("inputSchema")
    properties = schema.get("properties", {}) if isinstance(schema, dict) else None
    required = schema.get("required", []) if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or not isinstance(required, list) or "x-mcp-header" in json.dumps(schema):
        return None
    kinds = {str(name): type_of(properties.get(str(name))) for name in required}
    return {name: SAMPLES[kind] for name, kind in kinds.items()} if all(kinds.values()) else None


def type_of(schema: Json) -> str:
    """Return the simple type that a schema asks for and leaves otherwise free, empty where there is none."""
    if not isinstance(schema, dict) or schema.keys() - {"type", "title", "description"}:
        return ""
    kind = schema.get("type")
    return kind if isinstance(kind, str) and kind in SAMPLES else ""


def call(
    probe: Probe, tool: Tool, arguments: dict[str, Json] | None = None, *, deadline: float | None = None
) -> Exchange:
    """Call a tool, without any arguments where none are given."""
    params: dict[str, Json] = {"name": tool["name"]}
    sent = params if arguments is None else {**params, "arguments": arguments}
    return probe.request("tools/call", sent, deadline=deadline)


def succeeded(answer: Exchange) -> bool:
    """Return whether a call came to a complete result that reports no error."""
    result = answer.result or {}
    complete = answer.result is not None and result.get("resultType", "complete") == "complete"
    return complete and result.get("isError") is not True


def sample_calls(probe: Probe) -> list[tuple[Tool, Exchange]]:
    """Call harmless tools with fitting arguments; done once in the lane."""
    return probe.once(_call_samples)


def working_tools(probe: Probe, *, with_arguments: bool) -> list[Tool]:
    """Return the harmless tools whose sample call succeeded, either those that need arguments or those that do not."""
    worked = [tool for tool, answer in sample_calls(probe) if succeeded(answer)]
    found = [tool for tool in worked if bool(sample_arguments(tool)) is with_arguments]
    if not found:
        kind = "takes arguments of a simple type" if with_arguments else "can be called without arguments"
        raise NotApplicable(f"no tool that is known to be harmless {kind} and works")
    return found


def call_results(probe: Probe) -> list[tuple[Exchange, dict[str, Json]]]:
    """Return every complete result of a call that was heard in the lane, after some were provoked."""
    probe.need("tools")
    sample_calls(probe)
    found = list(heard(probe, "tools/call"))
    if not found:
        raise NotApplicable("no tool is known to be harmless, and a call of an unknown one yields no result")
    return found


def misshapen_results(probe: Probe, judged: Callable[[str], bool]) -> list[Offence]:
    """Return how results of calls depart from the revision's schema, as far as the part in which they do is judged.

    ``judged`` is asked for one of: shape, type (of a block of content), media, structured.
    """
    return [
        offence(f"{defect.pointer or 'the result'} {defect.detail}", exchange)
        for exchange, result in call_results(probe)
        for defect in schema_defects(probe.revision, "CallToolResult", result)
        if judged(part_of(defect, result, probe.lane.lineage))
    ]


def part_of(defect: SchemaDefect, result: dict[str, Json], lineage: Lineage) -> str:
    """Return in which part of a result a defect lies; that of members of every result is for others to judge."""
    head, *path = defect.pointer[1:].split("/")
    if head in ("_meta", "resultType") or "'resultType'" in defect.detail:
        return "other"
    if head == "structuredContent":
        return "structured"
    block = block_at(result, path) if head == "content" else {}
    if block.get("type") in ("image", "audio") and path[1:2] in ([], ["data"], ["mimeType"]):
        return "media"
    return "type" if path[1:] == ["type"] and lineage is Lineage.LEGACY else "shape"


def block_at(result: dict[str, Json], path: list[str]) -> dict[str, Json]:
    """Return the block of content that a path leads into, empty where it does not."""
    content = result.get("content")
    block = content[int(path[0])] if path and isinstance(content, list) else None
    return block if isinstance(block, dict) else {}


def blocks(result: dict[str, Json], *types: str) -> list[dict[str, Json]]:
    """Return the blocks of content of these types."""
    content = result.get("content")
    found = content if isinstance(content, list) else []
    return [block for block in found if isinstance(block, dict) and block.get("type") in types]


def structured_results(probe: Probe) -> list[tuple[Exchange, dict[str, Json]]]:
    """Return the results that have structuredContent."""
    found = [(exchange, result) for exchange, result in call_results(probe) if "structuredContent" in result]
    if not found:
        raise NotApplicable("no call that is known to be harmless returned structuredContent")
    return found


def is_repeated_in_text(result: dict[str, Json]) -> bool:
    """Return whether a text block is structuredContent as JSON, or else its only member, which some servers wrap."""
    content = result["structuredContent"]
    wanted = [content, *(content.values() if isinstance(content, dict) and len(content) == 1 else [])]
    texts = [block.get("text") for block in blocks(result, "text")]
    return any(as_json(text) in wanted or text in wanted for text in texts)


def as_json(text: Json) -> Json:
    """Return what a text says as JSON; a text that is no JSON is returned in an array, equal to nothing."""
    try:
        value: Json = json.loads(str(text))
    except (ValueError, RecursionError):
        return [text, "is no JSON"]
    return value


def unfit(results: list[tuple[Exchange, Json]], dialect: str | None) -> list[Offence]:
    """Return how structuredContent departs from an outputSchema, given each result with that schema."""
    found = []
    for exchange, schema in results:
        result = exchange.given_result()
        if "structuredContent" not in result:
            found.append(offence("no structuredContent", exchange))
        else:
            defects = instance_defects(schema, result["structuredContent"], dialect)
            found += [offence(f"{defect.pointer or 'it'} {defect.detail}", exchange) for defect in defects]
    return found


def name_called(exchange: Exchange) -> Json:
    """Return the name of the tool that was called."""
    params = body_of(exchange).get("params")
    return params.get("name") if isinstance(params, dict) else None


def _call_samples(probe: Probe) -> list[tuple[Tool, Exchange]]:
    fitting = [(tool, sample_arguments(tool)) for tool in probe.tools() if is_harmless(probe, tool)]
    chosen = [(tool, arguments) for tool, arguments in fitting if arguments is not None][:ENOUGH]
    return [(tool, call(probe, tool, arguments, deadline=PATIENCE)) for tool, arguments in chosen]
