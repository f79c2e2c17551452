"""Faults of error responses, and of what has to be answered with one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

from mcprove.core import errors, jsonrpc
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY
from mcprove_reference.exchange import Refusal
from mcprove_reference.faults.base import Fault

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Json, Message
    from mcprove_reference.exchange import Outgoing
    from mcprove_reference.faults.base import Patch

LEGACY_ONCE = (NEWEST_LEGACY,)
STACK = 'Traceback (most recent call last):\n  File "server.py", line 1\nValueError'


def _errors(change: Patch) -> Patch:
    """Return a patch of ``envelope`` that changes errors."""
    return lambda _original, _self, response: change(response) if "error" in response else response


def _not_found_as(code: Json) -> Patch:
    """Return a patch of ``not_found`` that refuses an unknown resource with another code."""
    return lambda _original, _self, uri, _revision: Refusal(code, "resource not found", {"uri": uri})


def _refuse_with(code: int, words: str) -> Patch:
    """Return a patch that refuses whatever the method is about."""

    def refuse(*_: Any) -> NoReturn:
        raise Refusal(code, words)

    return refuse


def _serve_malformed(_original: Any, self: Any, message: Message) -> Outgoing:
    return jsonrpc.result(message.id, self.modern.modern_result("", {}))


def _without(member: str) -> Patch:
    """Return a change of an error response that leaves out a member of the error."""
    return lambda response: {
        **response,
        "error": {name: value for name, value in response["error"].items() if name != member},
    }


def _check_params_badly(original: Any, _self: Any, method: str, params: Any) -> None:
    try:
        original(method, params)
    except Refusal as refusal:
        raise Refusal(errors.INTERNAL_ERROR, refusal.message) from refusal


FAULTS = (
    Fault(
        id="error.id-as-string",
        breaks=("error.echoes-id",),
        says="The id of each error is a string.",
        patch={"envelope": _errors(lambda response: {**response, "id": str(response["id"])})},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="error.id-left-out",
        breaks=("error.echoes-id",),
        says="No error has an id.",
        patch={"envelope": _errors(lambda response: {"jsonrpc": "2.0", "error": response["error"]})},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="error.id-invented",
        breaks=("error.unreadable-id-omitted",),
        says="The error for text that is not JSON has the id of no request.",
        patch={"parse_error": lambda original, _self, fault: {**original(fault), "id": "none"}},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="error.no-message",
        breaks=("error.member-shape",),
        says="Errors have no message.",
        patch={"envelope": _errors(_without("message"))},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="error.code-as-string",
        breaks=("error.integer-code",),
        says="The code for an unknown resource is a string.",
        patch={"not_found": _not_found_as("-32002")},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="error.stack-shown",
        breaks=("error.message-concise",),
        says="The message of an error is a stack trace.",
        patch={
            "envelope": _errors(lambda response: {**response, "error": {**response["error"], "message": STACK}}),
        },
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="error.parse-error-for-json",
        breaks=("error.standard-codes",),
        says="An unknown resource is refused as if the request were not JSON.",
        patch={"not_found": _not_found_as(errors.PARSE_ERROR)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="error.broken-json-internal",
        breaks=("error.parse-error",),
        says="Text that is not JSON is answered with -32603.",
        patch={"parse_error": lambda *_: Refusal(errors.INTERNAL_ERROR, "something went wrong").response()},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="error.broken-json-fatal",
        breaks=("error.broken-json-survived",),
        says="Text that is not JSON ends the server.",
        patch={"parse_error": lambda *_: sys.exit(1)},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="error.malformed-served",
        breaks=("error.invalid-request",),
        says="What is no request is answered with a result.",
        patch={"invalid_request": _serve_malformed},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="error.malformed-served-legacy",
        breaks=("error.invalid-request-refused", "jsonrpc.null-id-request-refused"),
        says="In a session, too, what is no request is answered with a result.",
        patch={"invalid_request": _serve_malformed},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="error.unknown-method-internal",
        breaks=("error.method-not-found",),
        says="An unknown method is answered with -32603.",
        patch={"unknown_method": _refuse_with(errors.INTERNAL_ERROR, "something went wrong")},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="error.undeclared-served",
        breaks=("error.method-not-found",),
        says="completion/complete is served without being declared.",
        patch={
            "modern_methods": lambda original, _self: {
                **original(),
                "completion/complete": lambda _params, _call: {"completion": {"values": []}},
            }
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="error.params-internal",
        breaks=("error.invalid-params",),
        says="Params that lack what is needed are answered with -32603.",
        patch={"check_params": _check_params_badly},
        transport="stdio",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="error.version-code-misused",
        breaks=("error.reserved-codes-own-meaning",),
        says="An unknown resource is refused with -32022.",
        patch={"not_found": _not_found_as(errors.UNSUPPORTED_PROTOCOL_VERSION)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="error.header-code-misused",
        breaks=("error.reserved-codes-own-meaning",),
        says="An unknown resource is refused with -32020, although the headers repeat the body.",
        patch={"not_found": _not_found_as(errors.HEADER_MISMATCH)},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="error.reserved-code",
        breaks=("error.reserved-range-only-defined",),
        says="An unknown resource is refused with -32050.",
        patch={"not_found": _not_found_as(-32050)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="error.retired-code",
        breaks=("error.retired-codes",),
        says="An unknown resource is refused with -32002 in the modern lineage, too.",
        patch={"not_found": _not_found_as(errors.RESOURCE_NOT_FOUND)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="error.legacy-code",
        breaks=("error.avoid-legacy-range",),
        says="An unknown resource is refused with -32010.",
        patch={"not_found": _not_found_as(-32010)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="error.own-code-reserved",
        breaks=("error.app-codes-outside-reserved",),
        says="An unknown resource is refused with -32500.",
        patch={"not_found": _not_found_as(-32500)},
        transport="stdio",
        revisions=MODERN,
    ),
)
