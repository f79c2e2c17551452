"""Streamable HTTP: every answer that came as Server-Sent Events, byte for byte and message for message."""

from __future__ import annotations

from mcprove import Kind, NotApplicable, Probe, expect, requirement, show
from mcprove_suites.judging import same_id
from mcprove_suites.streams import (
    alien_fields,
    all_closed,
    expect_clean,
    framing_flaws,
    primes,
    request_streams,
    streams_of_version,
    token_asked,
    unread_events,
)

LISTEN = "subscriptions/listen"


@requirement("http.sse-well-formed", last=True)
def test_streams_are_event_streams(server: Probe) -> None:
    """UTF-8 to the last byte, and each event closed by a blank line, for else a reader drops it."""
    expect_clean(framing_flaws(server), "an event stream in UTF-8, each event closed by a blank line")


@requirement("http.sse-well-formed", last=True)
def test_events_are_json(server: Probe) -> None:
    """The data of each event is one JSON text; no data, and types other than "message", are let be."""
    expect_clean(unread_events(server), "the data of each event is JSON")


@requirement("http.sse-well-formed", last=True)
def test_streams_have_known_fields_only(server: Probe) -> None:
    """Readers skip others, ids with a NUL and odd retry times in silence, and what was meant by them is lost."""
    expect_clean(alien_fields(server), "the fields data, event, id and retry, with values that count", mild=True)


@requirement("http.sse-no-server-requests", last=True)
def test_streams_have_no_requests(modern: Probe) -> None:
    """In 2026-07-28 what a server asks of a client is part of a result."""
    for stream in request_streams(modern):
        asked = [message for message in stream.messages if message.kind is Kind.REQUEST]
        shown = show(asked[0].raw, 300) if asked else None
        expect(not asked, "no request of the server on a stream", stream, actual=shown)


@requirement("http.sse-one-response", last=True)
def test_streams_have_one_response(modern: Probe) -> None:
    """None more, and no stream ends without; one that was cut, or is that of a subscription, may."""
    for stream in request_streams(modern):
        over = stream.stream_ended is True and stream.ended is None and all_closed(stream)
        due = over and stream.label != LISTEN
        count = len(stream.responses)
        expect(count == 1 or (count == 0 and not due), "one response", stream, actual=f"{count} responses")


@requirement("http.sse-eventually-response", last=True)
def test_streams_bring_their_response(legacy: Probe) -> None:
    """A stream with event ids may go on elsewhere, and one that was cut is not the server's doing."""
    for stream in request_streams(legacy):
        over = stream.stream_ended is True and stream.ended is None and all_closed(stream)
        lost = over and stream.answer is None and not any(event.id for event in stream.events)
        expect(not lost, "a response before the stream ends", stream)


@requirement("http.sse-final-response-ends", last=True)
def test_streams_end_with_the_response(server: Probe) -> None:
    """Nothing comes after it, and the stream does not stay open."""
    for stream in request_streams(server):
        later = f"{len(stream.trailing)} messages after it" if stream.trailing else "a stream that stays open"
        over = stream.answer is None or (stream.stream_ended is not False and not stream.trailing)
        expect(over, "the stream ends with the response", stream, actual=later)


@requirement("http.sse-notifications-related", last=True)
def test_streams_have_progress_of_their_request_only(server: Probe) -> None:
    """Where a request has a progress token, all progress on its stream has the same; no more is judged."""
    reports = [(stream, message) for stream in request_streams(server) for message in stream.messages
               if message.method == "notifications/progress" and token_asked(stream) is not None]  # fmt: skip
    if not reports:
        raise NotApplicable("no stream carried a progress notification")
    for stream, report in reports:
        token = report.params.get("progressToken") if isinstance(report.params, dict) else None
        own = same_id(token, token_asked(stream))
        expect(own, "progress of the request that the stream is for", stream, actual=show(report.raw, 300))


@requirement("http.sse-priming-event", last=True)
def test_streams_begin_with_an_id(legacy: Probe) -> None:
    """The first event has an id and no data; without a version header a client is taken for an older one."""
    for stream in streams_of_version(legacy):
        primed = bool(stream.events) and primes(stream.events[0])
        shown = show(stream.body[:200], 200)
        expect(primed, "an event with an id and empty data at the beginning", stream, actual=shown)


@requirement("http.sse-x-accel-buffering", last=True)
def test_streams_are_not_to_be_buffered(modern: Probe) -> None:
    """Each stream says so to the proxies on its way."""
    for stream in request_streams(modern):
        said = stream.headers.get("x-accel-buffering", "")
        expect(said.strip().lower() == "no", "X-Accel-Buffering: no", stream, actual=said or "no such header")
