"""A target started by a command: one JSON message a line on its standard input and output."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

import anyio

from mcprove.core import jsonrpc
from mcprove.core.errors import METHOD_NOT_FOUND
from mcprove.core.jsonrpc import MISSING, Json, Kind, Message
from mcprove.core.lines import LineDecoder, LineTooLong
from mcprove.text import clip, visible
from mcprove.transcript import Transcript
from mcprove.transports.routing import Router

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anyio.abc import Process, TaskGroup

    from mcprove.exchange import Exchange
    from mcprove.target import Command
LINE_LIMIT = 16 * 1024 * 1024
STDERR_LINES = 20
# So many lines without any answer among them are a flood.
FLOOD = 20_000
GRACE = 2.0


class StdioConnection:
    """One process of the target, and the exchanges with it."""

    def __init__(self, command: Command, tasks: TaskGroup) -> None:
        """Take what to start, and the task group that the readers live in."""
        self._command = command
        self._tasks = tasks
        self._decoder = LineDecoder(LINE_LIMIT)
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._process: Process | None = None
        self._ending: str | None = None
        self._output_ended = anyio.Event()
        self._lines_since_answer = 0
        self._history: list[bytes] = []
        self._number = 0
        self.transcript = Transcript(launches=1)
        self.router = Router(self.transcript)

    @property
    def ending(self) -> str | None:
        """How the connection ended, None while it is open."""
        return self._ending

    @property
    def stderr_tail(self) -> str:
        """The last lines that the target wrote to stderr."""
        return "\n".join(self._stderr)

    def count_in(self, transcript: Transcript) -> None:
        """Let a process that may have been started ahead of need belong to a lane from now on."""
        transcript.absorb(self.transcript)
        self.transcript = self.router.transcript = transcript
        self._number = transcript.launches

    async def open(self) -> None:
        """Start the process, in a process group of its own.

        Raises:
            OSError: the command cannot be run.

        """
        self._process = await anyio.open_process(
            list(self._command.argv),
            env={**os.environ, **self._command.env},
            cwd=self._command.cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._tasks.start_soon(self._read_output, self._process)
        self._tasks.start_soon(self._read_stderr, self._process)

    async def ask(self, exchange: Exchange, deadline: float) -> None:
        """Send a request and wait for its answer, the end of the connection, or the deadline (seconds)."""
        began = monotonic()
        pending = self.router.expect_answer(exchange)
        await self._send(exchange)
        with anyio.move_on_after(deadline) as scope:
            await pending.wait()
            if self.router.in_doubt(exchange):
                await self._await_better(exchange)
        self.router.settle(exchange)
        exchange.took = monotonic() - began
        if scope.cancelled_caught and exchange.answer is None and not self._ending:
            exchange.timed_out = deadline
        exchange.ended = self._ending if exchange.answer is None else None

    async def _await_better(self, exchange: Exchange) -> None:
        with anyio.move_on_after(GRACE / 2):
            await self.router.expect_answer(exchange).wait()

    async def tell(self, exchange: Exchange, fences: list[Exchange], deadline: float) -> None:
        """Send what is due no answer, then requests whose answers prove that none is coming."""
        began = monotonic()
        self.router.observe(exchange)
        await self._send(exchange)
        for fence in fences:
            await self.ask(fence, deadline)
        self.router.stop_observing(exchange)
        exchange.took = monotonic() - began
        exchange.ended = self._ending
        if not self._ending and any(fence.timed_out is not None for fence in fences):
            exchange.ended = f"the next request was not answered within {deadline:g} s"

    def abandon(self) -> None:
        """Let every request that waits for its answer go on without it."""
        self.router.wake()

    async def settle(self) -> None:
        """Do nothing: there are no streams."""

    async def end_input(self, patience: float) -> float | None:
        """Close the target's input; return the seconds until it exits, None when it does not in time."""
        process = self._started()
        began = monotonic()
        with suppress(anyio.BrokenResourceError, OSError):
            await process.stdin.aclose()  # type: ignore[union-attr]
        with anyio.move_on_after(patience):
            await process.wait()
            await self._output_ended.wait()
            return monotonic() - began
        return None

    async def close(self) -> None:
        """End the process and everything in its group; nothing is left running."""
        process = self._process
        if process is None:
            return
        with anyio.CancelScope(shield=True):
            with suppress(anyio.BrokenResourceError, OSError):
                await process.stdin.aclose()  # type: ignore[union-attr]
            self._signal(process, signal.SIGTERM)
            with anyio.move_on_after(GRACE):
                await process.wait()
            self._signal(process, signal.SIGKILL)
            await process.wait()
            self._end("closed by the tester")
            for stream in (process.stdout, process.stderr):
                with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
                    await stream.aclose()  # type: ignore[union-attr]

    def repeat(self, said: Sequence[bytes]) -> str:
        """Return a shell command that sends the same lines again."""
        lines = [line.decode("utf-8", "backslashreplace") for line in said]
        printed = " ".join(_quoted(line) for line in lines)
        return f"{{ printf '%s\\n' {printed}; sleep 1; }} | {self._command.display}"

    def remember_opening(self, sent: bytes) -> None:
        """Keep a message of the handshake, which a repetition has to send first."""
        self._history.append(sent)

    def _started(self) -> Process:
        if self._process is None:
            raise RuntimeError("the connection is not open")
        return self._process

    async def _send(self, exchange: Exchange) -> None:
        said = (*self._history, exchange.sent)
        exchange.repeat = lambda: self.repeat(said)
        exchange.process = self._number
        self.transcript.exchanges.append(exchange)
        await self._write(exchange.sent)

    async def _write(self, data: bytes) -> None:
        try:
            with anyio.fail_after(GRACE * 5):
                await self._started().stdin.send(data + b"\n")  # type: ignore[union-attr]
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError, TimeoutError):
            await self._note_exit("the server closed its input")

    async def _read_output(self, process: Process) -> None:
        try:
            async for chunk in process.stdout:  # type: ignore[union-attr]
                for line in self._decoder.feed(chunk):
                    self._hear(line)
                if self._lines_since_answer > FLOOD:
                    self._break(process, f"the server flooded its output: over {FLOOD} lines without an answer")
                    return
        except LineTooLong as problem:
            for line in problem.lines:
                self._hear(line)
            self._break(process, f"the server wrote a line of over {problem.limit} bytes")
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass
        finally:
            if self._decoder.rest:
                self.transcript.hear_junk(self._decoder.rest, "a last line without its newline", self.router.current)
            self._output_ended.set()
            with anyio.CancelScope(shield=True):
                await self._note_exit("the server closed its output")

    async def _read_stderr(self, process: Process) -> None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async for chunk in process.stderr:  # type: ignore[union-attr]
                text = chunk[-8192:].decode("utf-8", "backslashreplace")
                self._stderr.extend(clip(visible(line), 400) for line in text.splitlines() if line.strip())

    def _hear(self, line: bytes) -> None:
        self._lines_since_answer += 1
        try:
            message = jsonrpc.parse(line)
        except jsonrpc.NotJson as problem:
            self.transcript.hear_junk(line, str(problem), self.router.current)
            return
        if self.router.route(message) and message.is_response:
            self._lines_since_answer = 0
        if message.kind is Kind.REQUEST:
            self._tasks.start_soon(self._write, jsonrpc.dump(reply_to(message)))

    async def _note_exit(self, how: str) -> None:
        process = self._started()
        with anyio.move_on_after(GRACE):
            await process.wait()
        code = process.returncode
        self._end(how if code is None else f"{how} ({_exit(code)})")

    def _end(self, how: str) -> None:
        self._ending = self._ending or how
        self.router.release()

    def _break(self, process: Process, why: str) -> None:
        self._end(why)
        self._signal(process, signal.SIGKILL)

    @staticmethod
    def _signal(process: Process, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)


def reply_to(request: Message) -> Mapping[str, Json]:
    """Return what a client without any capability answers to a request of the server."""
    if request.method == "ping":
        return jsonrpc.result(request.id, {})
    known = request.id if request.id is not MISSING else None
    return jsonrpc.error(known, METHOD_NOT_FOUND, "this client declared no capability")


def _exit(code: int) -> str:
    if code < 0:
        with suppress(ValueError):
            return f"killed by {signal.Signals(-code).name}"
    return f"exit status {code}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
