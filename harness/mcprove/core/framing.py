"""What lines that are no messages come from: a message over several of them, or the framing of another protocol.

Spec: basic/transports/stdio.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcprove.core.jsonrpc import Kind, NotJson, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 500
"""How many lines are taken together at most."""

_HEADER = re.compile(rb"(^|\})Content-Length: *\d+\s*$", re.IGNORECASE)


def spread(lines: Sequence[bytes]) -> list[range]:
    """Return the runs of lines, by their indices, that are one message each: indented, or with a newline in a string.

    A run ends where its braces are closed.
    """
    runs: list[range] = []
    start = 0
    while start < len(lines):
        stop = _end_of_message(lines, start)
        if stop is not None:
            runs.append(range(start, stop))
        start = stop or start + 1
    return runs


def explain(lines: Sequence[bytes]) -> str | None:
    """Return where the lines seem to come from, None where they do not tell."""
    if any(_HEADER.search(line) for line in lines):
        return "Content-Length headers, the framing of the Language Server Protocol"
    return "messages spread over several lines" if spread(lines) else None


def carries_message(data: bytes) -> bool:
    """Return whether these bytes are a message, be they UTF-8 or of another encoding that extends ASCII."""
    try:
        return parse(data.decode("latin-1").encode()).kind is not Kind.OTHER
    except NotJson:
        return False


def _end_of_message(lines: Sequence[bytes], start: int) -> int | None:
    """Return the index behind the line that closes what a line opens, if that is a message of several lines."""
    if not lines[start].lstrip().startswith(b"{"):
        return None
    open_braces = 0
    for stop in range(start, min(start + LONGEST, len(lines))):
        open_braces += lines[stop].count(b"{") - lines[stop].count(b"}")
        if open_braces <= 0:
            several = stop > start and _is_message(lines[start : stop + 1])
            return stop + 1 if several else None
    return None


def _is_message(lines: Sequence[bytes]) -> bool:
    if lines[0].strip() == b"{":  # scalars on lines of their own pass for JSON, so that some may be missing here
        return True
    for newline in (b"\n", b"\\n"):
        try:
            return parse(newline.join(lines)).kind is not Kind.OTHER
        except NotJson:
            continue
    return False
