"""Faults of notifications."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING, Any

from mcprove.core import jsonrpc
from mcprove.core.errors import INVALID_PARAMS, METHOD_NOT_FOUND
from mcprove.core.jsonrpc import OMIT
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY, NEWEST_MODERN
from mcprove_reference.exchange import Session
from mcprove_reference.faults.base import Fault

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Json, Message
    from mcprove_reference.exchange import Call, Outgoing
    from mcprove_reference.faults.base import Patch

LEGACY_ONCE = (NEWEST_LEGACY,)
UNKNOWN = "notifications/mcprove/"
COUNT = itertools.count()


def _answer(method: str, answer: Outgoing) -> Patch:
    """Return a patch by which notifications whose method begins so are answered."""
    return lambda original, _self, message: [answer] if (message.method or "").startswith(method) else original(message)


def _answer_bad_progress(original: Any, _self: Any, message: Message) -> list[Outgoing]:
    params = message.params if isinstance(message.params, dict) else {}
    bad = message.method == "notifications/progress" and not isinstance(params.get("progress"), int)
    return [jsonrpc.error(OMIT, INVALID_PARAMS, "progress is no number")] if bad else list(original(message))


def _serve_without_id(original: Any, self: Any, message: Message) -> list[Outgoing]:
    if message.method != "tools/list":
        return list(original(message))
    return [{**self.on_request(message, Session(NEWEST_MODERN))[-1], "id": None}]


def _die_of_unknown(original: Any, _self: Any, message: Message) -> list[Outgoing]:
    if (message.method or "").startswith(UNKNOWN):
        sys.exit(1)
    return list(original(message))


def _answer_later(original: Any, self: Any, message: Message, session: Session) -> list[Outgoing]:
    """Keep the answer to a request without an id until the next two requests were answered."""
    owed = getattr(self, "owed", None)
    if message.kind is jsonrpc.Kind.NOTIFICATION and message.method == "tools/list":
        self.owed = 2
    elif owed is not None and message.kind is jsonrpc.Kind.REQUEST:
        self.owed = owed - 1 if owed else None
    late = [jsonrpc.result(None, {})] if owed == 0 else []
    return [*original(message, session), *late]


def _report_with_id(_original: Any, _self: Any, call: Call, step: Json) -> None:
    if call.progress_token is not None:
        params: Json = {"progressToken": call.progress_token, "progress": step}
        call.notifications.append(jsonrpc.request(f"notification-{next(COUNT)}", "notifications/progress", params))


def _report_in_words(_original: Any, _self: Any, call: Call, step: Json) -> None:
    if call.progress_token is not None:
        call.notify("notifications/progress", {"progressToken": call.progress_token, "progress": f"step {step}"})


FAULTS = (
    Fault(
        id="notif.unknown-answered",
        breaks=("notif.no-response",),
        says="An unknown notification is answered with error -32601.",
        patch={"on_notification": _answer(UNKNOWN, jsonrpc.error(OMIT, METHOD_NOT_FOUND, "unknown notification"))},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="notif.malformed-answered",
        breaks=("notif.no-response",),
        says="A malformed notification is answered with error -32602.",
        patch={"on_notification": _answer_bad_progress},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="notif.request-without-id-served",
        breaks=("notif.no-response",),
        says="A tools/list without an id is served.",
        patch={"on_notification": _serve_without_id},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="notif.request-without-id-refused",
        breaks=("notif.no-response",),
        says="A tools/list without an id is refused.",
        patch={"on_notification": _answer("tools/list", jsonrpc.error(OMIT, METHOD_NOT_FOUND, "no id"))},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="notif.answered-late",
        breaks=("notif.no-response",),
        says="A tools/list without an id is served once two other requests are.",
        patch={"handle": _answer_later},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="notif.unknown-fatal",
        breaks=("notif.no-response", "notif.unknown-ignored"),
        says="An unknown notification ends the server.",
        patch={"on_notification": _die_of_unknown},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="notif.with-id",
        breaks=("notif.no-id",),
        says="Progress notifications have an id.",
        patch={"report_progress": _report_with_id},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="notif.progress-in-words",
        breaks=("notif.params-shape",),
        says="The progress in a notification is a text.",
        patch={"report_progress": _report_in_words},
        transport="stdio",
        revisions=MODERN,
    ),
)
