"""Faults of the envelope: ids, the members of each kind of message, and answers to what is no request."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from mcprove.core import jsonrpc
from mcprove.core.errors import INTERNAL_ERROR
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY
from mcprove_reference.faults.base import Fault

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Json, Message
    from mcprove_reference.exchange import Outgoing
    from mcprove_reference.faults.base import Patch

LEGACY_ONCE = (NEWEST_LEGACY,)


def _result_id(change: Patch) -> Patch:
    """Return a patch of ``envelope`` that changes the ids of results."""
    return lambda _original, _self, response: (
        {**response, "id": change(response["id"])} if "result" in response else response
    )


def _ascii_only(sent: Json) -> Json:
    return sent.encode("ascii", "ignore").decode("ascii") if isinstance(sent, str) else sent


def _ask_first(request: Outgoing) -> Patch:
    """Return a patch of ``deliver`` that sends a request of the server's own before each list of tools."""

    def deliver(original: Any, _self: Any, notifications: list[Outgoing], response: Outgoing) -> list[Outgoing]:
        result = response.get("result")
        asked = [request] if isinstance(result, dict) and "tools" in result else []
        return [*asked, *original(notifications, response)]

    return deliver


def _prompt_with_error(_original: Any, _self: Any, response: Outgoing) -> Outgoing:
    result = response.get("result")
    is_prompt = isinstance(result, dict) and "messages" in result
    return {**response, "error": {"code": INTERNAL_ERROR, "message": "none"}} if is_prompt else response


def _serve_null_id(original: Any, _self: Any, message: Message) -> Outgoing:
    return jsonrpc.result(None, {}) if message.id is None and message.method else original(message)


def _report_in_array(_original: Any, _self: Any, call: Any, step: Json) -> None:
    if call.progress_token is not None:
        call.notify("notifications/progress", [call.progress_token, step])


FAULTS = (
    Fault(
        id="jsonrpc.version-one",
        breaks=("jsonrpc.envelope",),
        says='The jsonrpc member of each response is "1.0".',
        patch={"envelope": lambda _original, _self, response: {**response, "jsonrpc": "1.0"}},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="jsonrpc.id-as-string",
        breaks=("jsonrpc.result-echoes-id",),
        says="The id of each result is a string.",
        patch={"envelope": _result_id(str)},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="jsonrpc.id-falsy-lost",
        breaks=("jsonrpc.result-echoes-id",),
        says="A result whose id should be 0 or empty has the id null.",
        patch={"envelope": _result_id(lambda sent: sent or None)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="jsonrpc.id-ascii-only",
        breaks=("jsonrpc.result-echoes-id",),
        says="Of a string id only the ASCII characters come back.",
        patch={"envelope": _result_id(_ascii_only)},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="jsonrpc.result-array",
        breaks=("jsonrpc.result-member",),
        says="The result of prompts/get is an array.",
        patch={"get_prompt": lambda original, _self, params, call: [original(params, call)]},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="jsonrpc.result-and-error",
        breaks=("jsonrpc.result-xor-error",),
        says="The response to prompts/get has a result and an error.",
        patch={"envelope": _prompt_with_error},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="jsonrpc.request-id-fraction",
        breaks=("jsonrpc.request-id-required",),
        says="The server sends a ping with the id 0.5.",
        patch={"deliver": _ask_first(jsonrpc.request(0.5, "ping"))},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="jsonrpc.request-id-null",
        breaks=("jsonrpc.request-id-not-null",),
        says="The server sends a ping with the id null.",
        patch={"deliver": _ask_first(jsonrpc.request(None, "ping"))},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="jsonrpc.request-id-again",
        breaks=("jsonrpc.request-id-unique",),
        says="The server sends each ping with the id 1.",
        patch={"deliver": _ask_first(jsonrpc.request(1, "ping"))},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="jsonrpc.null-id-served",
        breaks=("jsonrpc.null-id-request-refused",),
        says="A request with the id null is served.",
        patch={"invalid_request": _serve_null_id},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="jsonrpc.params-array",
        breaks=("jsonrpc.params-object",),
        says="The params of progress notifications are an array.",
        patch={"report_progress": _report_in_array},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="jsonrpc.unknown-response-fatal",
        breaks=("jsonrpc.unknown-response-ignored",),
        says="A response that nobody asked for ends the server.",
        patch={"on_response": lambda _original, _self, _message: sys.exit(1)},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
)
