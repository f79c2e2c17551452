"""The whole of a run: one event loop in the background, the target, and a probe for each lane."""

from __future__ import annotations

import itertools
from contextlib import ExitStack
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from anyio.from_thread import start_blocking_portal

from mcprove.lane import STDIO, Lane
from mcprove.launch import LaunchedServer
from mcprove.probe import IMPATIENT, PATIENCE, Probe
from mcprove.survey import Survey, survey
from mcprove.transcript import Transcript
from mcprove.transports.http import HttpConnection
from mcprove.transports.stdio import StdioConnection
from mcprove.verdict import TargetError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from types import TracebackType

    from mcprove.target import Target
    from mcprove.transports.connection import Connection

Value = TypeVar("Value")


class Tester:
    """Holds what a run holds on to. Checks are synchronous; their I/O runs on a loop in a thread of its own.

    Use as a context manager: leaving it ends every process that was started.
    """

    __test__ = False  # its name makes pytest look for tests in it

    def __init__(
        self, target: Target, *, timeout: float, start_timeout: float, allowed_tools: Iterable[str] = ()
    ) -> None:
        """Take the target, the seconds that an answer and a start may take, and the tools that may be called."""
        self.target = target
        self.allowed_tools = frozenset(allowed_tools)
        self.timeout = timeout
        self.keep_alive = True
        self.headerless: set[Lane] = set()
        self.start_timeout = start_timeout
        self._stack = ExitStack()
        self._ids = itertools.count(1)
        self._lock = Lock()
        self._transcripts: dict[Lane, Transcript] = {}
        self._probes: dict[Lane, Probe] = {}
        self._scenes: dict[Lane, dict[object, object]] = {}
        self._silences: dict[Lane, int] = {}
        self._survey: Survey | None = None
        self._launched: LaunchedServer | None = None
        self._open: set[Connection] = set()
        self._spare: StdioConnection | None = None

    def __enter__(self) -> Tester:
        self._portal = self._stack.enter_context(start_blocking_portal())
        self._tasks = self._stack.enter_context(self._portal.wrap_async_context_manager(_cancelled_at_exit()))
        self._stack.callback(self._close_all)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    @property
    def survey(self) -> Survey:
        """What the target speaks; asked once, or handed in by `adopt`.

        Raises:
            TargetError: the target does not start, or speaks no revision judged here.

        """
        if self._survey is None:
            self._launch()
            self._survey = survey(self)
        return self._survey

    def adopt(self, found: Survey) -> None:
        """Take over what another process found out about the target."""
        self._survey = found
        self.keep_alive = found.keep_alive

    @property
    def launches(self) -> int:
        """How many processes of the target were started."""
        return sum(record.launches for record in self._transcripts.values()) + bool(self._launched) + bool(self._spare)

    def probe(self, lane: Lane) -> Probe:
        """Return the probe of a lane, with an open connection.

        Raises:
            TargetError: the connection was lost, and another one cannot be opened.

        """
        probe = self._probes.get(lane)
        if probe is None or probe.ending is not None:
            if probe is not None:
                probe.close()
            probe = self.connect(lane)
            if not probe.open() and probe.opening is not None and probe.opening.answer is None:
                raise TargetError(f"{lane} can no longer be opened: {probe.trouble()}")
            self._probes[lane] = probe
        return probe

    def keep(self, lane: Lane, probe: Probe) -> None:
        """Make an open probe the one of its lane."""
        self._probes[lane] = probe

    def connect(self, lane: Lane) -> Probe:
        """Open a connection on which nothing is said yet.

        Raises:
            TargetError: the command cannot be run.

        """
        return Probe(lane, self, self.process(lane) if lane.transport == STDIO else self._client(lane))

    def process(self, lane: Lane) -> StdioConnection:
        """Return another process for a lane, the spare one if there is; once the lanes are known a spare follows.

        Raises:
            TargetError: the command cannot be run.

        """
        taken = self._take_spare() or self._start()
        self.run_soon(partial(taken.count_in, self.transcript(lane)))
        if self._survey is not None:
            self._spare = self._start()
        return taken

    def transcript(self, lane: Lane) -> Transcript:
        """Return the record of a lane."""
        with self._lock:
            return self._transcripts.setdefault(lane, Transcript())

    def kept(self, lane: Lane) -> dict[object, object]:
        """Return the scenes that were played in a lane."""
        return self._scenes.setdefault(lane, {})

    def run(self, action: Callable[..., Awaitable[Value]], *args: Any) -> Value:
        """Run an asynchronous function on the loop and wait for what it returns."""
        return self._portal.call(action, *args)

    def run_soon(self, action: Callable[[], None]) -> None:
        """Run a plain function on the loop, where it may touch what lives there."""
        self._portal.call(action)

    def next_id(self) -> int:
        """Return a request id that was not used yet."""
        return next(self._ids)

    def deadline(self, lane: Lane) -> float:
        """Return the seconds to wait for an answer: short in a lane that has left several requests unanswered."""
        return self.timeout if self._silences.get(lane, 0) < PATIENCE else min(IMPATIENT, self.timeout)

    def forget(self, connection: Connection) -> None:
        """Begin to close a connection; at the end of the run it is made sure of."""
        self._portal.start_task_soon(connection.close)

    def note_silence(self, lane: Lane) -> None:
        """Count a request that was not answered in time."""
        self._silences[lane] = self._silences.get(lane, 0) + 1

    def release(self) -> None:
        """Close every connection to the target; a server that was launched goes on."""
        self._close_all()
        self._probes.clear()
        self._spare = None

    def _launch(self) -> None:
        endpoint = self.target.http
        if endpoint is None or endpoint.launch is None:
            return
        self._launched = LaunchedServer(endpoint.launch)
        self.run(self._launched.open, self._tasks)
        self._stack.callback(self.run, self._launched.close)
        self.run(self._launched.wait_for, endpoint.url, self.start_timeout)

    def _client(self, lane: Lane) -> HttpConnection:
        assert self.target.http is not None
        make = partial(HttpConnection, keep_alive=self.keep_alive)
        connection = self._portal.call(make, self.target.http, self.transcript(lane), self._tasks)
        self._open.add(connection)
        return connection

    def _take_spare(self) -> StdioConnection | None:
        spare, self._spare = self._spare, None
        if spare is not None and spare.ending is not None:
            self.forget(spare)
            return None
        return spare

    def _start(self) -> StdioConnection:
        assert self.target.stdio is not None
        connection = self._portal.call(StdioConnection, self.target.stdio, self._tasks)
        try:
            self.run(connection.open)
        except OSError as problem:
            raise TargetError(f"{self.target.name}: the command cannot be run: {problem}") from problem
        self._open.add(connection)
        return connection

    def _close_all(self) -> None:
        async def close() -> None:
            async with anyio.create_task_group() as closing:
                for connection in self._open:
                    closing.start_soon(connection.close)
            self._open.clear()

        self.run(close)


class _cancelled_at_exit:  # noqa: N801
    """A task group that is cancelled when it is left."""

    async def __aenter__(self) -> anyio.abc.TaskGroup:
        self._tasks = anyio.create_task_group()
        return await self._tasks.__aenter__()

    async def __aexit__(self, *error: Any) -> bool | None:
        self._tasks.cancel_scope.cancel()
        return await self._tasks.__aexit__(*error)
