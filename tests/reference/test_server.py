from typing import Any

import pytest

from mcprove.core import meta
from mcprove.core.errors import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
)
from mcprove.spec.revisions import LEGACY

META = {meta.PROTOCOL_VERSION: "2026-07-28", meta.CLIENT_CAPABILITIES: {}}


@pytest.mark.parametrize("data", [b"{not json", b"\xff\xfe", b'{"jsonrpc": "2.0"} {}'])
def test_text_that_is_not_json_is_a_parse_error_without_id(peer: Any, data: bytes) -> None:
    (answer,) = peer.send(data)
    assert answer["error"]["code"] == PARSE_ERROR
    assert "id" not in answer


@pytest.mark.parametrize(
    ("message", "has_id"),
    [
        ({}, False),
        (42, False),
        ({"jsonrpc": "2.0", "id": 7}, True),
        ({"jsonrpc": "1.0", "id": 7, "method": "ping"}, True),
        ({"jsonrpc": "2.0", "id": 7, "method": 5}, True),
        ({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": []}, True),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, False),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, False),
        ({"jsonrpc": "2.0", "id": [7], "method": "ping"}, False),
    ],
)
def test_json_that_is_no_request_is_refused_with_the_id_if_readable(peer: Any, message: Any, has_id: bool) -> None:
    (answer,) = peer.send(message)
    assert answer["error"]["code"] == INVALID_REQUEST
    assert answer.get("id", "absent") == (7 if has_id else "absent")


def test_an_array_is_refused_and_nothing_of_it_runs(peer: Any) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
    (answer,) = peer.send([{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}])
    assert answer["error"]["code"] == INVALID_REQUEST
    assert "id" not in answer
    assert peer.session.revision is None


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of"},
        {"jsonrpc": "2.0", "method": "tools/list", "params": {"_meta": META}},
        {"jsonrpc": "2.0", "id": 5, "result": {}},
        {"jsonrpc": "2.0", "id": 5, "error": {"code": -32603, "message": "no"}},
    ],
)
def test_notifications_and_responses_are_never_answered(peer: Any, message: Any) -> None:
    assert peer.send(message) == []


@pytest.mark.parametrize("request_id", [0, -7, 2**53 - 1, "1", "", "é"])
@pytest.mark.parametrize("method", ["server/discover", "x/unknown"])
def test_the_id_comes_back_unchanged(peer: Any, request_id: Any, method: str) -> None:
    answer = peer.ask(method, {"_meta": META}, request_id)
    assert answer["id"] == request_id
    assert type(answer["id"]) is type(request_id)


@pytest.mark.parametrize("opened", [False, True])
def test_both_lineages_refuse_unknown_methods(peer: Any, opened: bool) -> None:
    if opened:
        peer.initialize()
        assert peer.ask("x/unknown")["error"]["code"] == METHOD_NOT_FOUND
    assert peer.modern("x/unknown")["error"]["code"] == METHOD_NOT_FOUND


def test_the_lineages_do_not_disturb_each_other(peer: Any) -> None:
    assert "result" in peer.modern("tools/list")
    assert peer.initialize()["result"]["protocolVersion"] == "2025-11-25"
    assert peer.modern("tools/list")["result"]["resultType"] == "complete"
    assert "resultType" not in peer.ask("tools/list")["result"]
    assert peer.modern("ping")["error"]["code"] == METHOD_NOT_FOUND


@pytest.mark.parametrize("method", ["tools/list", "prompts/list", "resources/list", "resources/templates/list"])
@pytest.mark.parametrize("cursor", ["no-such-cursor", ""])
def test_a_cursor_that_was_never_given_is_refused(peer: Any, method: str, cursor: str) -> None:
    assert peer.modern(method, cursor=cursor)["error"]["code"] == INVALID_PARAMS


def walk(peer: Any) -> list[list[str]]:
    pages: list[list[str]] = []
    cursor: dict[str, str] = {}
    while True:
        result = peer.modern("tools/list", **cursor)["result"]
        pages.append([tool["name"] for tool in result["tools"]])
        if "nextCursor" not in result:
            return pages
        cursor = {"cursor": result["nextCursor"]}


def test_the_tools_come_sorted_in_pages(peer: Any) -> None:
    pages = walk(peer)
    names = [name for page in pages for name in page]
    assert [len(page) for page in pages[:-1]] == [3] * (len(pages) - 1)
    assert len(pages) > 1
    assert names == sorted(set(names))


def test_a_cursor_means_the_same_on_another_connection(peer: Any, other_peer: Any) -> None:
    cursor = peer.modern("tools/list")["result"]["nextCursor"]
    assert peer.modern("tools/list", cursor=cursor) == other_peer.modern("tools/list", cursor=cursor)


@pytest.mark.parametrize("version", LEGACY)
def test_each_legacy_revision_gets_only_what_it_defines(peer: Any, version: str) -> None:
    first = peer.initialize(version)["result"]["serverInfo"]
    tools = peer.ask("tools/list")["result"]["tools"]
    sound = peer.ask("tools/call", {"name": "test_audio_content"})["result"]["content"]
    old = version == "2024-11-05"
    assert ("title" in first) is not old
    assert all(("annotations" in tool) is not old for tool in tools)
    assert [block["type"] for block in sound] == ["text" if old else "audio"]
