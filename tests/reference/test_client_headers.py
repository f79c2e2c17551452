from typing import Any

import pytest

from mcprove.core import jsonrpc
from mcprove.spec.revisions import LEGACY, NEWEST_LEGACY, Revision
from mcprove_reference.client_headers import Headers
from mcprove_reference.client_messages import Messages
from mcprove_reference.client_params import ParamHeaders
from mcprove_reference.client_steps import Unusable

CONTENT = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def of_modern(method: str, **params: Any) -> dict[str, str]:
    request = Messages().build_request(Revision.R2026_07_28, method, params)
    return Headers().of_post(request, NEWEST_LEGACY)


def test_modern_headers_repeat_the_body() -> None:
    assert of_modern("tools/list") == {
        **CONTENT,
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/list",
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("plain", "plain"),
        ("two words", "two words"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
    ],
)
def test_the_name_is_encoded_where_a_header_cannot_carry_it(name: str, value: str) -> None:
    assert of_modern("tools/call", name=name)["Mcp-Name"] == value
    assert of_modern("resources/read", uri=name)["Mcp-Name"] == value


def test_a_modern_server_is_sent_no_session() -> None:
    headers = Headers()
    headers.session_id = "left over"
    request = Messages().build_request(Revision.R2026_07_28, "tools/list", {})
    assert "Mcp-Session-Id" not in headers.of_post(request, NEWEST_LEGACY)


INITIALIZE = jsonrpc.request(1, "initialize", {"protocolVersion": "2025-11-25"})


@pytest.mark.parametrize("revision", LEGACY)
def test_the_session_and_the_negotiated_revision_go_with_everything_after_initialize(revision: Revision) -> None:
    headers = Headers()
    assert headers.of_post(INITIALIZE, revision) == CONTENT
    headers.keep_session(INITIALIZE, {"Mcp-Session-Id": "abc"})
    kept = {"MCP-Protocol-Version": str(revision), "Mcp-Session-Id": "abc"}
    for message in (
        jsonrpc.notification("notifications/initialized"),
        jsonrpc.request(2, "tools/list"),
        jsonrpc.result(7, {}),
    ):
        assert headers.of_post(message, revision) == {**CONTENT, **kept}
    assert headers.of_farewell(revision) == kept
    assert headers.of_resumption("e1", revision) == {"Accept": "text/event-stream", "Last-Event-ID": "e1", **kept}


def test_initialize_begins_without_the_old_session() -> None:
    headers = Headers()
    headers.session_id = "old"
    assert headers.of_post(INITIALIZE, NEWEST_LEGACY) == CONTENT
    assert headers.of_farewell(NEWEST_LEGACY) is None


def test_a_session_is_given_by_initialize_alone() -> None:
    headers = Headers()
    headers.keep_session(jsonrpc.request(2, "tools/list"), {"Mcp-Session-Id": "abc"})
    assert headers.session_id is None


@pytest.mark.parametrize("session_id", ["", "two words", "é", "a\tb"])
def test_a_session_id_that_no_header_can_carry_is_an_error(session_id: str) -> None:
    with pytest.raises(Unusable, match="visible ASCII"):
        Headers().keep_session(INITIALIZE, {"Mcp-Session-Id": session_id})


# Arguments in headers.


def tool(**properties: Any) -> dict[str, Any]:
    return {"name": "t", "inputSchema": {"type": "object", "properties": properties}}


def marked(name: Any, kind: Any = "string", **more: Any) -> dict[str, Any]:
    return {"type": kind, "x-mcp-header": name, **more}


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("string", "us-west1", "us-west1"),
        ("string", "世", "=?base64?5LiW?="),
        ("string", "", ""),
        ("integer", -7, "-7"),
        ("integer", 42.0, "42"),
        ("boolean", True, "true"),
        ("boolean", False, "false"),
    ],
)
def test_a_marked_argument_is_repeated_as_text(kind: str, value: Any, text: str) -> None:
    assert ParamHeaders().headers(tool(a=marked("R", kind)), {"a": value}) == {"Mcp-Param-R": text}


@pytest.mark.parametrize("arguments", [{}, {"a": None}, {"a": {}}, {"a": 1.5}])
def test_an_argument_that_is_not_there_has_no_header(arguments: Any) -> None:
    assert ParamHeaders().headers(tool(a=marked("R")), arguments) == {}


def test_marks_are_found_in_nested_properties() -> None:
    nested = tool(outer={"type": "object", "properties": {"inner": marked("In")}})
    assert ParamHeaders().defect(nested) is None
    assert ParamHeaders().headers(nested, {"outer": {"inner": "x"}}) == {"Mcp-Param-In": "x"}
    assert ParamHeaders().headers(nested, {"outer": "x"}) == {}


@pytest.mark.parametrize(
    "valid",
    [
        {"name": "t"},
        tool(a={"type": "string"}),
        tool(a=marked("R"), b=marked("S", "integer"), c=marked("T", "boolean")),
        tool(a=marked("R", ["string", "null"])),
        tool(a={"type": "object", "default": {"x-mcp-header": "R"}}),
    ],
)
def test_valid_marks_are_no_defect(valid: Any) -> None:
    assert ParamHeaders().defect(valid) is None


@pytest.mark.parametrize(
    "invalid",
    [
        tool(a=marked("")),
        tool(a=marked("a b")),
        tool(a=marked("a\r\nX: y")),
        tool(a=marked("é")),
        tool(a=marked(7)),
        tool(a=marked("R", "number")),
        tool(a=marked("R", "object")),
        tool(a={"x-mcp-header": "R"}),
        tool(a=marked("R"), b=marked("r")),
        tool(a={"type": "array", "items": marked("R")}),
        tool(a={"anyOf": [marked("R")]}),
        {"name": "t", "inputSchema": {"type": "object", "x-mcp-header": "R"}},
        {"name": "t", "inputSchema": {"type": "object", "$defs": {"d": {"properties": {"a": marked("R")}}}}},
    ],
)
def test_invalid_marks_are_a_defect(invalid: Any) -> None:
    assert ParamHeaders().defect(invalid)
