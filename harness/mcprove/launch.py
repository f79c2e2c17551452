"""An HTTP server that is started for the run, and waited for until it listens."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio

from mcprove.text import clip, visible
from mcprove.verdict import NotApplicable, TargetError

if TYPE_CHECKING:
    from anyio.abc import ByteReceiveStream, Process, TaskGroup

    from mcprove.target import Command

GRACE = 2.0
BETWEEN_TRIES = 0.02
# A route to an address that is nobody's shows our own; nothing is sent.
ELSEWHERE = ("192.0.2.1", 9)


class LaunchedServer:
    """A process of the user's, in a group of its own; its output is drained and its end kept for messages."""

    def __init__(self, command: Command) -> None:
        """Take the command that serves."""
        self._command = command
        self._said: deque[str] = deque(maxlen=20)
        self._process: Process | None = None

    async def open(self, tasks: TaskGroup) -> None:
        """Start the process.

        Raises:
            TargetError: the command cannot be run.

        """
        try:
            self._process = await anyio.open_process(
                list(self._command.argv),
                env={**os.environ, **self._command.env},
                cwd=self._command.cwd,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as problem:
            raise TargetError(f"{self._command.display}: the command cannot be run: {problem}") from problem
        assert self._process.stdout is not None
        tasks.start_soon(self._drain, self._process.stdout)

    async def wait_for(self, url: str, timeout: float) -> None:
        """Wait until the port of a URL accepts connections, at most ``timeout`` seconds.

        Raises:
            TargetError: the process ends, or the time runs out, before that.

        """
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        with anyio.move_on_after(timeout):
            while not await _accepts(parts.hostname or "", port):
                if self._process is None or self._process.returncode is not None:
                    raise TargetError(self._failure(f"it ended before port {port} was open{self._status()}"))
                await anyio.sleep(BETWEEN_TRIES)
            return
        raise TargetError(self._failure(f"port {port} was not open within {timeout:g} s"))

    async def close(self) -> None:
        """End the process and everything in its group."""
        process = self._process
        if process is None:
            return
        with anyio.CancelScope(shield=True):
            for number in (signal.SIGTERM, signal.SIGKILL):
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, number)
                with anyio.move_on_after(GRACE):
                    await process.wait()

    async def _drain(self, output: ByteReceiveStream) -> None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async for chunk in output:
                text = chunk[-8192:].decode("utf-8", "backslashreplace")
                self._said.extend(clip(visible(line), 400) for line in text.splitlines() if line.strip())

    def _status(self) -> str:
        code = self._process.returncode if self._process else None
        return "" if code is None else f" (exit status {code})"

    def _failure(self, what: str) -> str:
        said = "\n".join(self._said)
        return f"{self._command.display}: {what}" + (f"\nthe end of its output:\n{said}" if said else "")


async def _accepts(host: str, port: int) -> bool:
    try:
        stream = await anyio.connect_tcp(host, port)
    except OSError:
        return False
    await stream.aclose()
    return True


async def exposure(url: str) -> str | None:
    """Return the address of this machine beyond loopback at which the port of a URL accepts connections, if any.

    Raises:
        NotApplicable: the machine has no such address.

    """
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        try:
            route.connect(ELSEWHERE)
        except OSError as problem:
            raise NotApplicable(f"this machine has no address beyond loopback: {problem}") from problem
        address: str = route.getsockname()[0]
    return f"{address}:{port}" if await _accepts(address, port) else None
