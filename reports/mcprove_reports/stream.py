"""The event stream of a run: one JSON object a line, first and last of which frame it.

Events: ``run-started`` (tool version, target, lanes, environment), ``check-finished`` (one verdict), ``run-finished``
(exit status, counts). A stream without its last line is a run that broke off.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FINISHED_KEYS = ("requirement", "check", "lane", "verdict", "level", "expected", "actual", "exchange", "ms")


class Described(Protocol):
    """What the stream says of a target."""

    @property
    def name(self) -> str:
        """How it is called."""


class Surveyed(Protocol):
    """What the stream says of a survey."""

    @property
    def lanes(self) -> Sequence[object]:
        """The lanes found."""

    @property
    def server(self) -> str:
        """How the server calls itself."""


class StreamWriter:
    """Writes the events of one run to a file, each line whole as soon as it is known."""

    def __init__(self, path: str | Path) -> None:
        """Create the file.

        Raises:
            OSError: the file cannot be written.

        """
        self._file = Path(path).open("w", encoding="utf-8", newline="\n")  # noqa: SIM115 - closed by finish
        self._verdicts: Counter[str] = Counter()
        self._begun = False

    def begin(self, target: Described, survey: Surveyed) -> None:
        """Write what is judged; once, however often it is told."""
        if not self._begun:
            self._begun = True
            lanes = [str(lane) for lane in survey.lanes]
            environment = {"python": platform.python_version(), "platform": platform.system()}
            self._write("run-started", {"target": target.name, "server": survey.server, "lanes": lanes,
                                        "environment": environment})  # fmt: skip

    def check(self, judgement: Mapping[str, Any]) -> None:
        """Write one verdict."""
        self._verdicts[judgement["verdict"]] += 1
        self._write("check-finished", {key: judgement[key] for key in FINISHED_KEYS})

    def finish(self, status: int) -> None:
        """Write that the run came to its end, and close the file."""
        self._write("run-finished", {"exit": status, "verdicts": dict(sorted(self._verdicts.items()))})
        self._file.close()

    def _write(self, event: str, values: Mapping[str, Any]) -> None:
        self._file.write(json.dumps({"event": event, **values}, ensure_ascii=False) + "\n")
        self._file.flush()


def read(path: str | Path) -> list[dict[str, Any]]:
    """Return the events of a stream.

    Raises:
        OSError: the file cannot be read.
        ValueError: a line is no event; the message names file and line.

    """
    events = []
    for number, line in enumerate(Path(path).read_text("utf-8").splitlines(), 1):
        try:
            event = json.loads(line)
        except ValueError as problem:
            raise ValueError(f"{path}:{number}: not JSON: {problem}") from problem
        if not isinstance(event, dict) or "event" not in event:
            raise ValueError(f"{path}:{number}: not an event")
        events.append(event)
    return events
