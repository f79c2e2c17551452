from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcprove.core.sse import DEFECT_LIMIT, Event, EventTooLong, SseDecoder, StreamDefect, encode
from mcprove_fixtures import content, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Delivery = Callable[[Any, bytes, bytes], list[Any]]

    Cut = Callable[[bytes, Iterable[int]], list[bytes]]

STREAMS = load("sse/streams.jsonl")
CUT_OFF = load("sse/cut_off.jsonl")
PLAIN: dict[str, Any] = {"type": "message", "data": "", "id": None, "retry": None, "offset": 0, "complete": True}

PIECES = [b"data", b"id", b"event", b"retry", b": ", b":", b"1", b"\r\n", b"\r", b"\n", b"\n\n", "世".encode(), b"\xff"]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
ONE_LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"))


def name(case: dict[str, Any]) -> str:
    return str(case["case"])


def events_of(case: dict[str, Any]) -> list[Event]:
    return [Event(**{**PLAIN, **event}) for event in case["events"]]


def defects_of(case: dict[str, Any]) -> list[StreamDefect]:
    read = bytes.fromhex if "hex" in case else str.encode
    return [StreamDefect(detail, offset, read(excerpt)) for detail, offset, excerpt in case.get("defects", [])]


def run(pieces: Iterable[bytes]) -> tuple[list[Event], list[StreamDefect], int, str | None]:
    """Feed the pieces and return everything that can be seen of it."""
    decoder = SseDecoder(10_000)
    events = [event for piece in pieces for event in decoder.feed(piece)]
    return events + decoder.finish(), decoder.defects, decoder.comments, decoder.last_event_id


@pytest.mark.parametrize("case", STREAMS, ids=name)
def test_events_come_out_the_same_however_they_arrive(deliver: Delivery, case: dict[str, Any]) -> None:
    decoder = SseDecoder(1000)
    assert deliver(decoder, content(case, "stream"), b"data: next\n\n") == events_of(case)
    assert decoder.defects == defects_of(case)
    assert decoder.comments == case.get("comments", 0)
    assert decoder.last_event_id == case.get("last_event_id")
    assert decoder.finish() == []


@pytest.mark.parametrize("case", CUT_OFF, ids=name)
def test_a_stream_that_is_cut_off_gives_up_what_it_had(case: dict[str, Any]) -> None:
    stream = content(case, "stream")
    expected = (events_of(case), defects_of(case), case.get("comments", 0), case.get("last_event_id"))
    assert run([stream]) == expected
    assert run(bytes([byte]) for byte in stream) == expected


@given(sent=st.lists(st.sampled_from(PIECES)).map(b"".join), places=st.sets(st.integers(0, 199)))
def test_cutting_changes_nothing(cut: Cut, sent: bytes, places: set[int]) -> None:
    assert run([sent]) == run(cut(sent, places))


@given(
    data=TEXTS,
    event=st.none() | ONE_LINE.filter(bool),
    event_id=st.none() | ONE_LINE,
    retry=st.none() | st.integers(0, 10**17),
    newline=st.sampled_from(["\n", "\r", "\r\n"]),
    places=st.sets(st.integers(0, 199)),
)
def test_what_is_encoded_is_what_is_decoded(
    cut: Cut, data: str, event: str | None, event_id: str | None, retry: int | None, newline: str, places: set[int]
) -> None:
    sent = encode(data, event=event, id=event_id, retry=retry, newline=newline)
    joined = re.sub("\r\n|\r", "\n", data)
    expected = Event(event or "message", joined, event_id, retry, offset=0, complete=True)
    assert run(cut(sent, places)) == ([expected], [], 0, event_id)


def test_an_event_does_not_wait_for_the_newline_after_a_carriage_return() -> None:
    decoder = SseDecoder(100)
    assert [event.data for event in decoder.feed(b"data: x\r\r")] == ["x"]
    assert decoder.feed(b"\n") == []
    assert [event.data for event in decoder.feed(b"data: y\n\n")] == ["y"]


def test_finishing_twice_tells_nothing_twice() -> None:
    decoder = SseDecoder(100)
    decoder.feed(b"data: x")
    assert [event.complete for event in decoder.finish()] == [False]
    assert decoder.finish() == []


def test_an_event_of_just_the_limit_is_let_pass(deliver: Delivery) -> None:
    decoder = SseDecoder(14)
    assert [event.data for event in deliver(decoder, b"data: x\ndata: y\n\n", b"data: next\n\n")] == ["x\ny"]


@pytest.mark.parametrize(
    "stream", [b"data: x\ndata: yz", b"data: x\ndata: yz\n\n", b"data: 123456789", b": 1234567890123\n\n"]
)
def test_an_event_beyond_the_limit_is_refused_with_those_before_it(stream: bytes) -> None:
    decoder = SseDecoder(14)
    with pytest.raises(EventTooLong, match="an event of over 14 bytes") as caught:
        decoder.feed(b"data: a\n\n" + stream)
    assert (caught.value.limit, [event.data for event in caught.value.events]) == (14, ["a"])


def test_an_event_beyond_the_limit_is_still_told_at_the_end() -> None:
    decoder = SseDecoder(14)
    with pytest.raises(EventTooLong):
        decoder.feed(b"data: 123456789")
    assert [(event.data, event.complete) for event in decoder.finish()] == [("123456789", False)]


def test_of_an_event_beyond_the_limit_only_a_bounded_beginning_is_kept() -> None:
    decoder = SseDecoder(14)
    for piece in [b"data: x\ndata: 12345", b"6", b"7" * 1000]:
        with pytest.raises(EventTooLong):
            decoder.feed(piece)
    assert [(event.data, event.complete) for event in decoder.finish()] == [("x\n12", False)]


def test_comments_never_add_up_to_an_event_too_long() -> None:
    decoder = SseDecoder(14)
    assert decoder.feed(b": keep-alive\n" * 100) == []
    assert decoder.comments == 100


def test_a_stream_full_of_defects_keeps_the_first_of_them() -> None:
    decoder = SseDecoder(100)
    decoder.feed(b"odd\n\n" * (DEFECT_LIMIT + 1))
    assert len(decoder.defects) == DEFECT_LIMIT
    assert decoder.defects[0].offset == 0


@pytest.mark.parametrize("field", ["event", "id"])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_end_has_no_place_in_a_type_or_an_id(field: str, end: str) -> None:
    parts: dict[str, Any] = {field: f"a{end}b"}
    with pytest.raises(ValueError, match=f"the {field} .* has a line end"):
        encode("x", **parts)


def test_an_event_is_encoded_a_field_to_a_line() -> None:
    expected = b"event: e\r\nid: 1\r\nretry: 5\r\ndata: a\r\ndata: \r\n\r\n"
    assert encode("a\n", event="e", id="1", retry=5, newline="\r\n") == expected
