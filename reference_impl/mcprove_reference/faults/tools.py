"""Faults of the tools: how they are listed, described and called."""

import os
from dataclasses import replace
from typing import Any

from mcprove.core.errors import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND
from mcprove.core.jsonrpc import Json
from mcprove.spec.revisions import MODERN, Revision
from mcprove_reference import samples
from mcprove_reference.exchange import Refusal
from mcprove_reference.faults.base import Fault


def _turn(original: Any, self: Any, params: Any, call: Any) -> Any:
    self.turned = getattr(self, "turned", True) ^ ("cursor" not in params)
    return original(params, call)


def _other_way_round(original: Any, self: Any, tools: Any) -> list[Any]:
    return list(reversed(original(tools))) if getattr(self, "turned", False) else list(original(tools))


def _list_as_object(original: Any, _self: Any, params: Any, call: Any) -> Any:
    listed = original(params, call)
    return {**listed, "tools": {tool["name"]: tool for tool in listed["tools"]}}


def _and_one_of_this_process(original: Any, _self: Any, tools: Any) -> list[Any]:
    first, *others = original(tools)
    return [replace(first, name=f"test_{os.getpid()}"), first, *others]


def _and_what_calls_have_added(original: Any, self: Any, tools: Any) -> list[Any]:
    first, *others = original(tools)
    return [*(replace(first, name=f"test_{number}") for number in range(getattr(self, "calls", 0))), first, *others]


def _count(original: Any, self: Any, params: Any, call: Any) -> Any:
    self.calls = getattr(self, "calls", 0) + 1
    return original(params, call)


def _announce(original: Any, _self: Any, params: Any, call: Any) -> Any:
    call.notify("notifications/tools/list_changed", {})
    return original(params, call)


def _entry(tool_name: str, **changes: Json) -> Any:
    """Return a patch that changes members of the entry of a tool; those of value None are left out."""

    def patch(original: Any, _self: Any, tool: Any, revision: Any) -> Any:
        entry = original(tool, revision)
        if tool.name != tool_name:
            return entry
        return {member: value for member, value in {**entry, **changes}.items() if value is not None}

    return patch


def _open_schema(original: Any, _self: Any, tool: Any, revision: Any) -> Any:
    return (
        {**original(tool, revision), "inputSchema": {"type": "object"}}
        if not tool.properties
        else original(tool, revision)
    )


def _without_check(original: Any, _self: Any, method: str, params: Any) -> None:
    if method != "tools/call":
        original(method, params)


def _malformed_as_result(original: Any, self: Any, params: Any, call: Any) -> Any:
    sound = isinstance(params.get("name"), str) and isinstance(params.get("arguments", {}), dict)
    return original(params, call) if sound else self.tool_failure("this is no call")


def _unknown_as_result(original: Any, self: Any, params: Any, call: Any) -> Any:
    try:
        return original(params, call)
    except Refusal as refusal:
        return self.tool_failure(refusal.message)


def _unknown(code: int) -> Any:
    def patch(original: Any, _self: Any, name: str) -> Any:
        try:
            return original(name)
        except Refusal as refusal:
            raise Refusal(code, refusal.message) from None

    return patch


def _arguments_wanted(original: Any, _self: Any, params: Any, call: Any) -> Any:
    if "arguments" not in params:
        raise Refusal(INVALID_PARAMS, "params.arguments is missing")
    return original(params, call)


def _refuse(code: int) -> Any:
    """Return a patch by which what would be told in a result is told in an error."""

    def patch(_original: Any, _self: Any, reason: str) -> Any:
        raise Refusal(code, reason)

    return patch


def _refuse_arguments(original: Any, _self: Any, tool: Any, arguments: Any) -> None:
    if defect := original(tool, arguments):
        raise Refusal(INVALID_PARAMS, defect)


def _block(kind: str, **changes: Json) -> Any:
    """Return a patch that changes members of blocks of a kind; those of value None are left out."""

    def patch(original: Any, _self: Any, blocks: Any, revision: Any) -> Any:
        return [
            {name: value for name, value in {**block, **changes}.items() if value is not None}
            if block["type"] == kind
            else block
            for block in original(blocks, revision)
        ]

    return patch


def _without_resources(original: Any, _self: Any) -> Any:
    return {name: value for name, value in original().items() if not name.startswith("resources")}


def _without_tools(original: Any, _self: Any) -> Any:
    return {name: value for name, value in original().items() if name != "tools"}


def _structured(name: str, value: Json) -> Any:
    """Return a patch that gives the result of a tool this structured content."""

    def patch(original: Any, _self: Any, tool: Any, revision: Any) -> Any:
        return {"structuredContent": value} if tool.name == name else original(tool, revision)

    return patch


def _a_text_and_its_structure(original: Any, _self: Any, params: Any, call: Any) -> Any:
    result = original(params, call)
    if "structuredContent" not in result:
        return result
    return {**result, "content": [samples.text('{"unit": "kelvin"}')], "structuredContent": {"unit": "kelvin"}}


FAULTS = (
    Fault(
        id="tools.capability-hidden",
        breaks=("tools.capability", "error.method-not-found"),
        says="The tools are served, and the capability is not declared.",
        patch={"capabilities": _without_tools},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.list-as-object",
        breaks=("tools.list-answered",),
        says="The tools are listed in an object, by their names.",
        patch={"list_tools": _list_as_object},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.legacy-list-as-object",
        breaks=("tools.shape",),
        says="The tools are listed in an object, by their names.",
        patch={"list_tools": _list_as_object},
        transport="stdio",
        revisions=(Revision.R2025_06_18,),
    ),
    Fault(
        id="tools.list-by-process",
        breaks=("tools.list-not-per-connection",),
        says="Each process has a tool of its own.",
        patch={"order": _and_one_of_this_process},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.list-grows-by-calls",
        breaks=("tools.list-not-per-connection", "stateless.no-connection-affinity"),
        says="Each call adds a tool, so that another process does not know the cursors of this one.",
        patch={"order": _and_what_calls_have_added, "call_tool": _count},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.order-alternates",
        breaks=("tools.deterministic-order",),
        says="Each list of tools is the reverse of the one before.",
        patch={"list_tools": _turn, "order": _other_way_round},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.order-of-a-set",
        breaks=("tools.deterministic-order",),
        says="Each process has an order of its own.",
        patch={"order": lambda original, _self, tools: sorted(original(tools), key=lambda tool: hash(tool.name))},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.change-announced-undeclared",
        breaks=("tools.list-changed-declared", "lifecycle.only-negotiated-capabilities"),
        says="A change of the tools is announced, and tools.listChanged is not declared.",
        patch={"call_tool": _announce},
        transport="stdio",
        revisions=(Revision.R2025_11_25,),
    ),
    Fault(
        id="tools.title-as-number",
        breaks=("tools.shape",),
        says="The title of a tool is a number.",
        patch={"tool_entry": _entry("test_echo", title=5)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.no-input-schema",
        breaks=("tools.shape",),
        says="A tool has no inputSchema.",
        patch={"tool_entry": _entry("test_echo", inputSchema=None)},
        transport="stdio",
        revisions=(Revision.R2024_11_05,),
    ),
    Fault(
        id="tools.input-schema-of-an-array",
        breaks=("tools.input-schema-object",),
        says="The arguments of a tool are described as an array.",
        patch={"tool_entry": _entry("test_echo", inputSchema={"type": "array"})},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.output-schema-true",
        breaks=("tools.output-schema-object",),
        says="An outputSchema is true, which JSON Schema itself takes.",
        patch={"tool_entry": _entry("test_structured_content", outputSchema=True)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.output-schema-nullable",
        breaks=("tools.output-schema-root-object",),
        says="An outputSchema takes an object or null.",
        patch={"tool_entry": _entry("test_structured_content", outputSchema={"type": ["object", "null"]})},
        transport="stdio",
        revisions=(Revision.R2025_06_18,),
    ),
    Fault(
        id="tools.open-schema-of-no-parameters",
        breaks=("tools.no-parameter-schema",),
        says="The schemas of tools without parameters take any.",
        patch={"tool_entry": _open_schema},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.hint-as-text",
        breaks=("tools.annotations-shape",),
        says="A hint is the text yes.",
        patch={"tool_entry": _entry("test_echo", annotations={"readOnlyHint": "yes"})},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.task-support-maybe",
        breaks=("tools.execution-task-support",),
        says="execution.taskSupport is another word.",
        patch={"tool_entry": _entry("test_echo", execution={"taskSupport": "maybe"})},
        transport="stdio",
        revisions=(Revision.R2025_11_25,),
    ),
    Fault(
        id="tools.password-in-header",
        breaks=("tools.xheader-no-sensitive",),
        says="A password is marked with x-mcp-header.",
        patch={
            "tool_entry": _entry(
                "test_echo",
                inputSchema={
                    "type": "object",
                    "properties": {"api_key": {"type": "string", "x-mcp-header": "Key"}},
                },
            )
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.long-name",
        breaks=("tools.name-length",),
        says="The name of a tool has 129 characters.",
        patch={"tool_entry": _entry("test_echo", name="e" * 129)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.name-with-space",
        breaks=("tools.name-characters",),
        says="The name of a tool has a space.",
        patch={"tool_entry": _entry("test_echo", name="test echo")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.name-twice",
        breaks=("tools.name-unique",),
        says="A tool is listed twice.",
        patch={"order": lambda original, _self, tools: [original(tools)[0], *original(tools)]},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.name-in-any-case",
        breaks=("tools.name-case-sensitive",),
        says="A tool answers to its name in capitals.",
        patch={"find_tool": lambda original, _self, name: original(name.lower())},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.malformed-as-result",
        breaks=("tools.malformed-call",),
        says="What is no call is answered with isError true.",
        patch={"check_params": _without_check, "call_tool": _malformed_as_result},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.unknown-as-result",
        breaks=("tools.unknown-tool",),
        says="A call of an unknown tool is answered with isError true.",
        patch={"call_tool": _unknown_as_result},
        transport="stdio",
        revisions=(Revision.R2025_11_25,),
    ),
    Fault(
        id="tools.unknown-as-method",
        breaks=("tools.unknown-tool",),
        says="A call of an unknown tool is refused with -32601.",
        patch={"find_tool": _unknown(METHOD_NOT_FOUND)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.arguments-wanted",
        breaks=("tools.arguments-optional",),
        says="A call has to have arguments, if only none of them.",
        patch={"call_tool": _arguments_wanted},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.arguments-not-checked",
        breaks=("tools.validates-inputs", "tools.input-validation-error"),
        says="A tool runs with arguments that its schema forbids.",
        patch={"arguments_defect": lambda _original, _self, _tool, _arguments: None},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.bad-arguments-refused",
        breaks=("tools.input-validation-error",),
        says="Arguments that the schema forbids are refused with -32602.",
        patch={"arguments_defect": _refuse_arguments},
        transport="stdio",
        revisions=(Revision.R2025_11_25,),
    ),
    Fault(
        id="tools.failure-as-error",
        breaks=("tools.execution-error",),
        says="What goes wrong inside a tool is told in an error.",
        patch={"tool_failure": _refuse(INTERNAL_ERROR)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.block-without-text",
        breaks=("tools.call-result-shape",),
        says="A text block has no text.",
        patch={"content": _block("text", text=None)},
        transport="stdio",
        revisions=(Revision.R2024_11_05,),
    ),
    Fault(
        id="tools.is-error-as-text",
        breaks=("tools.call-result-shape",),
        says="isError is the text no.",
        patch={"call_tool": lambda original, _self, params, call: {"isError": "no", **original(params, call)}},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.content-of-unknown-type",
        breaks=("tools.content-types",),
        says="A block of content is a video.",
        patch={"content": _block("text", type="video")},
        transport="stdio",
        revisions=(Revision.R2024_11_05,),
    ),
    Fault(
        id="tools.image-not-base64",
        breaks=("tools.media-content",),
        says="The data of an image are a URL.",
        patch={"content": _block("image", data="https://example.com/image.png")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.audio-without-type",
        breaks=("tools.media-content",),
        says="A sound has no MIME type.",
        patch={"content": _block("audio", mimeType=None)},
        transport="stdio",
        revisions=(Revision.R2025_06_18,),
    ),
    Fault(
        id="tools.embeds-without-resources",
        breaks=("tools.embedded-needs-capability",),
        says="A tool embeds a resource, and the server has none.",
        patch={"capabilities": _without_resources, "feature_methods": _without_resources},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.structured-text",
        breaks=("tools.structured-content-object",),
        says="structuredContent is a text.",
        patch={"structured": _structured("test_simple_text", "a simple text")},
        transport="stdio",
        revisions=(Revision.R2025_06_18,),
    ),
    Fault(
        id="tools.structure-not-in-text",
        breaks=("tools.structured-text-copy",),
        says="The text says something else than structuredContent.",
        patch={"structured": _structured("test_structured_content", {"temperature": 5, "unit": "celsius"})},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="tools.structure-missing",
        breaks=("tools.output-schema-conformance",),
        says="A tool with an outputSchema returns no structuredContent.",
        patch={"structured": lambda _original, _self, _tool, _revision: {}},
        transport="stdio",
        revisions=(Revision.R2025_06_18,),
    ),
    Fault(
        id="tools.structure-misfits",
        breaks=("tools.output-schema-conformance",),
        says="structuredContent is not what the outputSchema describes.",
        patch={"call_tool": _a_text_and_its_structure},
        transport="stdio",
        revisions=MODERN,
    ),
)
