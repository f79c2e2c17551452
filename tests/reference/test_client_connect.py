import shlex
import subprocess
import sys
from collections.abc import Iterator

import pytest

from mcprove_reference import connect
from mcprove_reference.client_opening import Opening

SERVE = [sys.executable, "-m", "mcprove_reference", "serve"]
FOUND = [
    "lineage: modern",
    "revision: 2026-07-28",
    "server: mcprove-reference 0.1.0",
]


@pytest.fixture(params=["json", "sse"])
def endpoint(request: pytest.FixtureRequest) -> Iterator[str]:
    command = [*SERVE, "--http", "0", "--answers", request.param]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        yield process.stderr.readline().removeprefix("listening on ").strip()
        process.terminate()


def test_visits_the_reference_server_on_stdio(capsys: pytest.CaptureFixture[str]) -> None:
    assert connect.main(["--server-cmd", shlex.join(SERVE)]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[:3] == FOUND
    assert "test_simple_text" in lines[3]
    assert lines[4].startswith("call: test_audio_content: ok")
    assert "-> server/discover" in err


def test_visits_the_reference_server_over_http(endpoint: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--tool", "test_echo", "--arguments", '{"text": "Hello, 世界"}']
    assert connect.main(["--server-url", endpoint, *arguments]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:3] == FOUND
    assert out[4] == "call: test_echo: ok: Hello, 世界"


@pytest.fixture
def legacy_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Opening, "begin", Opening.initialize)


@pytest.mark.usefixtures("legacy_only")
def test_visits_the_reference_server_on_stdio_by_a_handshake(capsys: pytest.CaptureFixture[str]) -> None:
    assert connect.main(["--server-cmd", shlex.join(SERVE)]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["lineage: legacy", "revision: 2025-11-25"]


@pytest.mark.usefixtures("legacy_only")
def test_visits_the_reference_server_over_http_by_a_handshake(
    endpoint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert connect.main(["--server-url", endpoint, "--tool", "test_simple_text"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:2] == ["lineage: legacy", "revision: 2025-11-25"]
    assert out[4].startswith("call: test_simple_text: ok")


@pytest.mark.parametrize("arguments", [["--tool", "nope"], ["--tool", "nope", "--arguments", "{}"]])
def test_a_server_that_cannot_be_used_is_one_message(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert connect.main(["--server-cmd", shlex.join(SERVE), *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == "mcprove_reference connect: the server lists no tool of the name nope"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--server-cmd", ""],
        ["--server-cmd", "'"],
        ["--server-cmd", "x", "--server-url", "http://x/"],
        ["--server-cmd", "x", "--arguments", "{}"],
        ["--server-cmd", "x", "--tool", "t", "--arguments", "[]"],
        ["--server-cmd", "x", "--tool", "t", "--arguments", "{"],
        ["--server-cmd", "x", "--tool", "t", "--arguments", '{"a": NaN}'],
        ["--server-cmd", "x", "--timeout", "0"],
        ["--server-cmd", "x", "--timeout", "nan"],
        ["--server-cmd", "x", "--unknown"],
    ],
)
def test_a_wrong_use_exits_with_4(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        connect.main(arguments)
    assert end.value.code == 4
    assert capsys.readouterr().err.startswith("mcprove_reference connect: ")
