"""Faults of Streamable HTTP: sessions, GET, DELETE and the version header of the legacy lineage."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcprove.core import headers as names
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY
from mcprove_reference.exchange import Session
from mcprove_reference.faults.base import Fault
from mcprove_reference.replies import Reply
from mcprove_reference.sessions import Rejection

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove.core.jsonrpc import Message
    from mcprove_reference.faults.base import Patch

LEGACY_ONCE = (NEWEST_LEGACY,)
MODERN_ONLY = {"lineage": "modern"}
# Its own ids are longer.
SHORT = 32


def _need_version(original: Any, _self: Any, headers: Mapping[str, str]) -> None:
    if names.SESSION_ID in headers and names.PROTOCOL_VERSION not in headers:
        raise Rejection(400, f"{names.PROTOCOL_VERSION} is missing")
    original(headers)


def _other_session(original: Any, _self: Any, headers: Any, message: Message) -> Reply:
    reply: Reply = original(headers, message)
    changed = replace(reply, headers={**reply.headers, names.SESSION_ID: "another"})
    return changed if message.method == "ping" else reply


def _reject(status: int) -> Session:
    raise Rejection(status, f"{names.SESSION_ID} is missing")


def _mind(header: str) -> Patch:
    """Return a patch of ``post_modern`` that refuses requests with a header."""

    def post_modern(original: Any, _self: Any, headers: Mapping[str, str], message: Message) -> Reply:
        if header in headers:
            raise Rejection(404, f"{header} names nothing that is known")
        reply: Reply = original(headers, message)
        return reply

    return post_modern


def _mint(original: Any, self: Any, headers: Any, message: Message) -> Reply:
    reply: Reply = original(headers, message)
    return replace(reply, headers={**reply.headers, names.SESSION_ID: self.sessions.mint_id()})


def _not_found(verb: str) -> Patch:
    """Return a patch of ``respond`` that answers a verb with status 404."""
    return lambda original, _self, method, headers, body: (
        Reply(404) if method == verb else original(method, headers, body)
    )


FAULTS = (
    Fault(
        id="http.version-header-needed",
        breaks=("http.protocol-version-header-default",),
        says="A request without MCP-Protocol-Version is refused, although its session has a version.",
        patch={"check_legacy_version": _need_version},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.version-header-ignored",
        breaks=("http.protocol-version-header-400",),
        says="MCP-Protocol-Version may be anything.",
        patch={"check_legacy_version": lambda _original, _self, _headers: None},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.get-text",
        breaks=("http.get-sse-or-405",),
        says="GET is answered with a text.",
        patch={
            "get": lambda _original, _self, _headers: Reply(200, {"Content-Type": "text/plain"}, (b"no streams here",))
        },
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.session-id-changes",
        breaks=("http.session-id-assignment",),
        says="The answers to ping show another session id.",
        patch={"post_legacy": _other_session},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.session-id-with-blank",
        breaks=("http.session-id-visible-ascii",),
        says="There is a blank in session ids.",
        patch={"mint_id": lambda original, _self: f"session {original()}"},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.session-ids-counted",
        breaks=("http.session-id-unpredictable",),
        says="Session ids are consecutive numbers.",
        patch={"mint_id": lambda _original, self: str(len(self.open) + 1)},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.session-missing-403",
        breaks=("http.session-missing-id-400",),
        says="A request without a session id is refused with status 403.",
        patch={"missing_id": lambda _original, _self: _reject(403)},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.session-made-up",
        breaks=("http.session-unknown-id",),
        says="A client may make up a session id.",
        patch={
            "unknown_id": lambda original, _self, name: Session(NEWEST_LEGACY) if len(name) < SHORT else original(name)
        },
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.session-undying",
        breaks=("http.session-404-after-delete",),
        says="A session goes on after DELETE.",
        patch={"end": lambda _original, _self, _headers: None},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.delete-501",
        breaks=("http.session-delete-405",),
        says="DELETE is answered with status 501.",
        patch={"delete": lambda _original, _self, _headers: Reply(501)},
        transport="http",
        revisions=LEGACY_ONCE,
    ),
    Fault(
        id="http.modern-get-404",
        breaks=("http.get-405",),
        says="A server without GET answers it with status 404.",
        patch={"respond": _not_found("GET")},
        transport="http",
        revisions=MODERN,
        options=MODERN_ONLY,
    ),
    Fault(
        id="http.modern-delete-404",
        breaks=("http.delete-405",),
        says="A server without DELETE answers it with status 404.",
        patch={"respond": _not_found("DELETE")},
        transport="http",
        revisions=MODERN,
        options=MODERN_ONLY,
    ),
    Fault(
        id="http.modern-session-minded",
        breaks=("http.session-id-ignored",),
        says="A server without sessions refuses a session id.",
        patch={"post_modern": _mind(names.SESSION_ID)},
        transport="http",
        revisions=MODERN,
        options=MODERN_ONLY,
    ),
    Fault(
        id="http.modern-last-event-minded",
        breaks=("http.last-event-id-ignored",),
        says="A server without resumption refuses a Last-Event-ID.",
        patch={"post_modern": _mind(names.LAST_EVENT_ID)},
        transport="http",
        revisions=MODERN,
        options=MODERN_ONLY,
    ),
    Fault(
        id="http.modern-session-minted",
        breaks=("http.no-session-id-minted",),
        says="A server without sessions gives out session ids.",
        patch={"post_modern": _mint},
        transport="http",
        revisions=MODERN,
        options=MODERN_ONLY,
    ),
)
