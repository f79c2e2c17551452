"""A target at a URL: Streamable HTTP, each message a POST, each answer JSON or Server-Sent Events."""

from __future__ import annotations

import shlex
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING

import anyio
import httpx

from mcprove.core import jsonrpc
from mcprove.core.jsonrpc import MISSING, Kind
from mcprove.core.sse import EventTooLong, SseDecoder
from mcprove.exchange import SSE_TYPE
from mcprove.transports.routing import identity
from mcprove.transports.stdio import reply_to

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Mapping

    from anyio.abc import TaskGroup

    from mcprove.core.sse import Event
    from mcprove.exchange import Exchange
    from mcprove.target import Endpoint
    from mcprove.transcript import Transcript

BODY_LIMIT = 16 * 1024 * 1024
# Of a stream only the beginning is kept as it came; its messages are kept anyway.
STREAM_KEPT = 64 * 1024
# How long a stream may stay open after its final response before it counts as not ended, in seconds.
LINGER = 2.0


class HttpConnection:
    """One client of the endpoint, with its own pool and, in the legacy lineage, its own session."""

    def __init__(
        self, endpoint: Endpoint, transcript: Transcript, tasks: TaskGroup, *, keep_alive: bool = True
    ) -> None:
        """Take where to post, where to record, and the task group in which streams are read to their end.

        Without ``keep_alive`` each request has a connection of its own, as servers need that serve one at a time.
        """
        self._endpoint = endpoint
        self._url = httpx.URL(endpoint.url)
        self._tasks = tasks
        self._client = httpx.AsyncClient(
            headers={**endpoint.headers, "Accept-Encoding": "identity"},
            timeout=None,  # noqa: S113 - every request has a deadline of its own
            trust_env=False,
            verify=_trust() if self._url.scheme == "https" else False,
            limits=httpx.Limits(max_keepalive_connections=None if keep_alive else 0),
            follow_redirects=False,
        )
        self._open_streams: list[anyio.Event] = []
        self._waiting: set[anyio.CancelScope] = set()
        self.transcript = transcript
        self.ending: str | None = None
        self.stderr_tail = ""

    async def ask(self, exchange: Exchange, deadline: float) -> None:
        """Post a request and read until its answer, or the end of what comes, or the deadline (seconds)."""
        self.transcript.exchanges.append(exchange)
        exchange.repeat = lambda: self.repeat(exchange)
        answered = anyio.Event()
        self._tasks.start_soon(self._carry, exchange, answered, deadline)
        began = monotonic()
        await answered.wait()
        exchange.took = monotonic() - began

    async def tell(self, exchange: Exchange, fences: list[Exchange], deadline: float) -> None:
        """Post what is due no answer, then requests that show whether the server goes on."""
        await self.ask(exchange, deadline)
        for fence in fences:
            await self.ask(fence, deadline)
        if exchange.ended is None and any(fence.status is None for fence in fences):
            exchange.ended = "the next request was not answered"

    def abandon(self) -> None:
        """Let every request that waits for its answer go on without it."""
        for scope in self._waiting:
            scope.cancel()

    async def settle(self) -> None:
        """Wait until the streams that were answered have ended, or were given up on."""
        for ended in self._open_streams:
            await ended.wait()

    async def end_input(self, patience: float) -> float | None:  # noqa: ARG002
        """Return None: a client of HTTP cannot end a server."""
        return None

    async def close(self) -> None:
        """Close the pool and every stream in it."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(LINGER):
            await self._client.aclose()

    def repeat(self, exchange: Exchange) -> str:
        """Return a curl command that sends the same again."""
        own = {name.lower() for name in self._endpoint.headers}
        shown = {
            **self._endpoint.shown_headers,
            **{k: v for k, v in exchange.sent_headers.items() if k.lower() not in own},
        }
        given = " ".join(f"-H {_header_word(f'{name}: {value}')}" for name, value in shown.items())
        body = (
            f" --data-binary {shlex.quote(exchange.sent.decode('utf-8', 'backslashreplace'))}" if exchange.sent else ""
        )
        return f"curl -isS -X {exchange.verb} {shlex.quote(str(self._url))} {given}{body}"

    def remember_opening(self, sent: bytes) -> None:
        """Do nothing: what a repetition needs is in the headers."""

    async def _carry(self, exchange: Exchange, answered: anyio.Event, deadline: float) -> None:
        """Run one HTTP exchange; ``answered`` is set at its answer, reading goes on to the end of the stream."""
        try:
            with anyio.move_on_after(deadline) as scope:
                self._waiting.add(scope)
                await self._post(exchange, answered, scope)
            if scope.cancelled_caught and not answered.is_set():
                exchange.timed_out = deadline
            elif scope.cancelled_caught and anyio.current_time() >= scope.deadline:
                exchange.stream_ended = False
        except (httpx.HTTPError, httpx.InvalidURL, OSError, anyio.BrokenResourceError) as problem:
            if not answered.is_set():
                exchange.ended = f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
        finally:
            self._waiting.discard(scope)
            answered.set()

    async def _post(self, exchange: Exchange, answered: anyio.Event, scope: anyio.CancelScope) -> None:
        fields = [(name.encode("ascii"), value.encode("utf-8")) for name, value in exchange.sent_headers.items()]
        response = await self._open_response(exchange, fields)
        try:
            exchange.status = response.status_code
            exchange.headers = {name.lower(): value for name, value in response.headers.items()}
            if exchange.head_only and exchange.is_stream:
                return
            if exchange.is_stream:
                await self._read_stream(response, exchange, answered, scope)
            else:
                await self._read_body(response, exchange)
        finally:
            with anyio.CancelScope(shield=True), suppress(httpx.HTTPError, OSError):
                await response.aclose()

    async def _open_response(self, exchange: Exchange, fields: list[tuple[bytes, bytes]]) -> httpx.Response:
        """Send the request; a redirect to another place of the same origin is followed once, and remembered."""
        request = self._client.build_request(exchange.verb, self._url, headers=fields, content=exchange.sent)
        response = await self._client.send(request, stream=True)
        place = (
            self._url.join(response.headers.get("location", "")) if response.status_code in (307, 308) else self._url
        )
        if place == self._url or _origin(place) != _origin(self._url):
            return response
        await response.aclose()
        self._url = place
        request = self._client.build_request(exchange.verb, place, headers=fields, content=exchange.sent)
        return await self._client.send(request, stream=True)

    async def _read_body(self, response: httpx.Response, exchange: Exchange) -> None:
        exchange.body = b"".join([chunk async for chunk in _bounded(response, exchange)])
        if exchange.body.strip():
            self._hear(exchange.body, exchange)

    async def _read_stream(
        self, response: httpx.Response, exchange: Exchange, answered: anyio.Event, scope: anyio.CancelScope
    ) -> None:
        decoder = SseDecoder(BODY_LIMIT)
        ended = anyio.Event()
        self._open_streams.append(ended)
        try:
            async for chunk in _bounded(response, exchange):
                exchange.body += chunk[: STREAM_KEPT - len(exchange.body)]
                self._hear_events(decoder.feed(chunk), exchange)
                if exchange.answer is not None and not answered.is_set():
                    answered.set()
                    scope.deadline = anyio.current_time() + LINGER
            exchange.stream_ended = True
        except EventTooLong as problem:
            self._hear_events(problem.events, exchange)
            exchange.ended = str(problem)
            self.transcript.hear_junk(exchange.body, str(problem), exchange)
        finally:
            self._hear_events(decoder.finish(), exchange)
            exchange.stream_defects = list(decoder.defects)
            ended.set()

    def _hear_events(self, events: list[Event], exchange: Exchange) -> None:
        for event in events:
            exchange.events.append(event)
            if event.data and event.complete:
                self._hear(event.data.encode("utf-8"), exchange)

    def _hear(self, data: bytes, exchange: Exchange) -> None:
        try:
            message = jsonrpc.parse(data)
        except jsonrpc.NotJson as problem:
            if exchange.content_type in (SSE_TYPE, "application/json"):
                self.transcript.hear_junk(data, str(problem), exchange)
            return
        if exchange.http_refused and message.kind is Kind.OTHER:
            return  # the explanation of a refusal need be no message, though it be JSON
        if exchange.answer is not None:
            exchange.trailing.append(message)
        exchange.messages.append(message)
        self.transcript.hear(message, exchange)
        if message.is_response and exchange.answer is None:
            exchange.answer = message
        elif message.is_response and identity(message.id) != identity(MISSING):
            self.transcript.stray(message, exchange)
        if message.kind is Kind.REQUEST:
            self._tasks.start_soon(self._reply, jsonrpc.dump(reply_to(message)), exchange.sent_headers)

    async def _reply(self, body: bytes, fields: Mapping[str, str]) -> None:
        """Post a response under the headers, session included, of the request on whose stream it was asked for."""
        with suppress(httpx.HTTPError, OSError), anyio.move_on_after(LINGER):
            await self._client.post(self._url, content=body, headers=dict(fields))


@cache
def _trust() -> ssl.SSLContext:
    """Return what certificates are checked against; loaded once, as that takes longer than many an exchange."""
    return httpx.create_ssl_context()


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


async def _bounded(response: httpx.Response, exchange: Exchange) -> AsyncIterator[bytes]:
    """Yield the decoded body in chunks, and stop past the limit."""
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > BODY_LIMIT:
            exchange.ended = f"the body is over {BODY_LIMIT} bytes"
            return
        yield chunk


def _header_word(text: str) -> str:
    """Quote a header for a shell; a ``${VAR}`` in it stays for the shell to fill in."""
    if "${" in text:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("`", "\\`") + '"'
    return shlex.quote(text)
