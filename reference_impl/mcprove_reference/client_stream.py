"""The messages in a stream of Server-Sent Events that answers a POST."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.core import jsonrpc
from mcprove.core.sse import SseDecoder

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Message
    from mcprove.core.sse import Event

LIMIT = 16 * 1024 * 1024


class AnswerStream:
    """Decodes a stream, over several connections where it is taken up again."""

    def __init__(self) -> None:
        self.decoder = SseDecoder(LIMIT)
        self.last_event_id = ""
        self.retry = 0.0

    def feed(self, data: bytes) -> list[Message]:
        """Return the messages that the bytes complete.

        Raises:
            EventTooLong: an event has no end.

        """
        messages = [self.read_event(event) for event in self.decoder.feed(data)]
        return [message for message in messages if message is not None]

    def read_event(self, event: Event) -> Message | None:
        """Return the message of an event; there is none in a priming event, or one of another type."""
        if event.id is not None:
            self.last_event_id = event.id
        if event.retry is not None:
            self.retry = event.retry / 1000
        if event.type != "message" or not event.data:
            return None
        try:
            return jsonrpc.parse(event.data.encode())
        except jsonrpc.NotJson:
            return None

    def reconnect(self) -> None:
        """Forget the event that a lost connection has left unfinished."""
        self.decoder = SseDecoder(LIMIT)
