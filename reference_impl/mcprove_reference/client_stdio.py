"""The client's driver for a server that it starts: one message a line on standard input and output.

Spec: basic/transports/stdio.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio

from mcprove.core import jsonrpc
from mcprove.core.lines import LineDecoder, LineTooLong
from mcprove_reference.client_steps import Answer, Exit, Silence, Unusable, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anyio.abc import Process, TaskGroup

    from mcprove_reference.client import Client
    from mcprove_reference.client_steps import Ask, Event, Outgoing

LINE_LIMIT = 16 * 1024 * 1024
STDERR_KEPT = 10
GRACE = 2.0
CLOSED = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError)


class StdioDriver:
    """One server process at a time, in a process group of its own."""

    def __init__(self, client: Client, argv: Sequence[str]) -> None:
        self.client = client
        self.argv = list(argv)

    def parts(self) -> tuple[object, ...]:
        """Return the objects whose methods a fault can replace."""
        return (self,)

    async def start(self, tasks: TaskGroup) -> None:
        """Start the server."""
        self.tasks = tasks
        await self.launch()

    async def launch(self) -> None:
        """Start a process.

        Raises:
            Unusable: the command cannot be run.

        """
        pipe = subprocess.PIPE
        try:
            self.process = await anyio.open_process(
                self.argv, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except OSError as problem:
            raise Unusable(f"cannot start {self.argv[0]}: {problem.strerror}") from problem
        self.lines = LineDecoder(LINE_LIMIT)
        self.stderr: deque[str] = deque(maxlen=STDERR_KEPT)
        self.stderr_ended = anyio.Event()
        self.tasks.start_soon(self.drain_stderr, self.process)

    async def restart(self) -> None:
        """End the process and start another. Keeps compat.client-other-means-legacy."""
        await self.stop()
        await self.launch()

    async def ask(self, ask: Ask) -> Event:
        """Send a request and read until its answer."""
        event: Event = Silence(ask.patience)
        self.client.inbox.expect(ask.id)
        with anyio.move_on_after(ask.patience):
            event = await self.exchange(ask)
        self.client.inbox.give_up(ask.id)
        return event

    async def exchange(self, ask: Ask) -> Event:
        """Send a request and read until its answer, however long that takes."""
        await self.tell(ask.request)
        while (answer := self.client.inbox.take(ask.id)) is None:
            chunk = await self.read()
            if not chunk:
                return Exit(await self.describe_exit())
            await self.hear_chunk(chunk)
        return Answer(answer)

    async def tell(self, message: Outgoing) -> None:
        """Write a message; what a dead server does not take shows when its answer is waited for."""
        with suppress(*CLOSED):
            assert self.process.stdin is not None
            await self.process.stdin.send(self.encode_line(message))

    def encode_line(self, message: Outgoing) -> bytes:
        """Return a message as one line."""
        return jsonrpc.dump(message) + b"\n"

    async def read(self) -> bytes:
        """Return what the server has written, nothing at the end of its output."""
        assert self.process.stdout is not None
        with suppress(*CLOSED):
            return await self.process.stdout.receive()
        return b""

    async def hear_chunk(self, chunk: bytes) -> None:
        """Take in what the server has written.

        Raises:
            Unusable: a line has no end.

        """
        try:
            lines = self.lines.feed(chunk)
        except LineTooLong as problem:
            raise Unusable(f"the server wrote a line of over {problem.limit} bytes") from problem
        for line in lines:
            await self.hear_line(line)

    async def hear_line(self, line: bytes) -> None:
        """Take in a line, and reply if it asks for that; one that is no message is skipped."""
        with suppress(jsonrpc.NotJson):
            reply = self.client.hear(jsonrpc.parse(line))
            if reply is not None:
                await self.tell(reply)

    async def drain_stderr(self, process: Process) -> None:
        """Read the server's stderr, which is no sign of an error, and keep the end of it."""
        assert process.stderr is not None
        stderr, ended = self.stderr, self.stderr_ended
        with suppress(*CLOSED):
            async for chunk in process.stderr:
                stderr.extend(printable(line) for line in chunk.decode("utf-8", "replace").splitlines())
        ended.set()

    async def describe_exit(self) -> str:
        """Return how the process ended, and its last words."""
        with anyio.move_on_after(GRACE):
            await self.process.wait()
            await self.stderr_ended.wait()
        code = self.process.returncode
        how = "the server closed its output" if code is None else f"the server exited with status {code}"
        return f"{how}, having written to stderr: {' | '.join(self.stderr)}" if self.stderr else how

    async def close(self) -> None:
        """End the process, if it was ever started."""
        if hasattr(self, "process"):
            await self.stop()

    async def stop(self) -> None:
        """Close the server's input, wait, and only then insist. Nothing of its process group is left running."""
        process = self.process
        assert process.stdin is not None
        with suppress(*CLOSED):
            await process.stdin.aclose()
        for insistence in (signal.SIGTERM, signal.SIGKILL):
            with anyio.move_on_after(GRACE):
                while await self.read():
                    pass
                await process.wait()
            if process.returncode is not None:
                break
            self.signal_group(process, insistence)
        await process.wait()
        self.signal_group(process, signal.SIGKILL)
        await process.aclose()

    def signal_group(self, process: Process, number: signal.Signals) -> None:
        """Send a signal to the process and its children."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
