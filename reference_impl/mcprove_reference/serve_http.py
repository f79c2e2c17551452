"""The reference server on a socket: `HttpFront` behind starlette and uvicorn."""

from __future__ import annotations

import contextlib
import socket
import sys
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from mcprove_reference.http import HttpFront
from mcprove_reference.serve import USAGE_ERROR
from mcprove_reference.server import Server
from mcprove_reference.spelling import SpellingProtocol, headers_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from mcprove.spec.revisions import Lineage
    from mcprove_reference.faults import Fault

HOST, PATH = "127.0.0.1", "/mcp"
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def run(port: int, answers: str, lineage: Lineage | None, fault: Fault | None) -> int:
    """Serve on a port of the loopback address, 0 to pick one, until a signal; return the exit status.

    Keeps http.bind-localhost.
    """
    options = fault.options if fault else {}
    try:
        listener = listen(options.get("host", HOST), port)
    except (OSError, OverflowError) as problem:
        print(f"mcprove_reference serve: cannot listen on port {port}: {problem}", file=sys.stderr)  # noqa: T201
        return USAGE_ERROR
    print(f"listening on http://{HOST}:{listener.getsockname()[1]}{PATH}", file=sys.stderr, flush=True)  # noqa: T201
    config = uvicorn.Config(
        application(answers, fault, lineage),
        http=SpellingProtocol if options.get("names") == "exact" else "h11",
        ws="none",
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=1,
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket of an address.

    That it names its protocol lets asyncio switch Nagle's delay off, which would cost 40 ms an answer.

    Raises:
        OSError, OverflowError: the port cannot be had.

    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen()
    return listener


def application(answers: str = "json", fault: Fault | None = None, lineage: Lineage | None = None) -> Starlette:
    """Return the reference server as an ASGI application."""
    server = Server(lineage)
    front = HttpFront(server, (fault.options.get("answers") if fault else None) or answers)
    if fault is not None:
        fault.apply((*server.parts(), *front.parts()))

    async def endpoint(request: Request) -> Response:
        reply = front.respond(request.method, headers_of(request), await request.body())
        if len(reply.chunks) > 1:
            return StreamingResponse(iter(reply.chunks), reply.status, dict(reply.headers))
        return Response(b"".join(reply.chunks), reply.status, dict(reply.headers))

    return Starlette(routes=[Route(PATH, endpoint, methods=METHODS)])
