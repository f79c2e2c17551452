"""Faults of Streamable HTTP: the endpoint, statuses, media types, and what becomes of notifications."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcprove.core.errors import METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION
from mcprove.core.jsonrpc import Kind
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY
from mcprove_reference.faults.base import Fault
from mcprove_reference.replies import Reply
from mcprove_reference.sessions import Rejection

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Message
    from mcprove_reference.exchange import Outgoing
    from mcprove_reference.faults.base import Patch

LEGACY_ONCE = (NEWEST_LEGACY,)


def _error_status(code: int, status: int) -> Patch:
    """Return a patch of ``status_for`` that sends the errors of one code with another status."""

    def status_for(original: Any, _self: Any, response: Outgoing, revision: Any) -> int:
        error = response["error"]
        chosen = isinstance(error, dict) and error.get("code") == code
        return status if chosen else int(original(response, revision))

    return status_for


def _refuse_by_200(original: Any, _self: Any, message: Message) -> None:
    try:
        original(message)
    except Rejection as rejection:
        raise Rejection(200, str(rejection)) from rejection


def _refuse_with_id(original: Any, _self: Any, message: Message) -> None:
    try:
        original(message)
    except Rejection as rejection:
        response = rejection.refusal.response(1)
        rejection.refusal.response = lambda *_: response  # type: ignore[method-assign]
        raise


def _response_204(original: Any, _self: Any, headers: Any, message: Message) -> Reply:
    reply: Reply = original(headers, message)
    return Reply(204) if message.kind in {Kind.RESULT, Kind.ERROR} and reply.status == 202 else reply


def _prompt_in_array(original: Any, _self: Any, status: int, message: Outgoing) -> Reply:
    reply: Reply = original(status, message)
    result = message.get("result")
    is_prompt = isinstance(result, dict) and "messages" in result
    return replace(reply, chunks=(b"[", *reply.chunks, b"]")) if is_prompt else reply


def _plain_text(original: Any, _self: Any, status: int, message: Outgoing) -> Reply:
    reply: Reply = original(status, message)
    return replace(reply, headers={"Content-Type": "text/plain"}) if status == 200 else reply


FAULTS = (
    Fault(
        id="http.resources-elsewhere",
        breaks=("http.single-endpoint",),
        says="Resources are not listed at the endpoint.",
        patch={
            "post": lambda original, _self, headers, body: (
                Reply(404) if b'"resources/list"' in body else original(headers, body)
            )
        },
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.get-404",
        breaks=("http.single-endpoint", "http.get-sse-or-405"),
        says="GET is answered with status 404.",
        patch={"get": lambda _original, _self, _headers: Reply(404)},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.accept-not-read",
        breaks=("http.accept-enforcement-unspecified",),
        says="Who takes an event stream only is answered as application/json.",
        patch={"check_accept": lambda _original, _self, _headers: None},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.notification-200",
        breaks=("http.notification-202",),
        says="An accepted notification is answered with 200 and a word.",
        patch={"answer_notification": lambda _original, _self: Reply(200, {"Content-Type": "text/plain"}, (b"ok",))},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.notification-body",
        breaks=("http.notification-202", "http.response-202"),
        says="An accepted notification or response is answered with 202 and a word.",
        patch={"answer_notification": lambda _original, _self: Reply(202, {}, (b"accepted",))},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.response-204",
        breaks=("http.response-202",),
        says="An accepted response is answered with 204.",
        patch={"post_legacy": _response_204},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.refused-notification-200",
        breaks=("http.unacceptable-input-status",),
        says="A malformed notification is refused with status 200.",
        patch={"check_shape": _refuse_by_200},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.refused-notification-id",
        breaks=("http.unacceptable-input-body",),
        says="The error for a malformed notification has an id.",
        patch={"check_shape": _refuse_with_id},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.results-as-text",
        breaks=("http.response-content-type",),
        says="Results are sent as text/plain.",
        patch={"respond_json": _plain_text},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.prompt-in-array",
        breaks=("http.json-body-single-object", "batch.server-sends-single"),
        says="The response to prompts/get is sent in an array.",
        patch={"respond_json": _prompt_in_array},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.unsupported-version-200",
        breaks=("http.unsupported-version-400",),
        says="An unsupported version is refused with status 200.",
        patch={"status_for": _error_status(UNSUPPORTED_PROTOCOL_VERSION, 200)},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.unknown-method-200",
        breaks=("http.unknown-method-404", "http.removed-methods-404", "http.capability-gated-404"),
        says="An unknown method is refused with status 200.",
        patch={"status_for": _error_status(METHOD_NOT_FOUND, 200)},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.subscribe-not-forgotten",
        breaks=("http.removed-methods-404", "removed.server-methods"),
        says="resources/subscribe is served as in earlier revisions.",
        patch={
            "modern_methods": lambda original, _self: {**original(), "resources/subscribe": lambda _params, _call: {}}
        },
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.completion-undeclared",
        breaks=("http.capability-gated-404", "error.method-not-found"),
        says="completion/complete is served, yet not declared.",
        patch={
            "modern_methods": lambda original, _self: {
                **original(),
                "completion/complete": lambda _params, _call: {"completion": {"values": []}},
            }
        },
        transport="http",
        revisions=MODERN,
    ),
)
