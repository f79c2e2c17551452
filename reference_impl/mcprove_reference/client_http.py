"""The client's driver for a server at a URL: each message a POST, each answer JSON or a stream of events.

Spec: basic/transports/streamable-http; for the legacy lineage 2025-11-25 basic/transports#streamable-http.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import anyio
import httpx

from mcprove.core import headers as names
from mcprove.core import jsonrpc
from mcprove.core.jsonrpc import Kind
from mcprove.core.sse import EventTooLong
from mcprove.spec.revisions import Lineage
from mcprove_reference.client_headers import SSE_TYPE, Headers
from mcprove_reference.client_steps import Answer, Broken, NoAnswer, SessionGone, Silence, Unusable, printable
from mcprove_reference.client_stream import AnswerStream

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from mcprove.core.jsonrpc import Message
    from mcprove_reference.client import Client
    from mcprove_reference.client_steps import Ask, Event, Outgoing

BODY_LIMIT = 16 * 1024 * 1024
RESUMPTIONS = 10
GRACE = 2.0


class HttpDriver:
    """One client of the endpoint, with a pool of connections."""

    def __init__(self, client: Client, url: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """Take where to post; ``transport`` stands in for the network."""
        self.client = client
        self.url = url
        self.headers = Headers()
        # Every request has a deadline of its own, and a redirect is an answer like any other.
        self.http = httpx.AsyncClient(timeout=None, trust_env=False, transport=transport)  # noqa: S113

    def parts(self) -> tuple[object, ...]:
        """Return the objects whose methods a fault can replace."""
        return (self, self.headers)

    async def start(self, tasks: TaskGroup) -> None:
        """Do nothing: a connection is made by the first request."""

    async def restart(self) -> None:
        """Do nothing: the server is not ours to start."""

    async def ask(self, ask: Ask) -> Event:
        """Post a request and read its answer; to give up is to close the stream."""
        event: Event = Silence(ask.patience)
        self.client.inbox.expect(ask.id)
        with anyio.move_on_after(ask.patience):
            event = await self.exchange(ask)
        self.client.inbox.give_up(ask.id)
        return event

    async def exchange(self, ask: Ask) -> Event:
        """Post a request and read its answer, however long that takes.

        Raises:
            Unusable: the server cannot be reached, which says nothing about its lineage.

        """
        headers = {**self.headers.of_post(ask.request, self.client.opening.revision), **ask.headers}
        body = jsonrpc.dump(ask.request)
        try:
            async with self.http.stream("POST", self.url, headers=headers, content=body) as response:
                if response.status_code == 404 and names.SESSION_ID in headers:
                    return SessionGone()
                self.headers.keep_session(ask.request, response.headers)
                return await self.read_answer(ask, response)
        except (httpx.HTTPError, httpx.InvalidURL) as problem:
            raise self.unreachable(problem) from problem

    async def tell(self, message: Outgoing) -> None:
        """Post a notification or a reply, whatever the server makes of it.

        Raises:
            Unusable: the server cannot be reached.

        """
        headers = self.headers.of_post(message, self.client.opening.revision)
        try:
            with anyio.move_on_after(self.client.patience):
                await self.http.post(self.url, headers=headers, content=jsonrpc.dump(message))
        except (httpx.HTTPError, httpx.InvalidURL) as problem:
            raise self.unreachable(problem) from problem

    def unreachable(self, problem: Exception) -> Unusable:
        """Return what a failure of the network comes to."""
        return Unusable(f"cannot reach {self.url}: {printable(str(problem) or type(problem).__name__)}")

    # Reading.

    async def read_answer(self, ask: Ask, response: httpx.Response) -> Event:
        """Read either form of an answer. Keeps http.client-supports-json-and-sse."""
        if is_stream(response):
            return await self.follow_stream(ask, response)
        return self.find_answer(ask, response.status_code, await self.read_body(response))

    async def read_body(self, response: httpx.Response) -> bytes:
        """Return a whole body.

        Raises:
            Unusable: it is too long.

        """
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > BODY_LIMIT:
                raise Unusable(f"the server answered with over {BODY_LIMIT} bytes")
        return bytes(body)

    def find_answer(self, ask: Ask, status: int, body: bytes) -> Event:
        """Return the answer in a body that is not a stream. An error status may come with an error of no id."""
        try:
            message = jsonrpc.parse(body)
        except jsonrpc.NotJson:
            return NoAnswer(status)
        if message.kind is Kind.ERROR and status >= 400:
            return Answer(message, status)
        self.client.hear(message)
        return self.match(ask, message, status) or NoAnswer(status)

    def match(self, ask: Ask, message: Message, status: int) -> Answer | None:
        """Return a message as the answer to a request if that is what it is.

        What comes in the answer to a POST belongs to it, so that an error without an id is not lost.
        """
        if message.kind is Kind.ERROR and (not message.has_id or message.id is None):
            return Answer(message, status)
        answer = self.client.inbox.take(ask.id)
        return None if answer is None else Answer(answer, status)

    async def follow_stream(self, ask: Ask, response: httpx.Response) -> Event:
        """Read a stream until the answer, and go on elsewhere if it ends before that.

        Keeps http.client-polls, http.client-respects-retry.
        """
        stream = AnswerStream()
        answer = await self.read_stream(ask, response, stream)
        for _ in range(RESUMPTIONS):
            if answer is not None or not self.can_resume(stream):
                break
            await anyio.sleep(stream.retry)
            answer = await self.resume(ask, stream)
        return answer or Broken()

    async def read_stream(self, ask: Ask, response: httpx.Response, stream: AnswerStream) -> Answer | None:
        """Read one connection's part of a stream until the answer, None if it ends before."""
        try:
            async for chunk in response.aiter_bytes():
                for message in stream.feed(chunk):
                    if answer := await self.take_message(ask, message):
                        return answer
        except EventTooLong as problem:
            raise Unusable(f"the server sent an event of over {BODY_LIMIT} bytes") from problem
        except httpx.TransportError:
            pass  # A connection that breaks is one that ends.
        return None

    async def take_message(self, ask: Ask, message: Message) -> Answer | None:
        """Take in a message, reply if it asks for that, and return it if it is the answer."""
        reply = self.client.hear(message)
        if reply is not None:
            await self.tell(reply)
        return self.match(ask, message, 200)

    def can_resume(self, stream: AnswerStream) -> bool:
        """Tell whether a stream can be taken up again: a legacy one, whose events have ids.

        Keeps http.no-resumption.
        """
        return self.client.lineage is Lineage.LEGACY and bool(stream.last_event_id)

    async def resume(self, ask: Ask, stream: AnswerStream) -> Answer | None:
        """Take up a stream after the last event that came of it. Keeps http.resume-by-get-for-any-stream."""
        stream.reconnect()
        headers = self.headers.of_resumption(stream.last_event_id, self.client.opening.revision)
        async with self.http.stream("GET", self.url, headers=headers) as response:
            return await self.read_stream(ask, response, stream) if is_stream(response) else None

    async def close(self) -> None:
        """End the session, if there is one; a server may refuse that."""
        with anyio.move_on_after(GRACE), suppress(httpx.HTTPError, httpx.InvalidURL):
            headers = self.headers.of_farewell(self.client.opening.revision)
            if headers is not None:
                await self.http.delete(self.url, headers=headers)
        await self.http.aclose()


def is_stream(response: httpx.Response) -> bool:
    """Tell whether a response is a stream of events."""
    media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return response.status_code == 200 and media_type == SSE_TYPE
