"""Servers that keep the protocol in one of the ways that it leaves open: none of them is alarmed about."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mcprove_reports.stream import read

ALARMS = {"fail", "warn", "error"}
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


@pytest.mark.parametrize("lineage", ["modern", "legacy"])
def test_a_server_of_one_lineage_is_clean_over_http(judge, lineage: str) -> None:
    launch = f"{SERVE} --lineage {lineage} --http {{port}}"
    status, verdicts = judge("--server-url", "http://127.0.0.1:{port}/mcp", "--server-launch", launch)
    assert status == 0
    assert verdicts.isdisjoint(ALARMS)
