"""The proof that checks work: each fault of the reference server is caught by exactly the requirements it names."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

import pytest

from mcprove.cli import main
from mcprove.lane import ALL_LANES
from mcprove_reference.faults import ALL
from mcprove_reports.stream import read

if TYPE_CHECKING:
    from pathlib import Path

    from mcprove_reference.faults import Fault


def judge(fault: Fault, folder: Path) -> list[dict[str, object]]:
    """Run the suites on the reference server with a fault, in the lanes where it shows; return the verdicts."""
    report = folder / "run.jsonl"
    lanes = [lane for lane in ALL_LANES if fault.transport in ("any", lane.transport)
             and (fault.revisions is None or lane.revision in fault.revisions)]  # fmt: skip
    chosen = [f"--lane={lane}" for lane in lanes] if len(lanes) < len(ALL_LANES) else []
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        main(["run", "--fault", fault.id, f"--mcprove-report={report}", "--mcprove-timeout=3", *chosen])
    assert report.exists(), said.getvalue()
    return [event for event in read(report) if event["event"] == "check-finished"]


def named(verdicts: list[dict[str, object]], *kinds: str) -> set[object]:
    return {found["requirement"] for found in verdicts if found["verdict"] in kinds}


@pytest.mark.parametrize("fault", ALL.values(), ids=lambda fault: fault.id)
def test_fault_is_caught_by_exactly_what_it_names(fault: Fault, tmp_path: Path) -> None:
    verdicts = judge(fault, tmp_path)
    assert named(verdicts, "fail", "warn", "error") <= set(fault.breaks)
    assert set(fault.breaks) <= named(verdicts, "fail", "warn", "info")
