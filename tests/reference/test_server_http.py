import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from mcprove.core import headers as names
from mcprove.core import meta
from mcprove.core.errors import HEADER_MISMATCH, INVALID_PARAMS, METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION
from mcprove_reference.http import HttpFront
from mcprove_reference.replies import Reply
from mcprove_reference.server import Server

VERSION = "2026-07-28"
META = {meta.PROTOCOL_VERSION: VERSION, meta.CLIENT_CAPABILITIES: {}}
HELLO = {"capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
NOTE = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}
PROGRESS = {"name": "test_tool_with_progress", "_meta": {"progressToken": 1}}


class Browser:
    """Sends requests to a front of its own."""

    def __init__(self, answers: str = "json") -> None:
        self.front = HttpFront(Server(), answers)
        self.session: dict[str, str] = {}

    def send(self, method: str, body: Any, headers: Mapping[str, str]) -> Reply:
        """Send an HTTP request with a JSON body, or bytes as they are."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.front.respond(method, httpx.Headers({"Host": "127.0.0.1:80", **headers}, encoding="latin-1"), data)

    def modern(self, method: str, *, drop: str = "", name: str = "", version: str = VERSION, **other: Any) -> Reply:
        """POST a modern request whose headers fit, but for those dropped or given in ``headers``."""
        declared = {**META, meta.PROTOCOL_VERSION: version}
        params = {"_meta": declared, **({"name": name} if name else {}), **other.get("params", {})}
        headers = {names.PROTOCOL_VERSION: version, names.METHOD: method, **({names.NAME: name} if name else {})}
        headers = {key: value for key, value in (headers | other.get("headers", {})).items() if key != drop}
        return self.send("POST", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, headers)

    def legacy(self, method: str, params: Any = None, headers: Mapping[str, str] | None = None) -> Reply:
        """POST a legacy request in the session, if one is open."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        return self.send("POST", request, {**self.session, **(headers or {})})

    def initialize(self, version: str = "2025-11-25") -> Reply:
        """Open a session and keep its headers."""
        reply = self.legacy("initialize", {"protocolVersion": version, **HELLO})
        self.session = {names.SESSION_ID: reply.headers[names.SESSION_ID], names.PROTOCOL_VERSION: version}
        return reply


def body(reply: Reply) -> Any:
    return json.loads(b"".join(reply.chunks))


def verdict(reply: Reply) -> tuple[int, int]:
    return reply.status, body(reply)["error"]["code"]


@pytest.fixture
def browser() -> Browser:
    return Browser()


# Any lineage.


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:81"},
        {"Origin": "https://127.0.0.1"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://127.0.0.1:port"},
        {"Host": "evil.example"},
    ],
)
def test_foreign_pages_are_forbidden(browser: Browser, method: str, headers: dict[str, str]) -> None:
    reply = browser.send(method, {"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers)
    assert reply.status == 403
    assert "id" not in body(reply)


@pytest.mark.parametrize("host", ["127.0.0.1:7000", "localhost:7000", "[::1]:7000"])
def test_pages_of_this_server_are_served(browser: Browser, host: str) -> None:
    own = {"Host": host, "Origin": f"http://{host}"}
    assert browser.modern("server/discover", headers=own).status == 200


def test_text_that_is_not_json_is_a_bad_request(browser: Browser) -> None:
    reply = browser.send("POST", b"{", {})
    assert reply.status == 400
    assert "id" not in body(reply)


@pytest.mark.parametrize("opened", [False, True])
def test_arrays_are_a_bad_request(browser: Browser, opened: bool) -> None:
    if opened:
        browser.initialize()
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    for headers in (browser.session, {names.PROTOCOL_VERSION: VERSION}):
        reply = browser.send("POST", [ping, ping], headers)
        assert reply.status == 400
        assert "id" not in body(reply)


# Modern requests.


@pytest.mark.parametrize(
    ("method", "name"), [("server/discover", ""), ("tools/list", ""), ("tools/call", "test_simple_text")]
)
def test_a_modern_request_is_answered_with_json(browser: Browser, method: str, name: str) -> None:
    reply = browser.modern(method, name=name)
    assert (reply.status, reply.headers["Content-Type"]) == (200, "application/json")
    assert "result" in body(reply)
    assert names.SESSION_ID not in reply.headers


@pytest.mark.parametrize("header", [names.PROTOCOL_VERSION, names.METHOD, names.NAME])
def test_a_missing_header_is_a_mismatch(browser: Browser, header: str) -> None:
    reply = browser.modern("tools/call", name="test_simple_text", drop=header)
    assert verdict(reply) == (400, HEADER_MISMATCH)
    assert body(reply)["id"] == 1


@pytest.mark.parametrize(
    "headers",
    [
        {names.PROTOCOL_VERSION: "2025-11-25"},
        {names.PROTOCOL_VERSION: "1900-01-01"},
        {names.METHOD: "tools/list"},
        {names.METHOD: "TOOLS/CALL"},
        {names.NAME: "test_image_content"},
        {names.NAME: "TEST_SIMPLE_TEXT"},
        {names.NAME: "=?base64?%%%?="},
        {names.NAME: "tést"},
    ],
)
def test_a_header_that_differs_is_a_mismatch(browser: Browser, headers: dict[str, str]) -> None:
    assert verdict(browser.modern("tools/call", name="test_simple_text", headers=headers)) == (
        400,
        HEADER_MISMATCH,
    )


def test_an_encoded_name_is_decoded(browser: Browser) -> None:
    encoded = {names.NAME: "=?base64?dGVzdF9zaW1wbGVfdGV4dA==?="}
    assert browser.modern("tools/call", name="test_simple_text", headers=encoded).status == 200


def test_the_name_of_a_resource_is_its_uri(browser: Browser) -> None:
    uri = "test://static-text"
    for header, status in ((uri, 200), ("test://other", 400)):
        reply = browser.modern("resources/read", params={"uri": uri}, headers={names.NAME: header})
        assert reply.status == status


@pytest.mark.parametrize("method", ["ping", "initialize", "x/unknown"])
def test_an_unknown_method_is_not_found(browser: Browser, method: str) -> None:
    assert verdict(browser.modern(method)) == (404, METHOD_NOT_FOUND)


@pytest.mark.parametrize("method", ["tools/list", "x/unknown"])
@pytest.mark.parametrize("version", ["1900-01-01", "2025-06-18"])
def test_an_unsupported_version_is_a_bad_request(browser: Browser, method: str, version: str) -> None:
    assert verdict(browser.modern(method, version=version)) == (400, UNSUPPORTED_PROTOCOL_VERSION)


@pytest.mark.parametrize("params", [{}, {"_meta": {}}, {"_meta": {meta.PROTOCOL_VERSION: VERSION}}])
@pytest.mark.parametrize("method", ["tools/list", "initialize", "ping"])
def test_missing_metadata_is_a_bad_request(browser: Browser, method: str, params: dict[str, Any]) -> None:
    headers = {names.PROTOCOL_VERSION: VERSION, names.METHOD: method}
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    assert verdict(browser.send("POST", request, headers)) == (400, INVALID_PARAMS)


def test_a_made_up_session_is_ignored(browser: Browser) -> None:
    assert browser.modern("tools/list", headers={names.SESSION_ID: "made-up"}).status == 200


@pytest.mark.parametrize(
    ("message", "status"),
    [
        (NOTE, 202),
        ({**NOTE, "params": "text"}, 400),
        ({"jsonrpc": "2.0", "id": 3, "result": {}}, 400),
        ({"jsonrpc": "2.0"}, 400),
    ],
)
def test_what_is_no_request_has_only_a_status(browser: Browser, message: Any, status: int) -> None:
    reply = browser.send("POST", message, {names.PROTOCOL_VERSION: VERSION})
    assert reply.status == status
    assert reply.chunks == () if status == 202 else "id" not in body(reply)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
@pytest.mark.parametrize("headers", [{}, {names.PROTOCOL_VERSION: VERSION, names.SESSION_ID: "made-up"}])
def test_there_is_only_post(browser: Browser, method: str, headers: dict[str, str]) -> None:
    assert browser.send(method, b"", headers).status == 405


# Legacy sessions.


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2024-11-05"])
def test_initialize_mints_a_session_that_serves(browser: Browser, version: str) -> None:
    reply = browser.initialize(version)
    assert body(reply)["result"]["protocolVersion"] == version
    assert browser.send("POST", NOTE, browser.session).status == 202
    assert "tools" in body(browser.legacy("tools/list"))["result"]


def test_sessions_are_apart(browser: Browser) -> None:
    first = browser.initialize().headers[names.SESSION_ID]
    assert first != browser.initialize("2024-11-05").headers[names.SESSION_ID]
    old = browser.legacy("tools/list", headers={})
    new = browser.legacy("tools/list", headers={names.SESSION_ID: first})
    assert "annotations" not in body(old)["result"]["tools"][0]
    assert "annotations" in body(new)["result"]["tools"][0]


def test_a_refused_initialize_mints_nothing(browser: Browser) -> None:
    assert names.SESSION_ID not in browser.legacy("initialize", {"protocolVersion": 1}).headers


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
@pytest.mark.parametrize("version", ["1999-01-01", "bogus", "", "2025-03-26"])
def test_a_version_that_is_not_spoken_is_a_bad_request(browser: Browser, method: str, version: str) -> None:
    browser.initialize()
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {**browser.session, names.PROTOCOL_VERSION: version}
    assert browser.send(method, ping, headers).status == 400


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_a_request_outside_of_sessions_is_a_bad_request(browser: Browser, method: str) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert browser.send(method, ping, {names.PROTOCOL_VERSION: "2025-11-25"}).status == 400


def test_without_the_version_header_the_session_decides(browser: Browser) -> None:
    browser.initialize()
    del browser.session[names.PROTOCOL_VERSION]
    assert browser.legacy("tools/list").status == 200


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_a_session_that_ended_is_not_found(browser: Browser, method: str) -> None:
    browser.initialize()
    assert browser.send("GET", b"", browser.session).status == 405
    assert browser.send("DELETE", b"", browser.session).status == 204
    assert browser.send(method, NOTE, browser.session).status == 404


def test_an_unknown_method_is_an_answer_like_any_other(browser: Browser) -> None:
    browser.initialize()
    assert verdict(browser.legacy("x/unknown")) == (200, METHOD_NOT_FOUND)


@pytest.mark.parametrize("message", [{**NOTE, "params": "text"}, {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "result": {}}])
def test_a_malformed_message_is_a_bad_request(browser: Browser, message: Any) -> None:
    browser.initialize()
    assert browser.send("POST", message, browser.session).status == 400


def test_a_posted_response_is_accepted(browser: Browser) -> None:
    browser.initialize()
    assert browser.send("POST", {"jsonrpc": "2.0", "id": 3, "result": {}}, browser.session).status == 202


# Streams.


def test_progress_comes_on_a_stream(browser: Browser) -> None:
    reply = browser.modern(
        "tools/call", name="test_tool_with_progress", params={"_meta": {**META, "progressToken": "p"}}
    )
    assert (reply.headers["Content-Type"], reply.headers["X-Accel-Buffering"]) == ("text/event-stream", "no")
    assert len(reply.chunks) == 4
    assert b'"result"' in reply.chunks[-1]


@pytest.mark.parametrize(("version", "events"), [("2025-11-25", 5), ("2025-06-18", 4)])
def test_only_the_newest_legacy_revision_primes_its_streams(browser: Browser, version: str, events: int) -> None:
    browser.initialize(version)
    assert len(browser.legacy("tools/call", PROGRESS).chunks) == events


def test_a_primed_stream_can_be_taken_up_again(browser: Browser) -> None:
    browser.initialize()
    priming, *rest = browser.legacy("tools/call", PROGRESS).chunks
    (event_id,) = [line[4:] for line in priming.decode().splitlines() if line.startswith("id: ")]
    again = browser.send("GET", b"", {**browser.session, names.LAST_EVENT_ID: event_id})
    assert list(again.chunks) == rest


def test_a_front_told_to_stream_streams_results_but_not_errors() -> None:
    browser = Browser("sse")
    assert browser.modern("tools/list").headers["Content-Type"] == "text/event-stream"
    assert browser.modern("x/unknown").headers["Content-Type"] == "application/json"
    assert browser.initialize().headers["Content-Type"] == "text/event-stream"
