"""The messages of the client: the requests that it builds, and the sorting of what it hears."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from mcprove.core import jsonrpc, meta
from mcprove.core.errors import METHOD_NOT_FOUND
from mcprove.core.jsonrpc import Kind
from mcprove.spec.revisions import Lineage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcprove.core.jsonrpc import Id, Json, Message
    from mcprove.spec.revisions import Revision
    from mcprove_reference.client_steps import Outgoing

NAME, VERSION = "mcprove-reference-client", "0.1.0"


class Messages:
    """Builds what the client sends.

    Spec: basic/index#meta; for the legacy lineage 2025-11-25 basic/lifecycle#initialization.
    """

    def __init__(self, ids: Iterable[Id] | None = None) -> None:
        """Take the ids of the requests: strings or integers without end and without repetition."""
        self.ids = iter(count(1) if ids is None else ids)

    def next_id(self) -> Id:
        """Return an id that was never used before."""
        return next(self.ids)

    def build_request(self, revision: Revision, method: str, params: Outgoing) -> Outgoing:
        """Return a request as the lineage has it; a legacy one has no params where there is nothing to say."""
        if revision.lineage is Lineage.MODERN:
            params = {**params, "_meta": self.request_meta(revision)}
        return jsonrpc.request(self.next_id(), method, params or jsonrpc.OMIT)

    def request_meta(self, revision: Revision) -> Outgoing:
        """Return the metadata that each modern request carries."""
        return {
            meta.PROTOCOL_VERSION: str(revision),
            meta.CLIENT_CAPABILITIES: self.client_capabilities(),
            meta.CLIENT_INFO: self.client_info(),
        }

    def client_capabilities(self) -> Outgoing:
        """Return what a server may ask of this client: nothing."""
        return {}

    def client_info(self) -> Outgoing:
        """Return the name and version of this client."""
        return {"name": NAME, "version": VERSION}

    def initialize_params(self, revision: Revision) -> Outgoing:
        """Return the params of ``initialize``. Keeps lifecycle.initialize-params."""
        return {
            "protocolVersion": str(revision),
            "capabilities": self.client_capabilities(),
            "clientInfo": self.client_info(),
        }

    def initialized(self) -> Outgoing:
        """Return the notification that ends the handshake."""
        return jsonrpc.notification("notifications/initialized")

    def cancelled(self, request_id: Id) -> Outgoing:
        """Return the notification that gives up a request."""
        return jsonrpc.notification("notifications/cancelled", {"requestId": request_id, "reason": "timed out"})

    def reply_to(self, request: Message) -> Outgoing:
        """Answer a request of a legacy server: pings are answered, anything else is refused.

        Keeps ping.reply-empty, lifecycle.ping-during-initialization.
        """
        if request.method == "ping":
            return jsonrpc.result(request.id, {})
        return jsonrpc.error(request.id, METHOD_NOT_FOUND, "this client declared no capability")


class Inbox:
    """Keeps each response for the request that waits for it, in whatever order they come."""

    def __init__(self) -> None:
        self.waiting: set[str | float] = set()
        self.answers: dict[str | float, Message] = {}

    def expect(self, request_id: Id) -> None:
        """Wait for the response to a request."""
        self.waiting.add(request_id)

    def file_response(self, message: Message) -> None:
        """Keep a response that is waited for; drop one with an unknown id, or one that comes late."""
        request_id = response_id(message)
        if request_id in self.waiting and request_id is not None:
            self.waiting.remove(request_id)
            self.answers[request_id] = message

    def take(self, request_id: Id) -> Message | None:
        """Return the response to a request, once; None while it has not come."""
        return self.answers.pop(request_id, None)

    def give_up(self, request_id: Id) -> None:
        """Stop waiting: what comes now is late."""
        self.waiting.discard(request_id)


def response_id(message: Message) -> str | float | None:
    """Return the id of a response, None where no request can have it. The string "1" is not the number 1."""
    value: Json = message.id
    if message.kind not in {Kind.RESULT, Kind.ERROR} or isinstance(value, bool):
        return None
    return value if isinstance(value, str | int | float) else None
