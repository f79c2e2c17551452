"""The framing of stdio: a message to a line, and a line ends with a newline and with nothing else.

``bytes.splitlines`` would also end one at a lone carriage return. Spec: basic/transports/stdio.
"""

from __future__ import annotations


class LineTooLong(ValueError):  # noqa: N818
    """A line is longer than the limit.

    Attributes:
        limit: How many bytes a line may have.
        lines: The lines that were complete before it and that `LineDecoder.feed` has not returned.

    """

    def __init__(self, limit: int, lines: list[bytes]) -> None:
        super().__init__(f"a line of over {limit} bytes")
        self.limit = limit
        self.lines = lines


class LineDecoder:
    """Cuts a stream of bytes into lines, each of at most ``limit`` bytes without its newline."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._rest = bytearray()

    @property
    def rest(self) -> bytes:
        """The bytes after the last newline; of a line that is too long, the first ``limit`` and one."""
        return bytes(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that the data completes, without their newlines; a carriage return before one is kept.

        Raises:
            LineTooLong: a line has grown beyond the limit; the decoder is then of no more use, but for ``rest``.

        """
        lines: list[bytes] = []
        *ended, tail = data.split(b"\n")
        for piece in ended:
            self._grow(piece, lines)
            lines.append(self.rest)
            self._rest.clear()
        self._grow(tail, lines)
        return lines

    def _grow(self, piece: bytes, lines: list[bytes]) -> None:
        self._rest += piece[: self.limit + 1 - len(self._rest)]
        if len(self._rest) > self.limit:
            raise LineTooLong(self.limit, lines)
