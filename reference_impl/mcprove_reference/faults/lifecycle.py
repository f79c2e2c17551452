"""Faults of the handshake of the legacy lineage."""

from typing import Any

from mcprove.core import jsonrpc
from mcprove.core.errors import INTERNAL_ERROR, INVALID_REQUEST
from mcprove.core.jsonrpc import Json, Kind, Message
from mcprove.spec.revisions import LEGACY, NEWEST_LEGACY, NEWEST_MODERN, Revision
from mcprove_reference.exchange import Call, Outgoing, Params, Refusal, Result, Session
from mcprove_reference.faults.base import Fault

OLDEST, MIDDLE = LEGACY[0], LEGACY[1]


def _initialize(**changes: Json) -> Any:
    """Return a patch that changes members of the result of initialize."""
    return lambda original, _self, revision: {**original(revision), **changes}


def _echo_without_roots(original: Any, _self: Any, params: Params, session: Session) -> Result:
    """Agree to the version asked for, unless the client has roots."""
    result: Result = original(params, session)
    return {**result, "protocolVersion": NEWEST_LEGACY} if params.get("capabilities") else result


def _ask_at_once(original: Any, _self: Any, request: Message, call: Call, session: Session) -> Result:
    result: Result = original(request, call, session)
    params = request.params if isinstance(request.params, dict) else {}
    if request.method == "initialize" and params.get("capabilities"):
        call.notifications.append(jsonrpc.request("roots-1", "roots/list"))
    return result


def _ping_once_initialized(original: Any, self: Any, message: Message, session: Session) -> list[Outgoing]:
    self.ready = getattr(self, "ready", False) or message.method == "notifications/initialized"
    if message.method == "ping" and not self.ready:
        return [Refusal(INVALID_REQUEST, "not yet").response(message.id)]
    answers: list[Outgoing] = original(message, session)
    return answers


def _once_only(original: Any, self: Any, params: Params, session: Session) -> Result:
    self.confused = session.revision is not None
    result: Result = original(params, session)
    return result


def _ping_unless_confused(original: Any, self: Any) -> Result:
    if getattr(self, "confused", False):
        raise Refusal(INTERNAL_ERROR, "confused")
    result: Result = original()
    return result


def _answer_initialized(original: Any, _self: Any, message: Message) -> list[Outgoing]:
    if message.method == "notifications/initialized":
        return [jsonrpc.result(0, {})]
    answers: list[Outgoing] = original(message)
    return answers


def _announce(original: Any, _self: Any, notifications: list[Outgoing], response: Outgoing) -> list[Outgoing]:
    changed = jsonrpc.notification("notifications/prompts/list_changed")
    return [*original(notifications, response), *([changed] if response.get("result") == {} else [])]


def _announce_later(original: Any, _self: Any, notifications: list[Outgoing], response: Outgoing) -> list[Outgoing]:
    later = jsonrpc.notification("notifications/elicitation/complete", {"elicitationId": "1"})
    return [*original(notifications, response), *([later] if response.get("result") == {} else [])]


FAULTS = (
    Fault(
        id="lifecycle.serves-without-handshake",
        breaks=("lifecycle.request-before-initialize-refused",),
        says="Requests before initialize are served.",
        patch={
            "not_opened": lambda _original, self, request, call: self.offer.dispatch(
                self.offer.feature_methods(), str(request.method), request.params or {}, call
            )
        },
        transport="stdio",
        revisions=(NEWEST_LEGACY,),
    ),
)
