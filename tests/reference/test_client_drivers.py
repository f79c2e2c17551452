import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from mcprove_reference import client_drive
from mcprove_reference.client import Client
from mcprove_reference.client_http import HttpDriver
from mcprove_reference.client_stdio import StdioDriver
from mcprove_reference.client_steps import Unusable
from mcprove_reference.client_tools import Report, Visit

DISCOVERED = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
NEGOTIATED = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
TOOLS = {"tools": [{"name": "plain", "inputSchema": {"type": "object"}}]}
CALLED = {"content": [{"type": "text", "text": "hi"}]}
RESULTS = {"server/discover": DISCOVERED, "initialize": NEGOTIATED, "tools/list": TOOLS, "tools/call": CALLED}
LEGACY_SEQUENCE = ["initialize", "notifications/initialized", "tools/list", "tools/call"]


def visit(client: Client, driver: Any) -> Report:
    notes: list[str] = []
    return anyio.run(partial(client_drive.run, Visit(client).talk(), driver, notes.append))


@pytest.mark.parametrize("driver", [StdioDriver(Client(), ["x"]), HttpDriver(Client(), "http://x/")])
def test_each_rule_is_one_method_of_one_part(driver: Any) -> None:
    parts = (*Visit(driver.client).parts(), *driver.parts())
    names = [name for part in parts for name, member in vars(type(part)).items() if callable(member)]
    names = [name for name in names if not name.startswith("__") and name != "parts"]
    assert sorted(names) == sorted(set(names))


# Over stdio, each server a script of its own.

PRELUDE = f"""
import json, os, signal, sys, time
RESULTS = {RESULTS!r}
def say(message): sys.stdout.write(json.dumps(message) + "\\n"); sys.stdout.flush()
def result(m): say({{"jsonrpc": "2.0", "id": m["id"], "result": RESULTS[m["method"]]}})
def error(m, code): say({{"jsonrpc": "2.0", "id": m["id"], "error": {{"code": code, "message": "no"}}}})
def note(pid): open(os.path.join(os.path.dirname(__file__), "pid"), "w").write(str(pid))
messages = (json.loads(line) for line in sys.stdin)
"""


class _Script:
    """A server on stdio in a few lines of Python, and what it has heard."""

    def __init__(self, folder: Path, text: str) -> None:
        self.file, self.log = folder / "server.py", folder / "heard"
        self.file.write_text(f"{PRELUDE}\nlog = open({str(self.log)!r}, 'a')\n{text}")

    def visit(self, **options: Any) -> Report:
        client = Client(**options)
        return visit(client, StdioDriver(client, [sys.executable, "-S", str(self.file)]))

    @property
    def heard(self) -> list[str]:
        return self.log.read_text().split()

    @property
    def noted(self) -> int:
        return int(self.file.with_name("pid").read_text())


LOGGING = """
for m in messages:
    print(m.get("method", "reply"), file=log, flush=True)
    if "method" not in m or "id" not in m: continue
"""
CHATTY = """
    sys.stderr.write("not an error\\n" * 20000)
    sys.stdout.write("no JSON\\n\\n[1]\\n")
    say({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}})
    say({"jsonrpc": "2.0", "id": str(m["id"]), "result": {}})
    say({"jsonrpc": "2.0", "id": 999, "error": {"code": 1, "message": "stray"}})
    result(m)
    say({"jsonrpc": "2.0", "id": m["id"], "result": {"late": True}})
"""


def test_stdio_hears_its_answer_through_all_that_is_said(tmp_path: Path) -> None:
    assert _Script(tmp_path, LOGGING + CHATTY).visit().call == "plain: ok: hi"


def test_stdio_initializes_when_the_probe_stays_unanswered(tmp_path: Path) -> None:
    server = _Script(tmp_path, LOGGING + "    if m['method'] != 'server/discover': result(m)\n")
    assert str(server.visit(probe_patience=0.2).terms.revision) == "2025-11-25"
    assert server.heard == ["server/discover", *LEGACY_SEQUENCE]


def test_stdio_ignores_an_answer_to_the_probe_that_comes_late(tmp_path: Path) -> None:
    late = """
    if m["method"] == "server/discover": probe = m; continue
    if m["method"] == "initialize": result(probe)
    result(m)
"""
    assert str(_Script(tmp_path, LOGGING + late).visit(probe_patience=0.2).terms.revision) == "2025-11-25"


def test_stdio_starts_a_server_again_that_exits_at_the_probe(tmp_path: Path) -> None:
    server = _Script(tmp_path, LOGGING + "    if m['method'] == 'server/discover': sys.exit(1)\n    result(m)\n")
    assert server.visit().call == "plain: ok: hi"
    assert server.heard == ["server/discover", *LEGACY_SEQUENCE]


def test_stdio_answers_the_pings_of_a_legacy_server(tmp_path: Path) -> None:
    pinging = """
    if m["method"] == "server/discover": error(m, -32601); continue
    say({"jsonrpc": "2.0", "id": "p", "method": "ping"})
    reply = next(messages)
    while "method" in reply: reply = next(messages)
    assert reply == {"jsonrpc": "2.0", "id": "p", "result": {}}, reply
    result(m)
"""
    assert _Script(tmp_path, LOGGING + pinging).visit().call == "plain: ok: hi"


def test_stdio_reports_the_exit_status_and_the_last_words(tmp_path: Path) -> None:
    server = _Script(tmp_path, "sys.stderr.write('no \\x1b[31mkey\\n'); sys.exit(3)")
    with pytest.raises(Unusable, match=r"exited with status 3, having written to stderr: no \\x1b\[31mkey"):
        server.visit()


def test_stdio_reports_a_command_that_cannot_be_run() -> None:
    client = Client()
    with pytest.raises(Unusable, match="cannot start /no/such/command: No such file"):
        visit(client, StdioDriver(client, ["/no/such/command"]))


def test_stdio_refuses_a_line_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcprove_reference.client_stdio.LINE_LIMIT", 1000)
    with pytest.raises(Unusable, match="a line of over 1000 bytes"):
        _Script(tmp_path, "sys.stdout.write('x' * 5000); sys.stdout.flush(); next(messages); next(messages)").visit()


def is_running(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


EXIT = "print('exit', file=log)"
TERM = "signal.signal(signal.SIGTERM, lambda *_: sys.exit(print('term', file=log)))\nsignal.pause()"
KILL = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(60)"


@pytest.mark.parametrize(("ending", "heard"), [(EXIT, "exit"), (TERM, "term"), (KILL, "tools/call")])
def test_stdio_leaves_no_server_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, heard: str
) -> None:
    monkeypatch.setattr("mcprove_reference.client_stdio.GRACE", 1.0)
    server = _Script(tmp_path, f"note(os.getpid())\n{LOGGING}    result(m)\n{ending}")
    server.visit()
    assert server.heard[-1] == heard
    assert not is_running(server.noted)


def test_stdio_leaves_no_child_of_the_server_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcprove_reference.client_stdio.GRACE", 1.0)
    fork = "child = os.fork()\nif not child: time.sleep(60)\nnote(child)\n"
    server = _Script(tmp_path, f"{fork}{LOGGING}    result(m)\n")
    assert server.visit().tools == ("plain",)
    limit = time.monotonic() + 5
    while is_running(server.noted) and time.monotonic() < limit:
        pass
    assert not is_running(server.noted)


def test_a_signal_ends_the_server_as_well(tmp_path: Path) -> None:
    server = _Script(tmp_path, f"os.kill({os.getpid()}, signal.SIGTERM)\n" + LOGGING)
    with pytest.raises(Unusable, match="interrupted"):
        server.visit()
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


# Over HTTP, each server a function from a request to a response.

SSE = {"Content-Type": "text/event-stream; charset=utf-8"}


class _Endpoint:
    """A server behind a URL, and what it has heard."""

    def __init__(self, respond: Callable[[httpx.Request, dict[str, Any]], httpx.Response | None]) -> None:
        self.respond = respond
        self.requests: list[httpx.Request] = []
        self.client = Client(patience=5, over_http=True)

    def visit(self) -> Report:
        return visit(self.client, HttpDriver(self.client, "http://server/mcp", httpx.MockTransport(self.handle)))

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        message = json.loads(request.content) if request.content else {}
        return self.respond(request, message) or self.usual(message)

    def usual(self, message: dict[str, Any]) -> httpx.Response:
        if "id" not in message or "method" not in message:
            return httpx.Response(202)
        return httpx.Response(200, json=result(message))

    @property
    def heard(self) -> list[str]:
        return [
            json.loads(request.content).get("method", "reply") if request.content else request.method
            for request in self.requests
        ]


def result(message: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message["id"], "result": RESULTS[message["method"]]}


def error(message: dict[str, Any], code: int, **data: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": "no", "data": data}}


def event(value: Any) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def test_http_reads_answers_of_one_object() -> None:
    server = _Endpoint(lambda request, message: None)
    assert server.visit().call == "plain: ok: hi"
    assert server.heard == ["server/discover", "tools/list", "tools/call"]
    assert [request.headers["Mcp-Method"] for request in server.requests] == server.heard
    assert server.requests[-1].headers["Mcp-Name"] == "plain"


def test_http_reads_answers_in_a_stream_and_does_not_wait_for_its_end() -> None:
    async def stream(message: dict[str, Any]) -> AsyncIterator[bytes]:
        yield b": keep-alive\n\n" + event({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}})
        yield event({"jsonrpc": "2.0", "id": "stray", "result": {}}) + event(result(message))
        await anyio.sleep_forever()

    server = _Endpoint(lambda request, message: httpx.Response(200, headers=SSE, content=stream(message)))
    assert server.visit().call == "plain: ok: hi"


@pytest.mark.parametrize("body", [b"", b"<html>", b"null", b'{"error":"invalid"}', b'{"jsonrpc":"2.0","result":{}}'])
@pytest.mark.parametrize("status", [400, 404, 405, 406, 200])
def test_http_initializes_when_the_probe_is_not_understood(status: int, body: bytes) -> None:
    def respond(request: httpx.Request, message: dict[str, Any]) -> httpx.Response | None:
        return httpx.Response(status, content=body) if message["method"] == "server/discover" else None

    server = _Endpoint(respond)
    assert str(server.visit().terms.revision) == "2025-11-25"
    assert server.heard == ["server/discover", *LEGACY_SEQUENCE]


@pytest.mark.parametrize("request_id", [1, None, "server-error", "absent"])
def test_http_takes_an_error_status_with_an_error_of_whatever_id(request_id: Any) -> None:
    def respond(request: httpx.Request, message: dict[str, Any]) -> httpx.Response | None:
        refusal = {**error(message, -32022, supported=["2026-07-28"]), "id": request_id}
        if request_id == "absent":
            del refusal["id"]
        return httpx.Response(400, json=refusal) if len(server.requests) == 1 else None

    server = _Endpoint(respond)
    assert server.visit().call == "plain: ok: hi"
    assert server.heard[:2] == ["server/discover", "server/discover"]


@pytest.mark.parametrize("status", [401, 403])
def test_http_does_not_take_a_demand_for_authorization_for_a_lineage(status: int) -> None:
    server = _Endpoint(lambda request, message: httpx.Response(status))
    with pytest.raises(Unusable, match=f"server/discover was answered with HTTP status {status}"):
        server.visit()
    assert server.heard == ["server/discover"]


def test_http_does_not_take_a_network_failure_for_a_lineage() -> None:
    def respond(request: httpx.Request, message: dict[str, Any]) -> httpx.Response:
        raise httpx.ConnectError("refused")

    server = _Endpoint(respond)
    with pytest.raises(Unusable, match="cannot reach http://server/mcp: refused"):
        server.visit()
    assert server.heard == ["server/discover"]


def test_http_stays_modern_when_a_method_is_unknown() -> None:
    def respond(request: httpx.Request, message: dict[str, Any]) -> httpx.Response | None:
        return httpx.Response(404, json=error(message, -32601)) if message["method"] == "tools/list" else None

    server = _Endpoint(respond)
    with pytest.raises(Unusable, match="tools/list was answered with error -32601"):
        server.visit()
    assert server.heard == ["server/discover", "tools/list"]


def legacy(request: httpx.Request, message: dict[str, Any]) -> httpx.Response | None:
    if message.get("method") == "server/discover":
        return httpx.Response(400)
    if message.get("method") == "initialize":
        return httpx.Response(200, headers={"mcp-session-id": "s1"}, json=result(message))
    return None


def test_http_keeps_the_session_and_ends_it() -> None:
    server = _Endpoint(legacy)
    assert server.visit().call == "plain: ok: hi"
    assert server.heard == ["server/discover", *LEGACY_SEQUENCE, "DELETE"]
    after = [(r.headers.get("Mcp-Session-Id"), r.headers.get("MCP-Protocol-Version")) for r in server.requests]
    assert after == [(None, "2026-07-28"), (None, None), *[("s1", "2025-11-25")] * 4]


@pytest.mark.parametrize("status", [404, 405])
def test_http_does_not_mind_a_session_that_cannot_be_ended(status: int) -> None:
    server = _Endpoint(lambda request, message: legacy(request, message) if message else httpx.Response(status))
    assert server.visit().call == "plain: ok: hi"


def test_http_begins_a_new_session_when_the_old_one_is_gone() -> None:
    def respond(request: httpx.Request, message: dict[str, Any]) -> httpx.Response | None:
        gone = message.get("method") == "tools/list" and server.heard.count("tools/list") == 1
        return httpx.Response(404) if gone else legacy(request, message)

    server = _Endpoint(respond)
    assert server.visit().call == "plain: ok: hi"
    assert server.heard == ["server/discover", *LEGACY_SEQUENCE[:3], *LEGACY_SEQUENCE, "DELETE"]
    assert "Mcp-Session-Id" not in server.requests[4].headers


def test_http_answers_a_request_that_comes_in_a_legacy_stream() -> None:
    def respond(request: httpx.Request, message: dict[str, Any]) -> httpx.Response | None:
        if message.get("method") != "tools/list":
            return legacy(request, message)
        ping = {"jsonrpc": "2.0", "id": 0, "method": "ping"}
        return httpx.Response(200, headers=SSE, content=event(ping) + event(result(message)))

    server = _Endpoint(respond)
    assert server.visit().call == "plain: ok: hi"
    reply = server.requests[server.heard.index("reply")]
    assert json.loads(reply.content) == {"jsonrpc": "2.0", "id": 0, "result": {}}
    assert reply.headers["Mcp-Session-Id"] == "s1"


def test_http_takes_up_a_legacy_stream_that_ended_early() -> None:
    asked: list[dict[str, Any]] = []

    def respond(request: httpx.Request, message: dict[str, Any]) -> httpx.Response | None:
        if request.method == "GET":
            return httpx.Response(200, headers=SSE, content=event(result(asked[0])))
        if message.get("method") != "tools/list":
            return legacy(request, message)
        asked.append(message)
        return httpx.Response(200, headers=SSE, content=b"id: e1\nretry: 10\ndata:\n\n")

    server = _Endpoint(respond)
    assert server.visit().call == "plain: ok: hi"
    resumption = server.requests[server.heard.index("GET")]
    assert (resumption.headers["Last-Event-ID"], resumption.headers["Accept"]) == ("e1", "text/event-stream")


def test_http_sends_a_modern_request_anew_when_its_stream_ended_early() -> None:
    def respond(request: httpx.Request, message: dict[str, Any]) -> httpx.Response | None:
        first = server.heard.count("tools/list") == 1 and message["method"] == "tools/list"
        return httpx.Response(200, headers=SSE, content=b"id: e1\ndata:\n\n") if first else None

    server = _Endpoint(respond)
    assert server.visit().call == "plain: ok: hi"
    assert server.heard == ["server/discover", "tools/list", "tools/list", "tools/call"]


def test_http_gives_up_on_a_request_that_is_not_answered_in_time() -> None:
    async def silence() -> AsyncIterator[bytes]:
        yield b":\n\n"
        await anyio.sleep_forever()

    def respond(request: httpx.Request, message: dict[str, Any]) -> httpx.Response | None:
        silent = message["method"] == "tools/list"
        return httpx.Response(200, headers=SSE, content=silence()) if silent else None

    server = _Endpoint(respond)
    server.client.patience = 0.1
    with pytest.raises(Unusable, match=r"tools/list got no answer: no answer within 0\.1 s"):
        server.visit()
    assert server.heard == ["server/discover", "tools/list"]


def test_http_refuses_a_body_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcprove_reference.client_http.BODY_LIMIT", 1000)
    with pytest.raises(Unusable, match="over 1000 bytes"):
        _Endpoint(lambda request, message: httpx.Response(200, content=b" " * 2000)).visit()
