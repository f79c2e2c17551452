"""What each side declared, held against what a server sent on its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.core.jsonrpc import Kind, Message, NotJson, parse
from mcprove.spec.methods import Method, method

if TYPE_CHECKING:
    from mcprove import Json, Probe, Revision


def undeclared(legacy: Probe) -> list[tuple[Message, str]]:
    """Return the requests and notifications of the server that need a capability which nobody declared."""
    server, client = legacy.capabilities, client_capabilities(legacy)
    found = []
    for message in unprompted(legacy):
        row = method(message.method, legacy.revision) if isinstance(message.method, str) else None
        if row and row.capability and not declares(client if is_for_client(row, message) else server, row.capability):
            found.append((message, row.capability))
    return found


def unprompted(legacy: Probe) -> list[Message]:
    """Return every request and notification that the server sent in a lane."""
    messages = [heard.message for heard in legacy.transcript.heard]
    return [message for message in messages if message.kind in (Kind.REQUEST, Kind.NOTIFICATION)]


def is_foreign(message: Message, revision: Revision) -> bool:
    """Return whether a message is one of other revisions only; what none of them knows is no matter of revisions."""
    name = message.method
    return isinstance(name, str) and method(name, revision) is None and method(name) is not None


def is_for_client(row: Method, message: Message) -> bool:
    """Return whether the client's capability gates a message of the server."""
    return message.kind is Kind.REQUEST or row.name == "notifications/elicitation/complete"


def client_capabilities(legacy: Probe) -> dict[str, Json]:
    """Return what was declared in any ``initialize`` of the lane: whose connection a message came on is not told."""
    declared: dict[str, Json] = {}
    for exchange in legacy.transcript.exchanges:
        try:
            params = parse(exchange.sent).params if exchange.label == "initialize" else None
        except NotJson:
            continue
        capabilities = params.get("capabilities") if isinstance(params, dict) else None
        declared |= capabilities if isinstance(capabilities, dict) else {}
    return declared


def declares(capabilities: dict[str, Json], path: str) -> bool:
    """Return whether a capability, dotted like ``tools.listChanged``, is declared."""
    place: Json = capabilities
    for name in path.split("."):
        place = place.get(name) if isinstance(place, dict) else None
    return place is not None and place is not False
