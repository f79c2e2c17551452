"""The pytest side: options, lanes as parameters, verdicts as outcomes.

This module is imported by every pytest run on a machine that has mcprove installed, so that it and the two modules
of ours that it needs import the standard library and pytest only; the rest is loaded once a check or an option asks
for it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from mcprove.options import declare
from mcprove.session import (
    NOTHING_JUDGED,
    STATUS,
    is_active,
    is_worker,
    lanes_asked_for,
    lanes_to_judge,
    suites_folder,
    survey_of,
    target_of,
    tester_of,
)

if TYPE_CHECKING:
    from collections.abc import Generator

    from mcprove.check import Check
    from mcprove.lane import Lane
    from mcprove.probe import Probe
    from mcprove.spec.catalogue import Requirement
    from mcprove.summary import Recorder

JUDGEMENT = pytest.StashKey[dict[str, Any]]()
RECORDER = "mcprove-recorder"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options that name a target and say how to judge it."""
    declare(parser)


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
    lanes_asked_for(config)
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


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Find the lanes before anything is collected or any worker starts; without any there is nothing to run."""
    from mcprove.verdict import TargetError

    if not is_active(config) or is_worker(config) or config.option.help or config.option.version:
        return None
    try:
        if not lanes_to_judge(config):
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
    if check := _check(metafunc.function):
        lanes = check.lanes(_rule(check), lanes_to_judge(metafunc.config))
        metafunc.parametrize(check.probe, lanes, ids=str, indirect=True)


def _check(function: object) -> Check | None:
    """Return what a test function judges, None if it is no check; `mcprove.check` says how it comes to be one."""
    return getattr(function, "mcprove_check", None)


def _rule(check: Check) -> Requirement:
    from mcprove.spec.catalogue import catalogue

    if check.requirement not in catalogue():
        raise pytest.UsageError(f"a check names a requirement that does not exist: {check.requirement}")
    return catalogue()[check.requirement]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop checks that hold in no lane; let each lane run in one go, its closing checks last."""
    checks = [(item, check) for item in items if (check := _check(getattr(item, "function", None)))]
    if not checks:
        return
    order = {item: index for index, item in enumerate(items)}
    runs = [(_lane(item), check.last, order[item], item) for item, check in checks if _lane(item)]
    place = {str(lane): index for index, lane in enumerate(survey_of(config).lanes)}
    runs.sort(key=lambda run: (place[str(run[0])], *run[1:3]))
    if config.pluginmanager.has_plugin("xdist"):
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
    if check := _check(getattr(item, "function", None)):
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
