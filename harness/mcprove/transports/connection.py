"""What a probe needs of a transport."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from mcprove.exchange import Exchange
    from mcprove.transcript import Transcript


class Connection(Protocol):
    """One connection to the target: a process over stdio, a client of the endpoint over HTTP."""

    transcript: Transcript

    @property
    def ending(self) -> str | None:
        """How the connection ended, None while it is open."""

    @property
    def stderr_tail(self) -> str:
        """The last lines that the target wrote to stderr."""

    async def ask(self, exchange: Exchange, deadline: float) -> None:
        """Send a request and wait for its answer, at most ``deadline`` seconds."""

    async def tell(self, exchange: Exchange, fences: list[Exchange], deadline: float) -> None:
        """Send what is due no answer, then requests that prove it."""

    async def close(self) -> None:
        """End the connection."""

    async def settle(self) -> None:
        """Wait until every stream that was answered has ended, or was given up on."""

    async def end_input(self, patience: float) -> float | None:
        """Close the target's input; return the seconds until it exits, None when it does not in time."""

    def abandon(self) -> None:
        """Let every request that waits go on without an answer."""

    def remember_opening(self, sent: bytes) -> None:
        """Keep a message that a repetition has to send first."""
