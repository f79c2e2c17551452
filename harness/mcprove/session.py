"""What belongs to one pytest run: its target, its tester and the lanes. Like the plugin, light to import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from mcprove.lane import Lane
    from mcprove.survey import Survey
    from mcprove.target import Target
    from mcprove.tester import Tester

TARGET = pytest.StashKey["Target"]()
TESTER = pytest.StashKey["Tester"]()
# The command-line front loads this: judge the reference server when no target is named.
FRONT = "mcprove.front"
# The exit status of a run that judged nothing.
NOTHING_JUDGED = 5
# What each verdict is to pytest: its category, its letter, its word.
STATUS = {
    "pass": ("passed", ".", "PASS"),
    "fail": ("fail", "F", "FAIL"),
    "warn": ("warn", "W", "WARN"),
    "info": ("info", "i", "INFO"),
    "n/a": ("n/a", "-", "N/A"),
    "inconclusive": ("inconclusive", "?", "INCONCLUSIVE"),
    "error": ("error", "E", "ERROR"),
}


def is_worker(config: pytest.Config) -> bool:
    """Return whether this process is one of those among which xdist distributes the run."""
    return hasattr(config, "workerinput")


def is_active(config: pytest.Config) -> bool:
    """Return whether the user named a target, or called our own command."""
    named = any(config.getoption(name) for name in ("server_cmd", "server_url", "fault"))
    return bool(named or config.pluginmanager.has_plugin(FRONT))


def suites_folder() -> Path:
    """Return where the installed suites are."""
    import mcprove_suites

    return Path(mcprove_suites.__path__[0])


def target_of(config: pytest.Config) -> Target:
    """Return the target that the options name, the reference server when they name none.

    Raises:
        pytest.UsageError: an option is not usable.

    """
    from mcprove.target import Options, resolve
    from mcprove.verdict import UsageError

    if TARGET not in config.stash:
        said = {name: config.getoption(f"server_{name}") for name in ("url", "launch", "env", "cwd")}
        command, headers = config.getoption("server_cmd"), config.getoption("server_header")
        try:
            config.stash[TARGET] = resolve(Options(command, headers=headers, fault=config.getoption("fault"), **said))
        except UsageError as problem:
            raise pytest.UsageError(str(problem)) from None
    return config.stash[TARGET]


def tester_of(config: pytest.Config) -> Tester:
    """Return the tester of this process, started when first asked for and closed at the end of the run."""
    from mcprove.survey import Survey
    from mcprove.tester import Tester

    if TESTER not in config.stash:
        timeout, start = config.getoption("mcprove_timeout"), config.getoption("mcprove_start_timeout")
        target, found = target_of(config), None
        if known := getattr(config, "workerinput", {}).get("mcprove"):
            found = Survey.from_json(known)
            target = target.at(found.url) if found.url else target
        transports = {lane.transport for lane in lanes_asked_for(config)}
        allowed = config.getoption("allow_tool")
        target = target.over(transports) if transports else target
        tester = Tester(target, timeout=timeout, start_timeout=start, allowed_tools=allowed)
        config.stash[TESTER] = tester.__enter__()
        config.add_cleanup(lambda: tester.__exit__(None, None, None))
        if found:
            tester.adopt(found)
    return config.stash[TESTER]


def survey_of(config: pytest.Config) -> Survey:
    """Return what the target speaks.

    Raises:
        TargetError: the target cannot be judged at all.

    """
    return tester_of(config).survey


def lanes_asked_for(config: pytest.Config) -> list[Lane]:
    """Return the lanes that the user named, none when all are meant.

    Raises:
        pytest.UsageError: something named is no lane.

    """
    from mcprove.lane import Lane

    try:
        return [Lane.parse(text) for text in config.getoption("lane")]
    except ValueError as problem:
        raise pytest.UsageError(f"--lane: {problem}") from None


def lanes_to_judge(config: pytest.Config) -> list[Lane]:
    """Return the lanes that are there and were not left out.

    Raises:
        TargetError: the target cannot be judged at all.

    """
    chosen = lanes_asked_for(config)
    return [lane for lane in survey_of(config).lanes if not chosen or lane in chosen]
