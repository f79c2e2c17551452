import base64
from typing import Any

import pytest

from mcprove.core import meta
from mcprove.core.errors import INVALID_PARAMS
from mcprove_reference.samples import PNG, WAV

META = {meta.PROTOCOL_VERSION: "2026-07-28", meta.CLIENT_CAPABILITIES: {}}


@pytest.fixture(params=["modern", "2025-11-25", "2025-06-18", "2024-11-05"])
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def peer(era: str, peer: Any) -> Any:
    if era != "modern":
        peer.initialize(era)
    return peer


def ask(peer: Any, era: str, method: str, **params: Any) -> dict[str, Any]:
    answer: dict[str, Any] = peer.modern(method, **params) if era == "modern" else peer.ask(method, params)
    return answer


def call(peer: Any, era: str, name: str, **arguments: Any) -> dict[str, Any]:
    result: dict[str, Any] = ask(peer, era, "tools/call", name=name, arguments=arguments)["result"]
    return result


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("test_simple_text", ["text"]),
        ("test_image_content", ["image"]),
        ("test_embedded_resource", ["resource"]),
        ("test_multiple_content_types", ["text", "image", "resource"]),
        ("test_tool_with_progress", ["text"]),
        ("test_structured_content", ["text"]),
    ],
)
def test_tools_return_the_content_they_are_named_for(peer: Any, era: str, name: str, types: list[str]) -> None:
    result = call(peer, era, name)
    assert [block["type"] for block in result["content"]] == types
    assert "isError" not in result


@pytest.mark.parametrize("name", ["test_simple_text", "test_tool_with_progress"])
def test_arguments_may_be_left_out(peer: Any, era: str, name: str) -> None:
    assert ask(peer, era, "tools/call", name=name)["result"]["content"]


def test_a_tool_failure_is_a_result(peer: Any, era: str) -> None:
    assert call(peer, era, "test_error_handling")["isError"] is True


@pytest.mark.parametrize("arguments", [{}, {"text": 1}, {"text": "x", "more": 1}])
def test_bad_arguments_are_told_to_the_model(peer: Any, era: str, arguments: dict[str, Any]) -> None:
    assert call(peer, era, "test_echo", **arguments)["isError"] is True


def test_text_comes_back_as_it_was(peer: Any, era: str) -> None:
    words = "é – 漢字 – 😀\n\u2028"
    assert call(peer, era, "test_echo", text=words)["content"] == [{"type": "text", "text": words}]


@pytest.mark.parametrize("name", ["no_such_tool", "TEST_SIMPLE_TEXT", ""])
def test_an_unknown_tool_is_a_protocol_error(peer: Any, era: str, name: str) -> None:
    assert ask(peer, era, "tools/call", name=name)["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {}),
        ("tools/call", {"name": 1}),
        ("tools/call", {"name": "test_simple_text", "arguments": []}),
        ("tools/list", {"cursor": 1}),
        ("resources/read", {}),
        ("prompts/get", {"name": "no_such_prompt"}),
        ("prompts/get", {"name": "test_prompt_with_arguments", "arguments": {"arg1": "a"}}),
        ("prompts/get", {"name": "test_prompt_with_arguments", "arguments": {"arg1": "a", "arg2": 2}}),
    ],
)
def test_malformed_params_are_a_protocol_error(peer: Any, era: str, method: str, params: Any) -> None:
    assert ask(peer, era, method, **params)["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize("token", ["tok-1", 7, "7", 0])
def test_progress_is_reported_to_the_token_and_rises(peer: Any, era: str, token: Any) -> None:
    metadata = {"progressToken": token, **(META if era == "modern" else {})}
    params = {"name": "test_tool_with_progress", "_meta": metadata}
    *said, response = peer.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    assert [note["method"] for note in said] == ["notifications/progress"] * 3
    assert [note["params"]["progress"] for note in said] == [1, 2, 3]
    assert all(note["params"]["progressToken"] == token for note in said)
    assert all(("message" in note["params"]) is (era != "2024-11-05") for note in said)
    assert "result" in response


@pytest.mark.parametrize("metadata", [{}, {"progressToken": True}, {"progressToken": None}])
def test_without_a_token_there_is_no_progress(peer: Any, era: str, metadata: dict[str, Any]) -> None:
    params = {"name": "test_tool_with_progress", "_meta": {**metadata, **(META if era == "modern" else {})}}
    assert len(peer.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})) == 1


@pytest.mark.parametrize("uri", ["test://static-text", "test://static-binary", "test://template/9/data"])
def test_resources_are_read(peer: Any, era: str, uri: str) -> None:
    (contents,) = ask(peer, era, "resources/read", uri=uri)["result"]["contents"]
    assert contents["uri"] == uri
    assert ("text" in contents) is not ("blob" in contents)


def test_listed_resources_can_be_read(peer: Any, era: str) -> None:
    for entry in ask(peer, era, "resources/list")["result"]["resources"]:
        assert "result" in ask(peer, era, "resources/read", uri=entry["uri"])


def test_prompts_are_filled_in(peer: Any, era: str) -> None:
    arguments = {"arg1": "salt", "arg2": "pepper"}
    result = ask(peer, era, "prompts/get", name="test_prompt_with_arguments", arguments=arguments)["result"]
    assert result["messages"] == [{"role": "user", "content": {"type": "text", "text": "salt and pepper"}}]


def test_samples_are_base64_of_what_they_claim() -> None:
    assert base64.b64decode(PNG, validate=True).startswith(b"\x89PNG")
    assert base64.b64decode(WAV, validate=True).startswith(b"RIFF")
