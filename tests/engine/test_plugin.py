"""The pytest side: what users of pytest expect of options, folders, workers, reports and exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SERVE = f"{sys.executable} -m mcprove_reference serve"


@pytest.fixture
def run_pytest(tmp_path: Path):
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=os.environ)

    return run


def test_a_command_is_judged_from_any_folder_by_the_installed_suites(run_pytest) -> None:
    ended = run_pytest("--server-cmd", SERVE, "-k", "test_ping")
    assert ended.returncode == 0
    assert "lanes: stdio-2026-07-28, stdio-2025-11-25, stdio-2025-06-18, stdio-2024-11-05" in ended.stdout


def test_the_configuration_of_the_folder_applies_to_pytest(run_pytest, tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -k test_ping --junitxml=out.xml\n", "utf-8")
    assert run_pytest("--server-cmd", SERVE).returncode == 0
    assert (tmp_path / "out.xml").exists()


def test_our_own_command_ignores_what_lies_around(mcprove, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("raise RuntimeError('not mine')\n", "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n", "utf-8")
    assert mcprove("-k", "test_ping", "--", *SERVE.split()).status == 0


def test_a_run_of_somebody_else_shows_nothing_of_ours(run_pytest, tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("def test_one():\n    pass\n", "utf-8")
    ended = run_pytest("test_one.py")
    assert ended.returncode == 0
    assert "mcprove:" not in ended.stdout
    assert "lanes" not in ended.stdout


def rows(events: list[dict[str, object]]) -> list[tuple[object, ...]]:
    finished = [event for event in events if event["event"] == "check-finished"]
    return sorted((event["check"], event["lane"], event["verdict"], event["expected"]) for event in finished)


def test_workers_give_the_same_verdicts(mcprove) -> None:
    one = mcprove("-n", "0", "-k", "test_ping or test_version", "--fault", "version.wrong-code")
    two = mcprove("-n", "2", "-k", "test_ping or test_version", "--fault", "version.wrong-code")
    assert rows(one.events) == rows(two.events)
    assert one.status == two.status == 1


@pytest.mark.parametrize(("extra", "status"), [([], 0), (["--mcprove-strict"], 1)])
def test_a_warning_fails_only_a_strict_run(extra: list[str], status: int, mcprove) -> None:
    run = mcprove("--fault", "tools.order-alternates", "--lane=stdio-2026-07-28", *extra)
    assert "warn" in run.kinds
    assert "fail" not in run.kinds
    assert run.status == status


def test_junit_carries_requirement_level_lane_and_link(run_pytest, tmp_path: Path) -> None:
    run_pytest("--server-cmd", SERVE, "-k", "test_ping", "--junitxml=out.xml")
    cases = ET.parse(tmp_path / "out.xml").getroot().iter("testcase")
    kept = [{entry.get("name"): entry.get("value") for entry in case.iter("property")} for case in cases]
    assert kept
    assert all(entry.keys() == {"requirement", "level", "lane", "link"} for entry in kept)


def test_a_url_is_judged_that_was_launched_for_the_run(mcprove) -> None:
    words = ["--server-url", "http://127.0.0.1:{port}/mcp", "--server-launch", SERVE + " --http {port}"]
    run = mcprove(*words, "-k", "test_ping")
    assert run.status == 0
    assert run.lanes == ["http-2026-07-28", "http-2025-11-25", "http-2025-06-18", "http-2024-11-05"]


def test_a_url_where_nobody_listens_is_one_message(mcprove) -> None:
    run = mcprove("http://127.0.0.1:9/mcp")
    assert run.status == 5
    assert run.err.count("no revision judged here is spoken") == 1


def test_the_stream_is_framed_by_its_first_and_last_event(mcprove) -> None:
    run = mcprove("-k", "test_ping", "--", *SERVE.split())
    assert run.events[0]["event"] == "run-started"
    last = run.events[-1]
    assert (last["event"], last["exit"]) == ("run-finished", 0)
    assert sum(last["verdicts"].values()) == len(run.events) - 2


def test_a_violation_says_all_that_is_needed(mcprove) -> None:
    run = mcprove("--fault", "version.wrong-code", "--lane=http-2026-07-28", "-k", "test_version")
    for word in ("rule", "expected", "got", "exchange  --> POST", "spec      https://", "repeat    curl", "check"):
        assert f"  {word}" in run.out
    assert "assert" not in run.out


def test_a_target_named_twice_is_a_usage_error(mcprove) -> None:
    assert mcprove("http://127.0.0.1:9/mcp", "--", "true").status == 4
