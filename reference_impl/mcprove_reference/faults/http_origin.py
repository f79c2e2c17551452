"""Faults of Streamable HTTP: whom the server lets in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcprove.core import jsonrpc
from mcprove.core.errors import INVALID_REQUEST
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY
from mcprove_reference.exchange import Refusal
from mcprove_reference.faults.base import Fault

if TYPE_CHECKING:
    from mcprove_reference.replies import Reply

LEGACY_ONCE = (NEWEST_LEGACY,)
FOREIGN = Refusal(INVALID_REQUEST, "foreign origin")


def _repeat_id(original: Any, self: Any, verb: str, headers: Any, body: bytes) -> Reply:
    if verb == "POST" and not self.check_origin(headers):
        refused: Reply = self.replies.respond_json(403, FOREIGN.response(jsonrpc.parse(body).id))
        return refused
    reply: Reply = original(verb, headers, body)
    return reply


FAULTS = (
    Fault(
        id="http.any-origin",
        breaks=("http.origin-validated", "http.origin-invalid-403"),
        says="Pages of any origin are served.",
        patch={"check_origin": lambda _original, _self, _headers: True},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.origin-400",
        breaks=("http.origin-invalid-403",),
        says="A foreign page is refused with status 400.",
        patch={"foreign_origin": lambda _original, self: self.replies.respond_json(400, FOREIGN.response())},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.origin-error-id",
        breaks=("http.origin-error-body",),
        says="The error for a foreign page has an id.",
        patch={"respond": _repeat_id},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.no-page-at-all",
        breaks=("http.origin-absent-or-valid-accepted",),
        says="A page of the server's own is refused like any other.",
        patch={"check_origin": lambda original, _self, headers: "Origin" not in headers and original(headers)},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.listens-everywhere",
        breaks=("http.bind-localhost",),
        says="The server listens on every address of the machine.",
        transport="http",
        revisions=MODERN,
        options={"host": "0.0.0.0"},  # noqa: S104 - that is the fault
    ),
)
