"""Faults of Streamable HTTP: event streams, as bytes and as what they carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcprove.core import jsonrpc
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY, Revision
from mcprove_reference.faults.base import Fault
from mcprove_reference.replies import Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcprove_reference.exchange import Outgoing
    from mcprove_reference.faults.base import Patch

LEGACY_ONCE = (NEWEST_LEGACY,)
SSE = {"answers": "sse"}
Events = tuple[bytes, ...]


def _stream(change: Callable[[Events], Events]) -> Patch:
    """Return a patch of ``respond_sse`` that changes the bytes of each stream."""

    def respond_sse(original: Any, _self: Any, events: Events) -> Reply:
        reply: Reply = original(events)
        return Reply(reply.status, reply.headers, change(reply.chunks))

    return respond_sse


def _talk(change: Callable[[list[Outgoing], Outgoing], list[Outgoing]]) -> Patch:
    """Return a patch of ``deliver`` that changes what is said on a stream, where there is more than the response."""

    def deliver(original: Any, _self: Any, said: list[Outgoing], response: Outgoing) -> list[Outgoing]:
        return change(said, response) if said else original(said, response)

    return deliver


FAULTS = (
    Fault(
        id="http.stream-latin-1",
        breaks=("http.sse-well-formed", "transport.utf8"),
        says="Events have a type in Latin-1.",
        patch={
            "respond_sse": _stream(lambda events: tuple("event: größe\n".encode("latin-1") + each for each in events))
        },
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.stream-greets",
        breaks=("http.sse-well-formed",),
        says="A stream begins with an event that is no message.",
        patch={"respond_sse": _stream(lambda events: (*events[:1], b"data: hello\n\n", *events[1:]))},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.stream-with-json-lines",
        breaks=("http.sse-well-formed",),
        says="Each event is announced by a field that Server-Sent Events do not have.",
        patch={"respond_sse": _stream(lambda events: tuple(b"length: 1\n" + each for each in events))},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.stream-asks",
        breaks=("http.sse-no-server-requests",),
        says="The server sends a ping on a stream.",
        patch={"deliver": _talk(lambda said, response: [jsonrpc.request(1, "ping"), *said, response])},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.stream-answers-twice",
        breaks=("http.sse-one-response", "http.sse-final-response-ends"),
        says="A stream has its response twice.",
        patch={"deliver": _talk(lambda said, response: [*said, response, response])},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.stream-without-response",
        breaks=("http.sse-eventually-response",),
        says="A stream ends without its response.",
        patch={"respond_sse": _stream(lambda events: events[:-1])},
        transport="http",
        revisions=(Revision.R2025_06_18,),
    ),
    Fault(
        id="http.stream-goes-on",
        breaks=("http.sse-final-response-ends",),
        says="The response comes before the last notification.",
        patch={"deliver": _talk(lambda said, response: [*said[:-1], response, said[-1]])},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.stream-of-another",
        breaks=("http.sse-notifications-related",),
        says="Progress has the token of another request.",
        patch={"progress_token": lambda original, _self, params: original(params) and "another"},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.stream-not-primed",
        breaks=("http.sse-priming-event",),
        says="A stream begins with a comment instead of an event with an id.",
        patch={"prime": lambda _original, _self, _events: b": hello\n\n"},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.stream-buffered",
        breaks=("http.sse-x-accel-buffering",),
        says="Streams lack X-Accel-Buffering.",
        patch={
            "respond_sse": lambda original, _self, events: Reply(
                200, {"Content-Type": "text/event-stream"}, original(events).chunks
            )
        },
        transport="http",
        revisions=MODERN,
        options=SSE,
    ),
)
