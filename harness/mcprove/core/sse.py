"""Server-Sent Events, decoded as they come and encoded.

Grammar: https://html.spec.whatwg.org/multipage/server-sent-events.html. Where a browser would drop what it does not
understand in silence, the decoder drops it too but keeps a note of it.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

DEFECT_LIMIT = 100
"""How many defects of one stream are kept."""

_EXCERPT = 60
_RETRY_DIGITS = 18
_LINE_END = re.compile(rb"\r\n|\r|\n")
_TEXT_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream.

    Attributes:
        type: What ``event`` says, or "message".
        data: The ``data`` lines, joined by newlines; "" where there are none.
        id: What ``id`` says in this very event; None where it says nothing.
        retry: What ``retry`` says, in milliseconds.
        offset: Where its first field begins, in bytes from the start of the stream.
        complete: Whether a blank line closed it.

    """

    type: str
    data: str
    id: str | None
    retry: int | None
    offset: int
    complete: bool


@dataclass(frozen=True, slots=True)
class StreamDefect:
    """One place at which a stream departs from the grammar.

    Attributes:
        detail: What is wrong there.
        offset: Where, in bytes from the start of the stream.
        excerpt: The bytes from there to the end of the line, at most 60.

    """

    detail: str
    offset: int
    excerpt: bytes


class EventTooLong(ValueError):  # noqa: N818
    """The lines of an event are longer, together, than the limit.

    Attributes:
        limit: How many bytes they may have.
        events: The events that were complete before it and that `SseDecoder.feed` has not returned.

    """

    def __init__(self, limit: int, events: list[Event]) -> None:
        super().__init__(f"an event of over {limit} bytes")
        self.limit = limit
        self.events = events


@dataclass(slots=True)
class _Draft:
    """An event under construction."""

    offset: int
    size: int = 0
    type: str = ""
    data: list[str] = field(default_factory=list)
    id: str | None = None
    retry: int | None = None

    def worth_telling(self) -> bool:
        """Whether there is data or, as in the event that only primes a client, an id or a delay."""
        return bool(self.data) or self.id is not None or self.retry is not None

    def finished(self, complete: bool) -> Event:
        return Event(self.type or "message", "\n".join(self.data), self.id, self.retry, self.offset, complete)


class SseDecoder:
    """Turns the bytes of a stream, however they are cut, into events of at most ``limit`` bytes each.

    An event without data comes out only if it has an id or a retry; a browser would keep it to itself.
    Comments are counted and not read: they carry no message, and so no defect is theirs.

    Attributes:
        defects: What broke the grammar, in the order of the stream; the first hundred of it.
        comments: How many comment lines there were.
        last_event_id: The id in force after the last complete event; None before any.

    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.defects: list[StreamDefect] = []
        self.comments = 0
        self.last_event_id: str | None = None
        self._draft: _Draft | None = None
        self._line = bytearray()
        self._line_offset = 0
        self._fed = 0
        self._after_cr = False

    def feed(self, data: bytes) -> list[Event]:
        """Return the events that the data completes.

        Raises:
            EventTooLong: an event has grown beyond the limit; only `finish` makes sense then.

        """
        events: list[Event] = []
        # A carriage return ends its line at once, so that no event waits for a newline that may never come.
        start = 1 if self._after_cr and data.startswith(b"\n") else 0
        self._line_offset += start
        for end in _LINE_END.finditer(data, start):
            self._grow(data[start : end.start()], events)
            self._end_line(events)
            start = end.end()
            self._line_offset = self._fed + start
        self._grow(data[start:], events)
        self._after_cr = data.endswith(b"\r") if data else self._after_cr
        self._fed += len(data)
        return events

    def finish(self) -> list[Event]:
        """Return the event that the end of the stream has cut off, if there is one; a cut line is no defect."""
        defects, events = list(self.defects), list[Event]()
        if self._line:
            self._end_line(events)
        self.defects = defects
        if self._draft and self._draft.worth_telling():
            events.append(self._draft.finished(complete=False))
        self._draft = None
        return events

    def _grow(self, piece: bytes, events: list[Event]) -> None:
        used = len(self._line) + (self._draft.size if self._draft else 0)
        # One byte too many is enough to know, and nothing beyond it is kept.
        self._line += piece[: self.limit + 1 - used]
        if used + len(piece) > self.limit:
            raise EventTooLong(self.limit, events)

    def _end_line(self, events: list[Event]) -> None:
        line, offset = bytes(self._line), self._line_offset
        self._line.clear()
        if offset == 0 and line.startswith(codecs.BOM_UTF8):
            line, offset = line.removeprefix(codecs.BOM_UTF8), len(codecs.BOM_UTF8)
        if not line:
            self._dispatch(events)
        elif line.startswith(b":"):
            self.comments += 1
        else:
            self._read_field(line, offset)

    def _dispatch(self, events: list[Event]) -> None:
        draft, self._draft = self._draft, None
        if draft is None:
            return
        if draft.id is not None:
            self.last_event_id = draft.id
        if draft.worth_telling():
            events.append(draft.finished(complete=True))

    def _read_field(self, line: bytes, offset: int) -> None:
        draft = self._draft = self._draft or _Draft(offset)
        draft.size += len(line)
        name, _, value = self._decode(line, offset).partition(":")
        problem = _take(draft, name, value.removeprefix(" "))
        if problem:
            self._note(problem, offset, line)

    def _decode(self, line: bytes, offset: int) -> str:
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as problem:
            self._note("the stream is not UTF-8", offset + problem.start, line[problem.start :])
            return line.decode("utf-8", "replace")

    def _note(self, detail: str, offset: int, excerpt: bytes) -> None:
        if len(self.defects) < DEFECT_LIMIT:
            self.defects.append(StreamDefect(detail, offset, excerpt[:_EXCERPT]))


def _take(draft: _Draft, name: str, value: str) -> str | None:
    """Take a field into the draft, or say why it is ignored."""
    match name:
        case "data":
            draft.data.append(value)
        case "event":
            draft.type = value
        case "id" if "\0" in value:
            return "an id with a NUL is ignored"
        case "id":
            draft.id = value
        case "retry":
            return _take_retry(draft, value)
        case _:
            return f"there is no field {name[:_EXCERPT]!r}"
    return None


def _take_retry(draft: _Draft, value: str) -> str | None:
    if not value:  # whether no digit at all is "only digits" is open
        return None
    if not (value.isascii() and value.isdigit()):
        return f"retry is {value[:_EXCERPT]!r}, not digits"
    if len(value) > _RETRY_DIGITS:
        return f"retry has {len(value)} digits"
    draft.retry = int(value)
    return None


def encode(
    data: str,
    *,
    event: str | None = None,
    id: str | None = None,  # noqa: A002
    retry: int | None = None,
    newline: str = "\n",
) -> bytes:
    """Return one event as bytes; a line of ``data`` ends at any of the three line ends of the grammar.

    Raises:
        ValueError: the event type or the id has a line end in it.

    """
    named = {"event": event, "id": id, "retry": retry}
    rows = [(name, str(value)) for name, value in named.items() if value is not None]
    for name, value in rows:
        if _TEXT_LINE_END.search(value):
            raise ValueError(f"the {name} {value!r} has a line end")
    rows += [("data", line) for line in _TEXT_LINE_END.split(data)]
    return "".join([*(f"{name}: {value}{newline}" for name, value in rows), newline]).encode("utf-8")
