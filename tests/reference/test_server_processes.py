import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

SERVE = [sys.executable, "-m", "mcprove_reference", "serve"]
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
DISCOVER = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}}
HEADERS = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"}


def serve(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*SERVE, *arguments], input=stdin, capture_output=True, timeout=20, check=False)


def test_stdio_answers_each_line_and_exits_at_the_end_of_input() -> None:
    lines = [json.dumps(DISCOVER).encode(), b"", b"  \r", b"\xff", json.dumps({**DISCOVER, "id": "2"}).encode()]
    done = serve(stdin=b"\n".join(lines) + b"\n")
    answers = [json.loads(line) for line in done.stdout.split(b"\n")[:-1]]
    assert [answer.get("id") for answer in answers] == [1, None, "2"]
    assert answers[1]["error"]["code"] == -32700
    assert (done.returncode, done.stderr) == (0, b"")


def test_stdio_without_input_says_nothing() -> None:
    done = serve()
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_stdio_puts_text_with_line_breaks_on_one_line() -> None:
    params = {"_meta": META, "name": "test_echo", "arguments": {"text": "a\nb\u2028c"}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    done = serve(stdin=json.dumps(call).encode() + b"\n")
    assert done.stdout.count(b"\n") == 1
    assert json.loads(done.stdout)["result"]["content"][0]["text"] == "a\nb\u2028c"


def test_stdio_leaves_quietly_when_nobody_reads() -> None:
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        process.stdin.write((json.dumps(DISCOVER) + "\n").encode() * 3)
        process.stdin.close()
        assert process.wait(20) == 0
        assert process.stderr.read() == b""


@pytest.fixture
def endpoint(request: pytest.FixtureRequest) -> Iterator[str]:
    arguments = getattr(request, "param", [])
    with subprocess.Popen([*SERVE, "--http", "0", *arguments], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        said = process.stderr.readline()
        assert said.startswith("listening on http://127.0.0.1:")
        yield said.removeprefix("listening on ").strip()
        process.terminate()


def test_http_serves_both_lineages_on_one_endpoint(endpoint: str) -> None:
    with httpx.Client() as client:
        modern = client.post(endpoint, json=DISCOVER, headers=HEADERS)
        hello: dict[str, Any] = {"protocolVersion": "2025-06-18", "capabilities": {}}
        hello["clientInfo"] = {"name": "test", "version": "0"}
        legacy = client.post(endpoint, json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
        session = {"Mcp-Session-Id": legacy.headers["Mcp-Session-Id"]}
        note = client.post(endpoint, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=session)
        gone = [client.delete(endpoint, headers=session).status_code for _ in range(2)]
    assert modern.json()["result"]["supportedVersions"] == ["2026-07-28"]
    assert legacy.json()["result"]["protocolVersion"] == "2025-06-18"
    assert (note.status_code, note.content) == (202, b"")
    assert gone == [204, 404]


@pytest.mark.parametrize("endpoint", [["--answers", "sse"]], indirect=True)
def test_http_streams_when_told_to(endpoint: str) -> None:
    answer = httpx.post(endpoint, json=DISCOVER, headers=HEADERS)
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert answer.text.startswith("data: {")


@pytest.mark.parametrize("endpoint", [["--fault", "http.notification-200"]], indirect=True)
def test_http_shows_the_fault_it_is_started_with(endpoint: str) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert httpx.post(endpoint, json=note, headers=HEADERS).status_code == 200


def test_stdio_shows_the_fault_it_is_started_with() -> None:
    done = serve("--fault", "stdio.carriage-return", stdin=json.dumps(DISCOVER).encode() + b"\n")
    assert done.stdout.endswith(b"}\r\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--fault", "no.such-fault"], b"unknown fault: no.such-fault"),
        (["--fault", "http.any-origin"], b"shows only on http"),
        (["--http", "99999"], b"cannot listen on port 99999"),
        (["--http", "many"], b"invalid int value"),
        (["--no-such-option"], b"unrecognized arguments"),
    ],
)
def test_a_wrong_use_is_one_line_and_status_4(arguments: list[str], complaint: bytes) -> None:
    done = serve(*arguments)
    assert done.returncode == 4
    assert complaint in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_the_faults_are_listed_as_json() -> None:
    rows = json.loads(serve("--list-faults", "--format", "json").stdout)
    assert {"id", "breaks", "says", "transport", "revisions", "run"} == set(rows[0])
