"""The event streams that were heard in a lane, and the places at which they depart from the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcprove import Exchange, Json, NotApplicable, Probe, advise, expect, show
from mcprove.core.headers import PROTOCOL_VERSION
from mcprove.core.jsonrpc import NotJson, parse
from mcprove_suites.endpoint import is_request
from mcprove_suites.judging import body_of, everything_heard

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcprove.core.sse import Event

NOT_UTF8 = "the stream is not UTF-8"


@dataclass(frozen=True, slots=True)
class Flaw:
    """One departure: what is wrong, the bytes that show it, where in the stream they begin, and the exchange."""

    detail: str
    excerpt: bytes
    offset: int
    stream: Exchange


def streams(probe: Probe) -> list[Exchange]:
    """Return every event stream of the lane that was read, once those that were answered have ended."""
    heard = everything_heard(probe)
    probe.settle()
    found = [each for each in heard.exchanges if each.is_stream and not each.head_only]
    if not found:
        raise NotApplicable("no answer came as an event stream")
    return found


def request_streams(probe: Probe) -> list[Exchange]:
    """Return the streams that answer well-formed requests."""
    found = [each for each in streams(probe) if is_request(each)]
    if not found:
        raise NotApplicable("no request was answered by an event stream")
    return found


def streams_of_version(probe: Probe) -> list[Exchange]:
    """Return the streams that answer well-formed requests whose header declares the revision of the lane."""
    found = [each for each in request_streams(probe) if each.sent_headers.get(PROTOCOL_VERSION) == probe.revision]
    if not found:
        raise NotApplicable("no request that declares the revision was answered by an event stream")
    return found


def framing_flaws(probe: Probe) -> list[Flaw]:
    """Return where streams are not UTF-8, hold no event at all or end within one."""
    found = []
    for stream in streams(probe):
        found += [flaw for flaw in field_flaws(stream) if flaw.detail == NOT_UTF8]
        if stream.stream_ended:
            found += [
                Flaw("an event that no blank line closes", each.data.encode(), each.offset, stream)
                for each in stream.events
                if each.data and not each.complete
            ]
            if not stream.events and stream.stream_defects:
                found.append(Flaw("no event in the whole stream", stream.body, 0, stream))
    return found


def unread_events(probe: Probe) -> list[Flaw]:
    """Return the events of type "message" whose data is not JSON."""
    events = [(stream, event) for stream in streams(probe) for event in stream.events]
    return [
        Flaw(f"an event whose data is not JSON ({reason})", event.data.encode(), event.offset, stream)
        for stream, event in events
        if event.complete and event.data and event.type == "message" and (reason := why_not_json(event.data))
    ]


def alien_fields(probe: Probe) -> list[Flaw]:
    """Return the fields that readers do not know or cannot use."""
    return [flaw for stream in streams(probe) for flaw in field_flaws(stream) if flaw.detail != NOT_UTF8]


def expect_clean(flaws: Iterable[Flaw], expected: str, *, mild: bool = False) -> None:
    """Ask that there are no flaws: show the bytes of the first, and count the others. Mild ones warn at most."""
    found = list(flaws)
    for first in found[:1]:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        actual = f"{first.detail}, at byte {first.offset}: {show(first.excerpt, 120)}{more}"
        (advise if mild else expect)(False, expected, first.stream, actual=actual)


def all_closed(stream: Exchange) -> bool:
    """Return whether each event of a stream was closed by a blank line; one that was not is lost to a reader."""
    return all(event.complete for event in stream.events)


def token_asked(stream: Exchange) -> Json:
    """Return the progress token of the request that a stream answers, None where it has none."""
    params = body_of(stream).get("params")
    metadata = params.get("_meta") if isinstance(params, dict) else None
    return metadata.get("progressToken") if isinstance(metadata, dict) else None


def why_not_json(text: str) -> str:
    """Return why a text is not JSON, empty if it is."""
    try:
        parse(text.encode())
    except NotJson as problem:
        return str(problem)
    return ""


def field_flaws(stream: Exchange) -> list[Flaw]:
    """Return what the decoder of the stream took note of."""
    return [Flaw(each.detail, each.excerpt, each.offset, stream) for each in stream.stream_defects]


def primes(event: Event) -> bool:
    """Return whether an event does no more than give the stream an id."""
    return bool(event.id) and not event.data
