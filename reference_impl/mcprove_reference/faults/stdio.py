"""Faults of the framing on stdio, and of the end of the process."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from mcprove.core import jsonrpc
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY
from mcprove_reference.faults.base import Fault

if TYPE_CHECKING:
    from mcprove_reference.exchange import Outgoing
    from mcprove_reference.faults.base import Patch

LEGACY_ONCE = (NEWEST_LEGACY,)
LOG: Outgoing = jsonrpc.notification("notifications/message", {"level": "info", "data": "ready"})


def _constant(data: bytes) -> Patch:
    """Return a patch by which a method returns these bytes."""
    return lambda _original, _self: data


def _around(before: bytes = b"", after: bytes = b"") -> Patch:
    """Return a patch of ``encode`` that writes something before and after each message."""
    return lambda original, _self, message: before + original(message) + after


def _indent_notifications(original: Any, _self: Any, message: Outgoing) -> bytes:
    return json.dumps(message, indent=2).encode() + b"\n" if "method" in message else bytes(original(message))


def _with_header(original: Any, _self: Any, message: Outgoing) -> bytes:
    line = bytes(original(message))
    return b"Content-Length: %d\r\n\r\n" % (len(line) - 1) + line


def _linger(_original: Any, _self: Any) -> bytes:
    time.sleep(10)
    return b""


def _ask(original: Any, _self: Any, notifications: list[Outgoing], response: Outgoing) -> list[Outgoing]:
    listed = "tools" in response.get("result", {})
    return [*([jsonrpc.request("roots", "roots/list")] if listed else []), *original(notifications, response)]


FAULTS = (
    Fault(
        id="stdio.pretty-printed",
        breaks=("stdio.one-message-per-line",),
        says="Notifications are indented and so take several lines.",
        patch={"encode": _indent_notifications},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="stdio.carriage-return",
        breaks=("stdio.one-message-per-line",),
        says="Lines end in CR LF.",
        patch={"encode": lambda original, _self, message: original(message)[:-1] + b"\r\n"},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="stdio.last-line-open",
        breaks=("stdio.one-message-per-line",),
        says="The last message has no newline.",
        patch={"farewell": _constant(jsonrpc.dump(LOG))},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="stdio.greets",
        breaks=("stdio.stdout-only-mcp",),
        says="A line of text is written when the server starts.",
        patch={"greeting": _constant(b"server started\n")},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="stdio.prints",
        breaks=("stdio.stdout-only-mcp",),
        says="A line of text is written before each message.",
        patch={"encode": _around(before=b"DEBUG: about to answer\n")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="stdio.says-goodbye",
        breaks=("stdio.stdout-only-mcp",),
        says="A line of text is written when the server ends.",
        patch={"farewell": _constant(b"goodbye\n")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="stdio.says-goodbye-openly",
        breaks=("stdio.stdout-only-mcp",),
        says="Text without a newline is written when the server ends.",
        patch={"farewell": _constant(b"goodbye")},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="stdio.content-length",
        breaks=("stdio.stdout-only-mcp",),
        says="Each message has a header like those of the Language Server Protocol.",
        patch={"encode": _with_header},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="stdio.blank-lines",
        breaks=("stdio.stdout-only-mcp",),
        says="A blank line follows each message.",
        patch={"encode": _around(after=b"\n")},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="stdio.json-log",
        breaks=("stdio.stdout-only-mcp", "jsonrpc.envelope"),
        says="The log, lines of JSON, goes to stdout.",
        patch={"encode": _around(before=b'{"level":"info","msg":"about to answer"}\n')},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="stdio.outlives-input",
        breaks=("stdio.server-exits-on-eof",),
        says="The server goes on for ten seconds after the end of its input.",
        patch={"farewell": _linger},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="stdio.asks-for-roots",
        breaks=("stdio.no-server-requests",),
        says="The server sends a request before each list of tools.",
        patch={"deliver": _ask},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="stdio.speaks-unasked",
        breaks=("stdio.server-message-kinds",),
        says="A log message is written when the server ends, with no request in flight.",
        patch={"farewell": _constant(jsonrpc.dump(LOG) + b"\n")},
        transport="stdio",
        revisions=MODERN,
    ),
)
