"""Who a message on a shared channel belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

from mcprove.core.jsonrpc import MISSING, Json, Message

if TYPE_CHECKING:
    from mcprove.exchange import Exchange
    from mcprove.transcript import Transcript


# For so many answers after something that is due none a response without an id may still be meant for that.
DOUBT = 3


class Router:
    """Gives each message to the exchange that it belongs to, and charges strays to their likely cause.

    Requests wait for an answer with their id. Beside them one exchange at a time may be observed: a notification or
    something malformed, which is due no answer with an id. A response that fits no waiting request goes to the
    observed exchange; without one, to the only waiting request (its id was garbled). Else it is late, if its request
    was given up on, or a stray, charged to what was observed last. A response without an id that comes soon after
    what was observed may belong to that or to the waiting request: it stays in doubt until the request has had time
    for a better answer.
    """

    def __init__(self, transcript: Transcript) -> None:
        """Record what is routed in ``transcript``."""
        self.transcript = transcript
        self._waiting: dict[tuple[str, str], tuple[Exchange, anyio.Event]] = {}
        self._answered: dict[tuple[str, str], Exchange] = {}
        self._observed: Exchange | None = None
        self._last_observed: Exchange | None = None
        self._released = False
        self._answers_since = 0
        self._doubtful: dict[tuple[str, str], Message] = {}

    @property
    def current(self) -> Exchange | None:
        """The exchange in whose course something without an id came."""
        if self._observed:
            return self._observed
        return next((exchange for exchange, _ in reversed(self._waiting.values())), None)

    def expect_answer(self, exchange: Exchange) -> anyio.Event:
        """Register a request; the event is set when its answer has come, or never will."""
        done = anyio.Event()
        self._waiting[identity(exchange.request_id)] = (exchange, done)
        if self._released:
            done.set()
        return done

    def settle(self, exchange: Exchange) -> None:
        """Stop waiting for the answer of a request."""
        key = identity(exchange.request_id)
        self._waiting.pop(key, None)
        self._answered[key] = exchange
        self._answers_since += 1
        if (doubtful := self._doubtful.pop(key, None)) is not None and self._last_observed is not None:
            late_for = exchange if exchange.answer is None else self._last_observed
            self._give(doubtful, late_for)

    def in_doubt(self, exchange: Exchange) -> bool:
        """Return whether all that came for a waiting request is a response that may belong elsewhere."""
        return exchange.answer is None and identity(exchange.request_id) in self._doubtful

    def observe(self, exchange: Exchange) -> None:
        """Charge what fits no waiting request to this exchange, until told to stop."""
        self._observed = self._last_observed = exchange
        self._answers_since = 0

    def stop_observing(self, exchange: Exchange) -> None:
        """Let the exchange be; what still comes for it is a stray."""
        if self._observed is exchange:
            self._observed = None

    def release(self) -> None:
        """Let everything that waits go on, now and later: the connection has ended."""
        self._released = True
        self.wake()

    def wake(self) -> None:
        """Let everything that waits now go on without an answer."""
        for _, done in self._waiting.values():
            done.set()

    def route(self, message: Message) -> bool:
        """Give a message to its exchange; return whether somebody was waiting or watching."""
        if message.is_response and self._doubt(message):
            return True
        owner = self._owner(message) if message.is_response else self.current
        if owner is not None:
            self._give(message, owner)
            return True
        late_for = self._answered.get(identity(message.id))
        self.transcript.hear(message, late_for)
        if message.is_response and not (late_for and late_for.answer is None):
            self.transcript.stray(message, late_for or self._last_observed)
        return False

    def _give(self, message: Message, owner: Exchange) -> None:
        owner.messages.append(message)
        self.transcript.hear(message, owner)
        if message.is_response and owner.answer is None:
            owner.answer = message
            if waiting := self._waiting.get(identity(owner.request_id)):
                waiting[1].set()

    def _doubt(self, message: Message) -> bool:
        """Hold back a response without an id while its cause is open; wake the request that waits."""
        if message.id not in (None, MISSING) or self._observed or len(self._waiting) != 1:
            return False
        if self._last_observed is None or self._last_observed.responses or self._answers_since > DOUBT:
            return False
        key, (_, done) = next(iter(self._waiting.items()))
        if key in self._doubtful:
            return False
        self._doubtful[key] = message
        done.set()
        return True

    def _owner(self, message: Message) -> Exchange | None:
        key = identity(message.id)
        if (found := self._waiting.get(key)) and found[0].answer is None:
            return found[0]
        if (alike := self._alike(message)) is not None:
            return alike
        if key in self._answered:
            return None
        if self._observed is not None:
            return self._observed
        return next(iter(self._waiting.values()))[0] if len(self._waiting) == 1 else None

    def _alike(self, message: Message) -> Exchange | None:
        """Return the request whose id this is in another JSON type."""
        text = str(message.id)
        same = (exchange for exchange, _ in self._waiting.values() if str(exchange.request_id) == text)
        return next((exchange for exchange in same if exchange.answer is None), None)


def identity(value: Json) -> tuple[str, str]:
    """Return a key that tells apart ids which Python calls equal (1, True, 1.0 and "1"), yet not 1 and 1.0."""
    if value is MISSING:
        return ("absent", "")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return (type(value).__name__, repr(value))
