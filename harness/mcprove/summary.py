"""What the terminal says: the target, the progress lane by lane, the violations in groups, a table of verdicts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from mcprove.judgement import explain
from mcprove.session import NOTHING_JUDGED, STATUS, survey_of, target_of, tester_of
from mcprove.text import show

if TYPE_CHECKING:
    from mcprove_reports.stream import StreamWriter

SHOWN = ("fail", "warn", "info", "error")
COLOURS = {"fail": "red", "error": "red", "warn": "yellow", "info": "cyan"}


class Recorder:
    """Collects every judgement in the process that the user watches, and shows what came of them."""

    def __init__(self, config: pytest.Config) -> None:
        """Take the configuration of the run."""
        self._config = config
        self._writer = _writer(config)
        self._lane: str | None = None
        self.judgements: list[dict[str, Any]] = []

    @pytest.hookimpl
    def pytest_report_header(self, config: pytest.Config) -> list[str]:
        """Say what is judged."""
        survey = survey_of(config)
        lanes = ", ".join(str(lane) for lane in survey.lanes)
        name = f"{target_of(config).name} ({show(survey.server, 80)})" if survey.server else target_of(config).name
        return [f"mcprove: {target_of(config).redact(name)}", f"lanes: {lanes}"]

    @pytest.hookimpl
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Say what is judged where pytest is told to be quiet and shows no header."""
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None and session.config.get_verbosity() < 0:
            for line in self.pytest_report_header(session.config):
                reporter.write_line(line)

    @pytest.hookimpl
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Begin the stream of events."""
        if self._writer:
            self._writer.begin(target_of(session.config), survey_of(session.config))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Begin a line of progress for each lane, where pytest prints no file names."""
        lane = nodeid.rpartition("[")[2].rstrip("]") if "[" in nodeid else None
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is None or self._config.get_verbosity() >= 0 or lane == self._lane or not _is_lane(lane):
            return
        reporter.ensure_newline() if self._lane is None else reporter.write_line("")
        self._lane = lane
        reporter.write(f"{lane:<17} ")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect a judgement."""
        if judgement := getattr(report, "mcprove", None):
            self.judgements.append(judgement)
            if self._writer:
                self._writer.check(judgement)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Say by the exit status whether anything was judged."""
        judged = any(judgement["verdict"] in ("pass", "fail", "warn", "info") for judgement in self.judgements)
        if self.judgements and not judged:
            session.exitstatus = NOTHING_JUDGED
        if self._writer:
            self._writer.finish(int(session.exitstatus))

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Show the violations, those alike as one, and the verdicts of each lane."""
        if not self.judgements:
            return
        for verdict in reversed(SHOWN):
            groups = group([found for found in self.judgements if found["verdict"] == verdict])
            if not groups:
                continue
            terminalreporter.write_sep("=", STATUS[verdict][2], **{COLOURS[verdict]: True})
            for first, lanes in groups:
                text = explain(first, lanes)
                title, _, rest = text.partition("\n")
                terminalreporter.write_line(title, bold=True, **{COLOURS[verdict]: True})
                terminalreporter.write_line(f"{rest}\n")
        terminalreporter.write_sep("=", "lanes")
        for line in table(self.judgements):
            terminalreporter.write_line(line)
        for line in unproven(self.judgements):
            terminalreporter.write_line(line)
        if not self._config.getoption("numprocesses", None):
            launches = tester_of(self._config).launches
            terminalreporter.write_line(f"{launches} process{'es' if launches != 1 else ''} of the target launched")


def _is_lane(text: str | None) -> bool:
    return bool(text) and str(text).startswith(("stdio-", "http-"))


def _writer(config: pytest.Config) -> StreamWriter | None:
    path = config.getoption("mcprove_report")
    if not path:
        return None
    from mcprove_reports.stream import StreamWriter

    try:
        return StreamWriter(path)
    except OSError as problem:
        raise pytest.UsageError(f"--mcprove-report: {path}: {problem.strerror}") from None


def group(judgements: list[dict[str, Any]]) -> list[tuple[dict[str, Any], list[str]]]:
    """Return judgements that say the same as one, each with the lanes it was found in."""
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for found in judgements:
        function = found["check"].partition("[")[0]
        groups.setdefault((found["requirement"], function, found["expected"] or ""), []).append(found)
    return [(alike[0], [found["lane"] for found in alike]) for _, alike in sorted(groups.items())]


def table(judgements: list[dict[str, Any]]) -> list[str]:
    """Return the number of verdicts of each kind in each lane, as aligned lines."""
    counts: dict[str, Counter[str]] = {}
    for found in judgements:
        counts.setdefault(found["lane"], Counter())[found["verdict"]] += 1
    columns = ["pass", "fail", "warn", "info", "n/a", "inconclusive"]
    columns += ["error"] if any(count["error"] for count in counts.values()) else []
    width = max(len(lane) for lane in counts)
    head = f"{'':<{width}}  " + "  ".join(f"{name:>6}" for name in columns)
    rows = [
        f"{lane:<{width}}  " + "  ".join(f"{count[name]:>{max(6, len(name))}}" for name in columns)
        for lane, count in counts.items()
    ]
    return [head, *rows]


def unproven(judgements: list[dict[str, Any]]) -> list[str]:
    """Return why each inconclusive check could not judge."""
    reasons = {(found["requirement"], found["lane"], found["actual"]) for found in judgements
               if found["verdict"] == "inconclusive"}  # fmt: skip
    return [f"inconclusive: {rule} ({lane}): {reason}" for rule, lane, reason in sorted(reasons)]
