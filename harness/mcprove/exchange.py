"""One thing sent to a target and all that came back for it, with the expectations that checks state."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from mcprove.core import errors
from mcprove.core.jsonrpc import MISSING, Json, Kind, Message, NotJson, parse
from mcprove.text import show
from mcprove.verdict import Inconclusive, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcprove.core.sse import Event, StreamDefect

JSON_TYPE = "application/json"
SSE_TYPE = "text/event-stream"


@dataclass(frozen=True, slots=True)
class RpcError:
    """The error of an error response: code, message and data as they came."""

    code: Json
    message: Json
    data: Json
    exchange: Exchange

    def field(self, name: str) -> Json:
        """Return a member of ``data``, None where data is no object or lacks it."""
        return self.data.get(name) if isinstance(self.data, dict) else None


@dataclass(slots=True, eq=False)
class Exchange:
    """What was sent (``sent``, over HTTP with ``verb`` and ``sent_headers``) and what came of it.

    ``answer`` is the response to a request, whatever id it carries; ``messages`` is everything that came in its
    course, in order. ``status`` and ``headers`` (names in lower case) are those of HTTP; of a ``head_only``
    exchange the body of a stream is not read. ``stream_ended`` is False when a stream was still open some time after
    its answer, None when it was cut. ``process`` counts the processes of the lane, over HTTP it is 0.
    ``ended`` tells how the connection ended, if it did. Times are in seconds.
    """

    label: str
    sent: bytes
    request_id: Json = MISSING
    verb: str = "POST"
    sent_headers: Mapping[str, str] = field(default_factory=dict)
    head_only: bool = False
    process: int = 0
    messages: list[Message] = field(default_factory=list)
    answer: Message | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    events: list[Event] = field(default_factory=list)
    stream_defects: list[StreamDefect] = field(default_factory=list)
    trailing: list[Message] = field(default_factory=list)
    stream_ended: bool | None = None
    ended: str | None = None
    timed_out: float | None = None
    took: float = 0.0
    repeat: Callable[[], str] = field(default=str)
    _sent_message: Message | Literal[False] | None = field(default=False, init=False, repr=False)

    # What was sent and what came, as plain values.

    @property
    def sent_message(self) -> Message | None:
        """What was sent, as a message; None where it was not JSON."""
        if self._sent_message is False:
            try:
                self._sent_message = parse(self.sent)
            except NotJson:
                self._sent_message = None
        return self._sent_message

    @property
    def result(self) -> dict[str, Json] | None:
        """The result of the answer, None where there is none or it is no object."""
        value = self.answer.result if self.answer else None
        return value if isinstance(value, dict) else None

    @property
    def error(self) -> RpcError | None:
        """The error of the answer, None where it is no error."""
        if self.answer is None or self.answer.kind is not Kind.ERROR:
            return None
        return RpcError(self.answer.error_code, self.answer.error_message, self.answer.error_data, self)

    @property
    def responses(self) -> list[Message]:
        """Every response that came in the course of this exchange."""
        return [message for message in self.messages if message.is_response]

    @property
    def served(self) -> bool:
        """Whether the target did what was asked: a result came, whatever its shape, alone or in an array."""
        members = [message.value if isinstance(message.value, list) else [message.value] for message in self.messages]
        return any(isinstance(member, dict) and "result" in member for group in members for member in group)

    @property
    def content_type(self) -> str:
        """The media type of the HTTP response, in lower case and without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def is_stream(self) -> bool:
        """Whether the answer came as Server-Sent Events."""
        return self.content_type == SSE_TYPE

    @property
    def http_refused(self) -> bool:
        """Whether HTTP alone says that the target refused: a status of 400 or more."""
        return self.status is not None and self.status >= 400

    def describe(self) -> str:
        """Return in a few words what came back."""
        status = f"HTTP {self.status} with " if self.status is not None else ""
        return f"{status}{self._substance()}"

    def _substance(self) -> str:
        if self.error:
            return f"error {errors.describe(self.error.code)} {show(self.error.message, 120)}"
        if self.answer:
            return show(self.answer.raw, 300)
        if self.ended:
            return f"no answer: {self.ended}"
        if self.timed_out is not None:
            return f"no answer within {self.timed_out:g} s"
        if self.messages:
            return "; ".join(show(message.raw, 300) for message in self.messages[:3])
        return show(self.body, 200) if self.body else ("an empty body" if self.status is not None else "nothing")

    # What a rule asks for: a departure is a violation of it.

    def expect_answer(self) -> Message:
        """Return the response; a request that is never answered breaks the rule."""
        if self.answer is None:
            raise Violation("an answer to the request", self.describe(), self)
        return self.answer

    def expect_result(self, expected: str = "a result") -> dict[str, Json]:
        """Return the result object; anything else breaks the rule."""
        if self.result is None:
            raise Violation(expected, self.describe(), self)
        return self.result

    def expect_error(self, *codes: int) -> RpcError:
        """Return the error, whose code is one of ``codes`` (any, when none is given)."""
        if self.error is None or (codes and self.error.code not in codes):
            wanted = " or ".join(errors.describe(code) for code in codes)
            raise Violation(f"error {wanted}" if codes else "an error", self.describe(), self)
        return self.error

    def expect_status(self, *statuses: int) -> None:
        """Ask for one of these HTTP statuses; over stdio there is nothing to ask."""
        if self.status is not None and self.status not in statuses:
            raise Violation(f"HTTP status {' or '.join(map(str, statuses))}", self.describe(), self)

    def expect_not_served(self, what: str) -> None:
        """Ask that no result comes, and that the target survives: an error, an HTTP error or silence all do."""
        if self.served:
            raise Violation(f"{what} is not served", self.describe(), self)
        self.expect_survival()

    def expect_survival(self) -> None:
        """Ask that the connection outlives the exchange."""
        if self.ended:
            raise Violation("the server goes on", self.ended, self)

    def expect_no_response(self) -> None:
        """Ask that nothing which could be a response came, and that the target survives."""
        if self.responses:
            raise Violation("no response", show(self.responses[0].raw, 300), self)
        self.expect_survival()

    # What a check needs before it can judge: where it fails, another check is the one to say so.

    def given_result(self) -> dict[str, Json]:
        """Return the result object, or give up: this check is not the one that judges it."""
        if self.result is None:
            raise Inconclusive(f"{self.label} was not answered with a result: {self.describe()}")
        return self.result

    def given_error(self, *codes: int) -> RpcError:
        """Return the error, or give up: this check is not the one that judges its code."""
        if self.error is None or (codes and self.error.code not in codes):
            raise Inconclusive(
                f"{self.label} was not answered with the error that this rule is about: {self.describe()}"
            )
        return self.error


def expect(met: bool, expected: str, source: Exchange | RpcError | None = None, *, actual: str | None = None) -> None:
    """Raise a violation unless ``met``; ``expected`` completes "expected …", ``actual`` completes "got …"."""
    if not met:
        exchange = source.exchange if isinstance(source, RpcError) else source
        raise Violation(expected, actual or (exchange.describe() if exchange else "something else"), exchange)


def advise(met: bool, expected: str, source: Exchange | RpcError | None = None, *, actual: str | None = None) -> None:
    """Do as `expect`, yet warn at most: for what a binding rule asks only in part."""
    try:
        expect(met, expected, source, actual=actual)
    except Violation as found:
        found.mild = True
        raise
