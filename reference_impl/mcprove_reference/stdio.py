"""The server on stdin and stdout: one message a line.

Spec: basic/transports/stdio.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.core import jsonrpc
from mcprove_reference.exchange import Session

if TYPE_CHECKING:
    from typing import BinaryIO

    from mcprove_reference.exchange import Outgoing
    from mcprove_reference.server import Server

JSON_SPACE = b" \t\r\n"


class StdioFront:
    """Reads lines until the end of input and writes what the server answers, nothing else."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.session = Session()

    def run(self, stdin: BinaryIO, stdout: BinaryIO) -> None:
        """Serve one process; return at the end of input. Keeps stdio.server-exits-on-eof."""
        self.write(stdout, self.greeting())
        for line in stdin:
            self.write(stdout, *(self.encode(message) for message in self.answer(line)))
        self.write(stdout, self.farewell())

    def greeting(self) -> bytes:
        """Return what is written before the first message: nothing. Keeps stdio.stdout-only-mcp."""
        return b""

    def farewell(self) -> bytes:
        """Return what is written after the last message: nothing. Keeps stdio.stdout-only-mcp."""
        return b""

    def write(self, stdout: BinaryIO, *lines: bytes) -> None:
        """Write lines at once."""
        stdout.writelines(lines)
        stdout.flush()

    def answer(self, line: bytes) -> list[Outgoing]:
        """Return the answers to a line; a blank one has none. Keeps stdio.stdout-only-mcp."""
        text = line.strip(JSON_SPACE)
        return self.server.receive(text, self.session) if text else []

    def encode(self, message: Outgoing) -> bytes:
        """Return a message as one line. Keeps stdio.one-message-per-line."""
        return jsonrpc.dump(message) + b"\n"
