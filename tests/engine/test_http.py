"""Endpoints that are odd, broken or hostile."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

QUICK = ("--mcprove-timeout=1", "--mcprove-start-timeout=3", "-k", "test_ping")
LANES = ["http-2025-11-25", "http-2025-06-18", "http-2024-11-05"]


@pytest.fixture
def endpoint():
    def words(name: str) -> list[str]:
        launch = f"{sys.executable} {Path(__file__).with_name('http_miniatures.py')} {name} {{port}}"
        return ["--server-url", "http://127.0.0.1:{port}/mcp", "--server-launch", launch]

    return words


@pytest.mark.parametrize(
    "name", ["Healthy", "Redirects", "Streams", "LeavesStreamsOpen", "RefusesAnOldHeader", "OneAtATime"]
)
def test_what_is_odd_yet_legal_is_judged(name: str, mcprove, endpoint) -> None:
    run = mcprove(*QUICK, *endpoint(name))
    assert run.lanes == LANES
    assert run.kinds <= {"pass", "n/a"}
    assert "pass" in run.kinds


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("RedirectsAway", "HTTP 307"),
        ("EndlessBody", "over 16777216 bytes"),
        ("ClosesInTheMiddle", "RemoteProtocolError"),
        ("Silent", "no answer within 3 s"),
    ],
)
def test_what_cannot_be_judged_is_one_message(name: str, said: str, mcprove, endpoint) -> None:
    run = mcprove(*QUICK, *endpoint(name))
    assert run.status == 5
    assert run.err.count("no revision judged here is spoken") == 1
    assert said in run.err


def test_the_explanation_of_a_refusal_need_be_no_message(mcprove, endpoint) -> None:
    run = mcprove(*QUICK[:2], "-k", "test_messages_are_json_rpc or test_http_sessions", *endpoint("ExplainsInJson"))
    assert run.verdicts("http.get-sse-or-405") == {"pass"}
    assert run.verdicts("jsonrpc.envelope") == {"pass"}
