"""Everything sent and heard in one lane: the exchanges, and what belonged to none of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Message
    from mcprove.exchange import Exchange

# A target may send without end. Past this many bytes messages are still counted, yet no longer kept.
KEPT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Heard:
    """A message, with the exchange during which it came."""

    message: Message
    exchange: Exchange | None


@dataclass(frozen=True, slots=True)
class Junk:
    """Bytes that are no message: a stdout line, a body or the data of an event."""

    data: bytes
    reason: str
    exchange: Exchange | None


@dataclass(slots=True)
class Transcript:
    """The record of one lane, over all connections that it opened; what passive checks judge."""

    exchanges: list[Exchange] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    junk: list[Junk] = field(default_factory=list)
    strays: list[Heard] = field(default_factory=list)
    launches: int = 0
    dropped: int = 0
    _bytes: int = 0

    def absorb(self, other: Transcript) -> None:
        """Take over what a connection recorded before it belonged to this lane."""
        self.launches += other.launches
        for heard in other.heard:
            self.hear(heard.message, heard.exchange)
        for junk in other.junk:
            self.hear_junk(junk.data, junk.reason, junk.exchange)

    def hear(self, message: Message, exchange: Exchange | None) -> None:
        """Record a message from the target."""
        if self._room(len(message.raw)):
            self.heard.append(Heard(message, exchange))

    def stray(self, message: Message, exchange: Exchange | None) -> None:
        """Record a response that nothing asked for, with the exchange that it is charged to."""
        if self._room(len(message.raw)):
            self.strays.append(Heard(message, exchange))

    def hear_junk(self, data: bytes, reason: str, exchange: Exchange | None) -> None:
        """Record bytes that are no message; only their beginning is kept."""
        if self._room(min(len(data), 4096)):
            self.junk.append(Junk(data[:4096], reason, exchange))

    def forget(self, unwanted: Exchange) -> None:
        """Leave out an exchange that says nothing about the lane, with all that came in its course."""
        self.exchanges[:] = [exchange for exchange in self.exchanges if exchange is not unwanted]
        self.heard[:] = [heard for heard in self.heard if heard.exchange is not unwanted]

    def _room(self, size: int) -> bool:
        self._bytes += size
        if self._bytes > KEPT_BYTES:
            self.dropped += 1
            return False
        return True
