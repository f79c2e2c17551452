"""Faults of the handshake of the legacy lineage."""

from typing import Any

from mcprove.core import jsonrpc
from mcprove.core.errors import INTERNAL_ERROR, INVALID_REQUEST
from mcprove.core.jsonrpc import Json, Message
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


def _agree(original: Any, _self: Any, requested: Json) -> Json:
    agreed: Json = original(requested) if requested in LEGACY else requested
    return agreed


def _offer(version: str, otherwise: str) -> Any:
    """Return a patch that offers a version which is never agreed to, or is not the newest."""
    return lambda original, _self, requested: (
        original(requested) if requested in LEGACY else otherwise if requested == version else version
    )


def _in(*revisions: Revision) -> Any:
    """Return where a fault of the handshake is shown: over stdio, in some revisions."""
    return {"transport": "stdio", "revisions": revisions}


FAULTS = (
    Fault(
        id="lifecycle.serves-without-handshake",
        breaks=("lifecycle.request-before-initialize-refused",),
        says="Requests before initialize are served.",
        patch={
            "not_opened": lambda _original, self, request, call: self.offer.dispatch(
                self.offer.feature_methods(), request.method, {}, call
            )
        },
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.no-server-info",
        breaks=("lifecycle.initialize-result",),
        says="The result of initialize lacks serverInfo.",
        patch={
            "initialize_result": lambda original, _self, revision: {
                name: value for name, value in original(revision).items() if name != "serverInfo"
            }
        },
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.capabilities-as-list",
        breaks=("lifecycle.initialize-result",),
        says="The capabilities in the result of initialize are an array.",
        patch={"initialize_result": _initialize(capabilities=["tools", "resources", "prompts"])},
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.version-as-number",
        breaks=("lifecycle.initialize-result",),
        says="The version in the result of initialize is a number.",
        patch={"initialize_result": _initialize(protocolVersion=20251125)},
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.instructions-as-list",
        breaks=("lifecycle.instructions-string",),
        says="The instructions are an array.",
        patch={"initialize_result": _initialize(instructions=["read", "call"])},
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.initialized-answered",
        breaks=("lifecycle.initialized-accepted",),
        says="notifications/initialized is answered with a result.",
        patch={"on_notification": _answer_initialized},
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.asks-at-once",
        breaks=("lifecycle.server-waits-for-initialized",),
        says="A client with roots is asked for them before initialize is answered.",
        patch={"serve_legacy": _ask_at_once},
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.ping-not-yet",
        breaks=("lifecycle.ping-during-initialization",),
        says="Pings are refused until notifications/initialized.",
        patch={"handle": _ping_once_initialized},
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.second-initialize-confuses",
        breaks=("lifecycle.second-initialize",),
        says="After a second initialize pings fail.",
        patch={"initialize": _once_only, "ping": _ping_unless_confused},
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.newest-for-roots",
        breaks=("lifecycle.echo-requested-version",),
        says="A client with roots gets the newest version, whatever it asks for.",
        patch={"initialize": _echo_without_roots},
        **_in(OLDEST),
    ),
    Fault(
        id="lifecycle.agrees-to-anything",
        breaks=("lifecycle.offer-other-version",),
        says="Every version is agreed to.",
        patch={"negotiate": _agree},
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.offers-oldest",
        breaks=("lifecycle.offer-latest-version",),
        says="The oldest version is offered instead of one that is not known.",
        patch={"negotiate": _offer(OLDEST, OLDEST)},
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.offers-what-it-refuses",
        breaks=("lifecycle.offered-version-is-usable",),
        says="The version that is offered is not agreed to.",
        patch={"negotiate": _offer("2025-12-31", NEWEST_LEGACY)},
        **_in(NEWEST_LEGACY),
    ),
    Fault(
        id="lifecycle.later-method",
        breaks=("lifecycle.respect-negotiated-version",),
        says="A notification of a later revision follows each ping.",
        patch={"deliver": _announce_later},
        **_in(MIDDLE),
    ),
    Fault(
        id="lifecycle.later-content",
        breaks=("lifecycle.respect-negotiated-version", "tools.content-types"),
        says="Audio is returned in 2024-11-05, which has none.",
        patch={"content": lambda original, _self, blocks, _revision: original(blocks, NEWEST_MODERN)},
        **_in(OLDEST),
    ),
    Fault(
        id="lifecycle.announces-undeclared",
        breaks=("lifecycle.only-negotiated-capabilities",),
        says="A change of the prompts is announced without the capability for that.",
        patch={"deliver": _announce},
        **_in(NEWEST_LEGACY),
    ),
)
