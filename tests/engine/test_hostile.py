"""Targets that are broken or hostile: one clear message, bounds kept, nothing left running."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

QUICK = ("--mcprove-timeout=1", "--mcprove-start-timeout=3")

DEAD = {
    "exits": ("exit status 3", "cannot find its configuration"),
    "silent": ("no answer within 3 s",),
    "floods": ("flooded its output",),
    "endless_line": ("no answer",),
    "content_length": ("Content-Length headers, the framing of the Language Server Protocol",),
    "pretty_printed": ("messages spread over several lines",),
    "closes_in_the_middle": ("closed its output (exit status 0)",),
}


@pytest.mark.parametrize("name", DEAD)
def test_a_target_that_cannot_be_judged_is_one_message(name: str, mcprove, miniature) -> None:
    run = mcprove(*QUICK, *miniature(name))
    assert run.status == 5
    assert run.err.count("no revision judged here is spoken") == 1
    assert all(words in run.err for words in DEAD[name])
    assert "Traceback" not in run.out + run.err


@pytest.mark.parametrize("name", ["healthy", "mute_on_discover", "dies_on_discover", "invalid_utf8", "grandchild"])
def test_lanes_are_found_whatever_the_probe_meets(name: str, mcprove, miniature) -> None:
    run = mcprove(*QUICK, "-k", "test_ping", *miniature(name))
    assert run.lanes == ["stdio-2025-11-25", "stdio-2025-06-18", "stdio-2024-11-05"]


def test_nothing_is_left_running(mcprove, miniature, tmp_path: Path) -> None:
    told = tmp_path / "children"
    mcprove(*QUICK, "-k", "test_ping", "--server-env", f"CHILDREN={told}", *miniature("grandchild"))
    children = told.read_text("ascii").split()
    assert children
    assert [child for child in children if is_running(child)] == []


def is_running(process: str) -> bool:
    """Return whether a process exists and is no zombie that nobody has collected yet."""
    state = subprocess.run(["ps", "-o", "state=", "-p", process], capture_output=True, text=True, check=False).stdout
    return state.strip() not in ("", "Z")


def test_a_target_that_answers_too_late_passes_nothing_by_silence(mcprove, miniature) -> None:
    run = mcprove("--mcprove-timeout=0.2", "--mcprove-start-timeout=3", "-k", "test_ping", *miniature("answers_late"))
    assert "pass" not in run.verdicts("ping.reply-empty")
    assert run.status == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--server-cmd", "no-such-command"], "--server-cmd: there is no command 'no-such-command'"),
        (["--server-cmd", "a 'b"], "--server-cmd: No closing quotation"),
        (["--server-url", "ftp://x"], "--server-url: not an http or https address: ftp://x"),
        (["--server-header", "A: b"], "--server-header: there is no --server-cmd or --server-url"),
        (["--server-url", "http://x", "--server-header", "nonsense"], "--server-header: not of the form 'Name: value'"),
        (["--server-url", "http://x", "--server-header", "A: ${NOT_SET_HERE}"], "no variable NOT_SET_HERE"),
        (["--server-cmd", "true", "--server-env", "x"], "--server-env: not of the form NAME=value"),
        (["--server-cmd", "true", "--server-cwd", "/no/such"], "--server-cwd: there is no folder /no/such"),
        (["--lane", "carrier-pigeon"], "--lane: 'carrier-pigeon' is no lane"),
        (["--fault", "no.such-fault"], "no.such-fault"),
    ],
)
def test_bad_input_is_one_error_before_anything_starts(words: list[str], message: str, mcprove) -> None:
    run = mcprove(*words)
    assert run.status == 4
    assert message in run.err
    assert "Traceback" not in run.out + run.err


def test_a_launched_server_that_ends_is_one_message(mcprove) -> None:
    launch = f"{sys.executable} -c \"print('no licence'); raise SystemExit(7)\""
    run = mcprove("--server-url", "http://127.0.0.1:{port}/mcp", "--server-launch", launch)
    assert run.status == 5
    assert "exit status 7" in run.err
    assert "no licence" in run.err


def test_secrets_show_nowhere(mcprove, miniature, tmp_path: Path) -> None:
    words = [*QUICK, "--server-env", "API_TOKEN=${SECRET_OF_MINE}", *miniature("tells_its_environment")]
    run = mcprove(*words, env={"SECRET_OF_MINE": "hunter2hunter2"})
    written = (tmp_path / "run.jsonl").read_text("utf-8")
    assert run.status == 1
    assert "${SECRET_OF_MINE}" in written
    assert "hunter2hunter2" not in run.out + run.err + written


def test_escape_sequences_of_a_target_do_not_reach_the_terminal(mcprove, miniature) -> None:
    run = mcprove(*QUICK, *miniature("colourful"), env={"NO_COLOR": "1"})
    assert "\x1b" not in run.out + run.err
    assert "[31mred" in run.out
