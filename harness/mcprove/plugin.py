"""The pytest side: options, lanes as parameters, verdicts as outcomes.

This module is imported by every pytest run on a machine that has mcprove installed, so it imports the standard
library and pytest only; the rest is loaded once a check or an option of ours asks for it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

    from mcprove.check import Check
    from mcprove.lane import Lane
    from mcprove.probe import Probe
    from mcprove.spec.catalogue import Requirement
    from mcprove.summary import Recorder
    from mcprove.survey import Survey
    from mcprove.target import Target
    from mcprove.tester import Tester

TARGET = pytest.StashKey["Target"]()
TESTER = pytest.StashKey["Tester"]()
JUDGEMENT = pytest.StashKey[dict[str, Any]]()
# The command-line front loads this: judge the reference server when no target is named.
FRONT = "mcprove.front"
NOTHING_JUDGED = 5
RECORDER = "mcprove-recorder"

STATUS = {
    "pass": ("passed", ".", "PASS"),
    "fail": ("fail", "F", "FAIL"),
    "warn": ("warn", "W", "WARN"),
    "info": ("info", "i", "INFO"),
    "n/a": ("n/a", "-", "N/A"),
    "inconclusive": ("inconclusive", "?", "INCONCLUSIVE"),
    "error": ("error", "E", "ERROR"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options that name a target and say how to judge it."""
    group = parser.getgroup("mcprove", "MCP conformance (mcprove)")
    group.addoption("--server-cmd", metavar="CMD", help="judge the MCP server that CMD starts, over stdio")
    group.addoption("--server-url", metavar="URL", help="judge the MCP server at URL, over Streamable HTTP")
    group.addoption("--server-launch", metavar="CMD", help="start CMD and wait until the port of --server-url is open; "
                    "{port} in both is replaced by a free port")  # fmt: skip
    group.addoption("--server-header", metavar="'K: V'", action="append", default=[], help="send this header to "
                    "--server-url; ${VAR} in it comes from the environment and never shows (repeatable)")  # fmt: skip
    group.addoption("--server-env", metavar="K=V", action="append", default=[], help="give the target's process this "
                    "variable; ${VAR} in it comes from the environment and never shows (repeatable)")  # fmt: skip
    group.addoption("--server-cwd", metavar="DIR", help="start the target's process in DIR")
    group.addoption("--allow-tool", metavar="NAME", action="append", default=[], help="let checks call this tool, "
                    "though it is neither marked read-only nor a diagnostic one (repeatable)")  # fmt: skip
    group.addoption("--fault", metavar="ID", help="judge the reference server with this fault")
    group.addoption("--lane", metavar="LANE", action="append", default=[], help="judge this lane only, such as "
                    "stdio-2025-11-25 (repeatable)")  # fmt: skip
    group.addoption(
        "--mcprove-timeout", metavar="S", type=float, default=10.0, help="seconds to wait for an answer (10)"
    )
    group.addoption("--mcprove-start-timeout", metavar="S", type=float, default=30.0, help="seconds to wait for the "
                    "target to start (30)")  # fmt: skip
    group.addoption("--mcprove-strict", action="store_true", help="let warnings fail the run")
    group.addoption("--mcprove-report", metavar="FILE", help="write every verdict to FILE, a JSON line each")


def is_worker(config: pytest.Config) -> bool:
    """Return whether this process is one of those among which xdist distributes the run."""
    return hasattr(config, "workerinput")


def is_active(config: pytest.Config) -> bool:
    """Return whether the user named a target, or called our own command."""
    named = any(config.getoption(name) for name in ("server_cmd", "server_url", "fault"))
    return bool(named or config.pluginmanager.has_plugin(FRONT))


def pytest_configure(config: pytest.Config) -> None:
    """Check what the user said before anything starts, and prepare to show verdicts."""
    if is_worker(config):
        return
    config.pluginmanager.register(_Doorman(config), "mcprove-doorman")
    orphans = [
        name for name in ("server_launch", "server_header", "server_env", "server_cwd") if config.getoption(name)
    ]
    if not is_active(config) and not orphans:
        return
    target_of(config)
    _parsed_lanes(config)
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(suites_folder())]
    if getattr(config.option, "dist", None) == "load":
        config.option.dist = "loadgroup"
    _show(config)


class _Doorman:
    """Lets the recorder in at the first verdict, where checks run among other tests and no target was named."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if getattr(report, "mcprove", None) and not self._config.pluginmanager.has_plugin(RECORDER):
            _show(self._config).pytest_runtest_logreport(report)


def _show(config: pytest.Config) -> Recorder:
    from mcprove.summary import Recorder

    recorder = Recorder(config)
    config.pluginmanager.register(recorder, RECORDER)
    return recorder


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
        transports = {lane.transport for lane in _parsed_lanes(config)}
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


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Find the lanes before anything is collected or any worker starts; without any there is nothing to run."""
    from mcprove.verdict import TargetError

    if not is_active(config) or is_worker(config) or config.option.help or config.option.version:
        return None
    try:
        if not _wanted(config):
            there = ", ".join(map(str, survey_of(config).lanes))
            raise TargetError(f"{target_of(config).name}: none of the lanes asked for is there; there are {there}")
    except TargetError as problem:
        sys.stderr.write(f"mcprove: {target_of(config).redact(str(problem))}\n")
        return NOTHING_JUDGED
    return None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the lanes to a worker, so that all collect the same; give up the connections that found them."""
    if is_active(node.config):
        node.workerinput["mcprove"] = survey_of(node.config).to_json()
        tester_of(node.config).release()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a check once in each lane in which its requirement holds."""
    from mcprove.check import check_of

    if check := check_of(metafunc.function):
        lanes = check.lanes(_rule(check), _wanted(metafunc.config))
        metafunc.parametrize(check.probe, lanes, ids=str, indirect=True)


def _rule(check: Check) -> Requirement:
    from mcprove.spec.catalogue import catalogue

    if check.requirement not in catalogue():
        raise pytest.UsageError(f"a check names a requirement that does not exist: {check.requirement}")
    return catalogue()[check.requirement]


def _parsed_lanes(config: pytest.Config) -> list[Lane]:
    from mcprove.lane import Lane

    try:
        return [Lane.parse(text) for text in config.getoption("lane")]
    except ValueError as problem:
        raise pytest.UsageError(f"--lane: {problem}") from None


def _wanted(config: pytest.Config) -> list[Lane]:
    chosen = _parsed_lanes(config)
    return [lane for lane in survey_of(config).lanes if not chosen or lane in chosen]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop checks that hold in no lane; let each lane run in one go, its closing checks last."""
    from mcprove.check import check_of

    checks = [(item, check) for item in items if (check := check_of(getattr(item, "function", None)))]
    if not checks:
        return
    order = {item: index for index, item in enumerate(items)}
    runs = [(_lane(item), check.last, order[item], item) for item, check in checks if _lane(item)]
    place = {str(lane): index for index, lane in enumerate(survey_of(config).lanes)}
    runs.sort(key=lambda run: (place[str(run[0])], *run[1:3]))
    for lane, *_, item in runs:
        item.add_marker(pytest.mark.xdist_group(str(lane)))
    ours = {item for item, _ in checks}
    items[:] = [*(item for *_, item in runs), *(item for item in items if item not in ours)]


def _lane(item: pytest.Item) -> Lane | None:
    from mcprove.lane import Lane

    callspec = getattr(item, "callspec", None)
    return next((value for value in callspec.params.values() if isinstance(value, Lane)), None) if callspec else None


def _probe(request: pytest.FixtureRequest) -> Probe:
    return tester_of(request.config).probe(request.param)


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Probe:
    """Give the probe of a lane of either lineage."""
    return _probe(request)


@pytest.fixture
def modern(request: pytest.FixtureRequest) -> Probe:
    """Give the probe of a lane of the modern lineage."""
    return _probe(request)


@pytest.fixture
def legacy(request: pytest.FixtureRequest) -> Probe:
    """Give the probe of a lane of the legacy lineage."""
    return _probe(request)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note what is about to be judged, in JUnit's properties too."""
    from mcprove.check import check_of

    if check := check_of(getattr(item, "function", None)):
        from mcprove.judgement import begin

        lane = _lane(item)
        assert lane is not None
        item.stash[JUDGEMENT] = begin(_rule(check), lane, item.nodeid)
        item.user_properties += [(key, item.stash[JUDGEMENT][key]) for key in ("requirement", "level", "lane", "link")]
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Turn what a check concluded into its verdict."""
    judgement = pyfuncitem.stash.get(JUDGEMENT, None)
    if judgement is None:
        return (yield)
    from mcprove.judgement import conclude

    try:
        yield
        judgement["verdict"] = "pass"
    except Exception as conclusion:
        if not conclude(judgement, conclusion, target_of(pyfuncitem.config).redact):
            raise
        _act_on(judgement, conclusion, strict=pyfuncitem.config.getoption("mcprove_strict"))
    return True


def _act_on(judgement: dict[str, Any], conclusion: Exception, *, strict: bool) -> None:
    verdict = judgement["verdict"]
    if verdict in ("n/a", "inconclusive"):
        pytest.skip(f"{verdict}: {judgement['actual']}")
    if verdict == "fail" or (verdict == "warn" and strict):
        raise conclusion


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Put the judgement on the report as plain data, which survives the way from a worker."""
    report = yield
    judgement = item.stash.get(JUDGEMENT, None)
    if judgement is None or (call.when != "call" and not call.excinfo):
        return report
    if judgement["verdict"] is None:
        from mcprove.judgement import break_off

        break_off(judgement, call.excinfo, target_of(item.config).redact)
    report.mcprove = {**judgement, "ms": round(call.duration * 1000, 1)}
    if report.outcome == "failed" and judgement["verdict"] in ("fail", "warn"):
        from mcprove.judgement import explain

        report.longrepr = explain(judgement)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Name verdicts by our own words."""
    judgement = getattr(report, "mcprove", None)
    return STATUS[judgement["verdict"]] if judgement else None
