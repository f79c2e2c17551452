"""The tools: the well-known diagnostic ones, all read-only.

Spec: server/tools.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcprove.core.errors import INVALID_PARAMS
from mcprove.spec.revisions import Revision
from mcprove_reference import samples
from mcprove_reference.exchange import Refusal
from mcprove_reference.resources import TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mcprove.core.jsonrpc import Json
    from mcprove_reference.exchange import Call, Handler, Params, Result
    from mcprove_reference.pages import Pager
    from mcprove_reference.samples import Block

    Run = Callable[["Tools", Params, Call], list[Block]]

STEPS = 3
JSON_TYPES: Mapping[str, type] = {"string": str, "object": dict, "array": list, "boolean": bool}


class ToolFailure(Exception):  # noqa: N818 - a failure that is shown to the model
    """The tool ran and could not do its work; the message is for the model."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: how it is listed and what it does."""

    name: str
    title: str
    says: str
    run: Run
    properties: Mapping[str, str] = field(default_factory=dict)
    """Arguments, all required: name to JSON type."""
    output: Mapping[str, Json] | None = None
    """The schema of the structured content; what the tool returns as text is its JSON."""

    def input_schema(self) -> dict[str, Json]:
        """Return the schema of the arguments; no others are taken."""
        if not self.properties:
            return {"type": "object", "additionalProperties": False}
        return {
            "type": "object",
            "properties": {name: {"type": kind} for name, kind in self.properties.items()},
            "required": list(self.properties),
            "additionalProperties": False,
        }


class Tools:
    """Lists and calls the tools."""

    capability = "tools"

    def __init__(self, pager: Pager) -> None:
        self.pager = pager

    def methods(self) -> Mapping[str, Handler]:
        """Return the methods of this feature."""
        return {"tools/list": self.list_tools, "tools/call": self.call_tool}

    def list_tools(self, params: Params, call: Call) -> Result:
        """Answer ``tools/list``."""
        entries = [(tool.name, self.tool_entry(tool, call.revision)) for tool in self.order(TOOLS)]
        return self.pager.page("tools", entries, params)

    def order(self, tools: Iterable[Tool]) -> Sequence[Tool]:
        """Sort the tools by name. Keeps tools.deterministic-order."""
        return sorted(tools, key=lambda tool: tool.name)

    def tool_entry(self, tool: Tool, revision: Revision) -> dict[str, Json]:
        """Return the list entry of a tool, with the members that the revision defines."""
        entry: dict[str, Json] = {
            "name": tool.name,
            "description": tool.says,
            "inputSchema": tool.input_schema(),
        }
        if revision is not Revision.R2024_11_05:
            entry |= {"title": tool.title, "annotations": {"readOnlyHint": True}, "_meta": {"com.example/of": "test"}}
            entry |= {"outputSchema": dict(tool.output)} if tool.output else {}
        if revision is Revision.R2025_11_25:
            entry["execution"] = {"taskSupport": "forbidden"}
        return entry

    def call_tool(self, params: Params, call: Call) -> Result:
        """Answer ``tools/call``."""
        tool = self.find_tool(str(params["name"]))
        arguments = params.get("arguments", {})
        assert isinstance(arguments, dict)
        defect = self.arguments_defect(tool, arguments)
        if defect:
            return self.tool_failure(defect)
        try:
            blocks = tool.run(self, arguments, call)
        except ToolFailure as failure:
            return self.tool_failure(str(failure))
        return {"content": self.content(blocks, call.revision), **self.structured(tool, call.revision)}

    def structured(self, tool: Tool, revision: Revision) -> Result:
        """Return the structured content, where the tool and the revision have it.

        Keeps tools.output-schema-conformance, tools.structured-content-object.
        """
        known = tool.output is not None and revision is not Revision.R2024_11_05
        return {"structuredContent": dict(READING)} if known else {}

    def find_tool(self, name: str) -> Tool:
        """Return the tool with this very name. Keeps tools.unknown-tool, tools.name-case-sensitive."""
        for tool in TOOLS:
            if tool.name == name:
                return tool
        raise Refusal(INVALID_PARAMS, f"unknown tool: {name}")

    def arguments_defect(self, tool: Tool, arguments: Params) -> str | None:
        """Return how the arguments break the tool's inputSchema, if they do.

        Keeps tools.validates-inputs.
        """
        for name in tool.properties:
            if name not in arguments:
                return f"argument {name} is missing"
        for name, value in arguments.items():
            kind = tool.properties.get(name)
            if kind is None:
                return f"there is no argument {name}"
            if not isinstance(value, JSON_TYPES[kind]):
                return f"argument {name} is not of type {kind}"
        return None

    def tool_failure(self, reason: str) -> Result:
        """Return the result of a call that failed.

        Keeps tools.execution-error, tools.input-validation-error.
        """
        return {"content": [samples.text(reason)], "isError": True}

    def content(self, blocks: list[Block], revision: Revision) -> list[Json]:
        """Return the blocks, those that the revision lacks replaced."""
        return [samples.known_to(revision, block) for block in blocks]

    def report_progress(self, call: Call, step: int) -> None:
        """Report a step of work, if the request asked for it. Keeps progress.none-without-token."""
        if call.progress_token is None:
            return
        params: Params = {"progressToken": call.progress_token, "progress": step, "total": STEPS}
        if call.revision is not Revision.R2024_11_05:
            params["message"] = f"step {step} of {STEPS}"
        call.notify("notifications/progress", params)


def _fail(_tools: Tools, _arguments: Params, _call: Call) -> list[Block]:
    raise ToolFailure("this tool fails on purpose")


def _work(tools: Tools, _arguments: Params, call: Call) -> list[Block]:
    for step in range(1, STEPS + 1):
        tools.report_progress(call, step)
    return [samples.text(f"done after {STEPS} steps")]


def _read(_tools: Tools, _arguments: Params, _call: Call) -> list[Block]:
    return [samples.text(json.dumps(READING))]


def _mixed(_tools: Tools, _arguments: Params, _call: Call) -> list[Block]:
    return [samples.text("text, an image and a resource"), samples.image(), samples.embedded(TEXT)]


READING: Mapping[str, Json] = {"temperature": 21.5, "unit": "celsius"}
READING_SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {"temperature": {"type": "number"}, "unit": {"enum": ["celsius", "fahrenheit"]}},
    "required": ["temperature", "unit"],
}

TOOLS = (
    Tool("test_simple_text", "Text", "Returns a text.", lambda *_: [samples.text("a simple text")]),
    Tool("test_image_content", "Image", "Returns an image.", lambda *_: [samples.image()]),
    Tool("test_audio_content", "Audio", "Returns a sound.", lambda *_: [samples.audio()]),
    Tool("test_embedded_resource", "Resource", "Returns a resource.", lambda *_: [samples.embedded(TEXT)]),
    Tool("test_multiple_content_types", "Mixture", "Returns three kinds of content.", _mixed),
    Tool("test_structured_content", "Structure", "Returns a reading.", _read, output=READING_SCHEMA),
    Tool("test_error_handling", "Failure", "Fails each time.", _fail),
    Tool("test_tool_with_progress", "Progress", "Reports progress when asked to.", _work),
    Tool(
        "test_echo",
        "Echo",
        "Returns its argument.",
        lambda _tools, arguments, _call: [samples.text(str(arguments.get("text")))],
        properties={"text": "string"},
    ),
)
