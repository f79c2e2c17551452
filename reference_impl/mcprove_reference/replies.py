"""How answers become HTTP responses: one JSON object, or a stream of events."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcprove.core import errors, jsonrpc, sse
from mcprove.spec.revisions import Lineage, Revision

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove_reference.exchange import Outgoing

STREAMS_KEPT = 64

# The status that goes with an error; one that is not listed is an answer like any other, 200.
STATUS: Mapping[Lineage, Mapping[int, int]] = {
    Lineage.MODERN: {
        errors.PARSE_ERROR: 400,
        errors.INVALID_REQUEST: 400,
        errors.METHOD_NOT_FOUND: 404,
        errors.INVALID_PARAMS: 400,
        errors.UNSUPPORTED_PROTOCOL_VERSION: 400,
    },
    Lineage.LEGACY: {errors.PARSE_ERROR: 400, errors.INVALID_REQUEST: 400},
}


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP response; more than one chunk makes a stream."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: tuple[bytes, ...] = ()


class Replies:
    """Makes replies; ``answers`` is json or sse, the way to answer when either would do."""

    def __init__(self, answers: str) -> None:
        self.answers = answers
        self.streams: dict[str, tuple[bytes, ...]] = {}

    def answer(self, messages: list[Outgoing], revision: Revision | None) -> Reply:
        """Return what the server says as a reply: a stream when there is more than the response."""
        if not messages:
            return self.answer_notification()
        response = messages[-1]
        if "error" in response:
            return self.respond_json(self.status_for(response, revision), response)
        if len(messages) > 1 or self.answers == "sse":
            return self.respond_sse(self.sse_events(messages, revision))
        return self.respond_json(200, response)

    def answer_notification(self) -> Reply:
        """Accept a notification or a response. Keeps http.notification-202."""
        return Reply(202)

    def status_for(self, response: Outgoing, revision: Revision | None) -> int:
        """Return the status that goes with an error.

        Keeps http.unknown-method-404, http.unsupported-version-400, meta.missing-field-http-400.
        """
        error = response["error"]
        code = error.get("code") if isinstance(error, dict) else None
        lineage = revision.lineage if revision else Lineage.LEGACY
        return STATUS[lineage].get(code, 200) if isinstance(code, int) else 200

    def respond_json(self, status: int, message: Outgoing) -> Reply:
        """Return a reply of one JSON object. Keeps http.response-content-type."""
        return Reply(status, {"Content-Type": "application/json"}, (jsonrpc.dump(message),))

    def respond_sse(self, events: tuple[bytes, ...]) -> Reply:
        """Return a reply that streams and ends.

        Keeps http.sse-x-accel-buffering, http.sse-final-response-ends.
        """
        headers = {
            "Content-Type": "text/event-stream",
            "Cache-Control": "no-cache",
            "X-Accel-Buffering": "no",
        }
        return Reply(200, headers, events)

    def sse_events(self, messages: list[Outgoing], revision: Revision | None) -> tuple[bytes, ...]:
        """Return the events of a stream: one message each, after a priming event in 2025-11-25."""
        events = tuple(sse.encode(jsonrpc.dump(message).decode()) for message in messages)
        if revision is not Revision.R2025_11_25:
            return events
        return (self.prime(events), *events)

    def prime(self, events: tuple[bytes, ...]) -> bytes:
        """Return an event without data, whose id gets the stream back. Keeps http.sse-priming-event."""
        name = secrets.token_urlsafe(12)
        self.streams[name] = events
        while len(self.streams) > STREAMS_KEPT:
            del self.streams[next(iter(self.streams))]
        return sse.encode("", id=name)

    def resume(self, last_event_id: str) -> Reply | None:
        """Return the rest of a stream, None where it is not known.

        Keeps http.resume-by-get-for-any-stream.
        """
        events = self.streams.get(last_event_id)
        return None if events is None else self.respond_sse(events)
