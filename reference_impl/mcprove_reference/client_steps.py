"""What the client wants done, and what may come of it: the words between its rules and their I/O.

A `Talk` yields one step at a time and is sent the event that came of it. The same talk runs on stdio and on HTTP;
what differs between them is which events can come.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from mcprove.core.errors import describe
from mcprove.core.jsonrpc import Id, Json, Kind, Message

Outgoing = dict[str, Json]


class Unusable(Exception):  # noqa: N818 - the outcome of a talk, told to the user
    """The server cannot be used; the message says why, for the user."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Send a request and wait for what comes of it, for so many seconds."""

    request: Outgoing
    patience: float
    headers: Mapping[str, str] = field(default_factory=dict)
    """More HTTP headers, those that come from a tool's arguments."""

    @property
    def id(self) -> Id:
        """The id of the request."""
        value: Json = self.request["id"]
        assert isinstance(value, str | int)
        return value

    def __str__(self) -> str:
        return f"-> {self.request['method']}"


@dataclass(frozen=True, slots=True)
class Tell:
    """Send a notification."""

    message: Outgoing

    def __str__(self) -> str:
        return f"-> {self.message['method']}"


@dataclass(frozen=True, slots=True)
class Restart:
    """Start the server's process again."""

    def __str__(self) -> str:
        return "-- starting the server again"


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, and over HTTP the status that it came with."""

    message: Message
    status: int | None = None

    def __str__(self) -> str:
        text = describe_error(self.message) if self.message.kind is Kind.ERROR else "a result"
        return text if self.status is None else f"{text}, HTTP status {self.status}"


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """An HTTP response without a JSON-RPC response in it."""

    status: int

    def __str__(self) -> str:
        return f"no JSON-RPC response, HTTP status {self.status}"


@dataclass(frozen=True, slots=True)
class SessionGone:
    """Status 404 for a request that named a session."""

    def __str__(self) -> str:
        return "the session is gone, HTTP status 404"


@dataclass(frozen=True, slots=True)
class Broken:
    """An HTTP stream that ended before the response."""

    def __str__(self) -> str:
        return "the stream ended without a response"


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing came in time."""

    seconds: float

    def __str__(self) -> str:
        return f"no answer within {self.seconds:g} s"


@dataclass(frozen=True, slots=True)
class Exit:
    """The server's process has ended, or has closed its output."""

    how: str

    def __str__(self) -> str:
        return self.how


@dataclass(frozen=True, slots=True)
class Done:
    """A step that gets no answer has been taken."""

    def __str__(self) -> str:
        return "done"


Step = Ask | Tell | Restart
Event = Answer | NoAnswer | SessionGone | Broken | Silence | Exit | Done

T = TypeVar("T")
Talk = Generator[Step, Event, T]


def describe_error(message: Message) -> str:
    """Return an error response as one line of safe text."""
    text = f"error {printable(describe(message.error_code))}"
    return f"{text}: {printable(message.error_message)}" if message.error_message else text


def printable(value: Json, limit: int = 300) -> str:
    """Return a value from the server as text that a terminal does not obey, cut after ``limit`` characters."""
    text = value if isinstance(value, str) else repr(value)
    shown = text if len(text) <= limit else f"{text[:limit]}..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)


def as_object(value: Json) -> dict[str, Json]:
    """Return a JSON object, an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}
