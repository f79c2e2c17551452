"""Servers that keep the protocol in one of the ways that it leaves open: none of them is alarmed about."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mcprove_reports.stream import read

ALARMS = {"fail", "warn", "error"}
MINIATURES = Path(__file__).parent / "engine" / "http_miniatures.py"
SERVE = f"{sys.executable} -m mcprove_reference serve"


@pytest.fixture
def judge(tmp_path):
    """Return a function that judges a target and gives back the exit status and the kinds of verdicts."""

    def run(*words: str) -> tuple[int, set[object]]:
        report = tmp_path / "run.jsonl"
        command = [sys.executable, "-m", "mcprove.cli", "run", f"--mcprove-report={report}", *words]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        assert report.exists(), finished.stdout + finished.stderr
        return finished.returncode, {event["verdict"] for event in read(report) if event["event"] == "check-finished"}

    return run


@pytest.mark.parametrize("lineage", ["modern", "legacy"])
def test_a_server_of_one_lineage_is_clean_over_stdio(judge, lineage: str) -> None:
    status, verdicts = judge("--server-cmd", f"{SERVE} --lineage {lineage}")
    assert status == 0
    assert verdicts.isdisjoint(ALARMS)


def test_a_process_may_turn_to_the_legacy_lineage_for_good(judge) -> None:
    turning = Path(__file__).parent / "engine" / "turning_server.py"
    status, verdicts = judge("--server-cmd", f"{sys.executable} {turning}", "--lane=stdio-2026-07-28")
    assert status == 0
    assert verdicts.isdisjoint(ALARMS)


@pytest.mark.parametrize("lineage", ["modern", "legacy"])
def test_a_server_of_one_lineage_is_clean_over_http(judge, lineage: str) -> None:
    launch = f"{SERVE} --lineage {lineage} --http {{port}}"
    status, verdicts = judge("--server-url", "http://127.0.0.1:{port}/mcp", "--server-launch", launch)
    assert status == 0
    assert verdicts.isdisjoint(ALARMS)


def test_a_server_that_streams_every_answer_is_clean(judge) -> None:
    launch = f"{SERVE} --answers sse --http {{port}}"
    status, verdicts = judge("--server-url", "http://127.0.0.1:{port}/mcp", "--server-launch", launch)
    assert status == 0
    assert verdicts.isdisjoint(ALARMS)


def test_streams_need_no_first_id_for_clients_that_send_no_version(judge) -> None:
    launch = f"{sys.executable} {MINIATURES} PrimesByHeader {{port}}"
    words = ("--server-url", "http://127.0.0.1:{port}/mcp", "--server-launch", launch, "--lane=http-2025-11-25")
    _, verdicts = judge(*words, "-k", "test_http_streams or test_serves_a_session_without_the_version_header")
    assert "pass" in verdicts
    assert verdicts.isdisjoint(ALARMS)
