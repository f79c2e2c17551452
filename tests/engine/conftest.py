"""What the tests of the engine share: running our command, and the miniatures as targets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

MINIATURES = Path(__file__).with_name("miniatures.py")


@dataclass(frozen=True)
class Run:
    """A finished run of ``mcprove run``."""

    status: int
    out: str
    err: str
    events: list[dict[str, object]]

    @property
    def lanes(self) -> object:
        """The lanes that were found."""
        return self.events[0]["lanes"] if self.events else []

    def verdicts(self, requirement: str) -> set[object]:
        """Return the verdicts on a requirement, over all lanes."""
        return {event["verdict"] for event in self.events if event.get("requirement") == requirement}

    @property
    def kinds(self) -> set[object]:
        """Every verdict that was given."""
        return {event["verdict"] for event in self.events if event["event"] == "check-finished"}


@pytest.fixture
def mcprove(tmp_path: Path):  # type: ignore[no-untyped-def]
    def run(*words: str, env: dict[str, str] | None = None) -> Run:
        report = tmp_path / "run.jsonl"
        command = [sys.executable, "-m", "mcprove.cli", "run", f"--mcprove-report={report}", *words]
        ended = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, **(env or {})},
            timeout=120,
        )  # fmt: skip
        lines = report.read_text("utf-8").splitlines() if report.exists() else []
        return Run(ended.returncode, ended.stdout, ended.stderr, [json.loads(line) for line in lines])

    return run


@pytest.fixture
def miniature():  # type: ignore[no-untyped-def]
    def command(name: str) -> list[str]:
        return ["--", sys.executable, str(MINIATURES), name]

    return command
