"""The rules of Streamable HTTP, as a function from a request to a reply; sockets are elsewhere.

Spec: basic/transports/streamable-http; for the legacy lineage 2025-11-25 basic/transports#streamable-http.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mcprove.core import headers as names
from mcprove.core import jsonrpc
from mcprove.core.errors import INVALID_REQUEST
from mcprove.core.jsonrpc import Kind
from mcprove.spec.revisions import LEGACY, MODERN, NEWEST_MODERN, Lineage
from mcprove_reference.exchange import Refusal, Session, params_of, readable_id
from mcprove_reference.header_rules import HeaderRules
from mcprove_reference.replies import Replies, Reply
from mcprove_reference.sessions import Rejection, Sessions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove.core.jsonrpc import Message
    from mcprove_reference.server import Server

    Headers = Mapping[str, str]  # any case of a name finds its value

ANSWER_TYPES = ("application/json", "text/event-stream")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def loopback_port(origin: str) -> int | None:
    """Return the port of an origin on the loopback address, None for any other origin."""
    try:
        place = urlsplit(origin)
        port = place.port
    except ValueError:
        return None
    return (port or 80) if place.scheme == "http" and place.hostname in LOOPBACK else None


class HttpFront:
    """One endpoint for both lineages."""

    def __init__(self, server: Server, answers: str = "json") -> None:
        self.server = server
        self.replies = Replies(answers)
        self.header_rules = HeaderRules()
        self.sessions = Sessions()

    def parts(self) -> tuple[object, ...]:
        """Return the objects whose methods a fault can replace."""
        return (self, self.replies, self.header_rules, self.sessions)

    def respond(self, method: str, headers: Headers, body: bytes) -> Reply:
        """Answer one HTTP request."""
        if not self.check_origin(headers):
            return self.foreign_origin()
        if method == "POST":
            return self.post(headers, body)
        if method in {"GET", "DELETE"} and self.in_session(headers):
            return self.get_or_delete(method, headers)
        return self.method_not_allowed()

    def check_origin(self, headers: Headers) -> bool:
        """Tell whether a request comes from a page of this very server, or from no page.

        Keeps http.origin-validated, http.origin-absent-or-valid-accepted.
        """
        own = f"http://{headers.get('Host', '')}"
        port = loopback_port(own)
        return port is not None and loopback_port(headers.get("Origin", own)) == port

    def foreign_origin(self) -> Reply:
        """Answer a foreign page. Keeps http.origin-invalid-403."""
        return self.replies.respond_json(403, Refusal(INVALID_REQUEST, "foreign origin").response())

    def method_not_allowed(self) -> Reply:
        """Answer what is no POST. Keeps http.get-405, http.delete-405."""
        return Reply(405, {"Allow": "POST"})

    def post(self, headers: Headers, body: bytes) -> Reply:
        """Answer a POST, which holds one message."""
        try:
            message = jsonrpc.parse(body)
        except jsonrpc.NotJson as fault:
            return self.replies.respond_json(400, self.server.parse_error(fault))
        try:
            if self.speaks_modern(headers, message):
                return self.post_modern(headers, message)
            return self.post_legacy(headers, message)
        except Rejection as rejection:
            echoed = readable_id(message) if message.kind is Kind.REQUEST else jsonrpc.OMIT
            return self.replies.respond_json(rejection.status, rejection.refusal.response(echoed))

    def speaks_modern(self, headers: Headers, message: Message) -> bool:
        """Tell the lineage of a message: modern, when its header or its ``_meta`` says so."""
        if self.server.only is not None:
            return self.server.only is Lineage.MODERN
        return headers.get(names.PROTOCOL_VERSION) in MODERN or self.server.modern.declares_version(message)

    def check_shape(self, message: Message) -> None:
        """Reject a malformed notification or response. Keeps http.unacceptable-input-status."""
        if message.kind in {Kind.NOTIFICATION, Kind.RESULT, Kind.ERROR} and message.defects:
            raise Rejection(400, message.defects[0].detail)

    # Modern requests.

    def post_modern(self, headers: Headers, message: Message) -> Reply:
        """Answer a message by itself, whatever came before it. Keeps http.session-id-ignored."""
        self.check_shape(message)
        if message.kind in {Kind.RESULT, Kind.ERROR}:
            raise Rejection(400, "no request was sent that this could respond to")
        if message.kind is Kind.REQUEST and not message.defects:
            self.check_headers(headers, message)
        return self.replies.answer(self.server.handle(message, Session(NEWEST_MODERN)), NEWEST_MODERN)

    def check_headers(self, headers: Headers, request: Message) -> None:
        """Reject headers that do not repeat the body, once there is a whole ``_meta`` to repeat."""
        if self.server.modern.meta_defect(params_of(request)) is None:
            self.header_rules.check(headers, request)

    # Legacy conversations.

    def post_legacy(self, headers: Headers, message: Message) -> Reply:
        """Answer a message of a session, or open one."""
        self.check_accept(headers)
        self.check_legacy_version(headers)
        if message.kind is Kind.REQUEST and message.method == "initialize":
            return self.open_session(message)
        session = self.sessions.find(headers)
        self.check_shape(message)
        return self.replies.answer(self.server.handle(message, session), session.revision)

    def check_accept(self, headers: Headers) -> None:
        """Reject a client that does not take both types of answer. Keeps http.accept-enforcement-unspecified."""
        accepted = headers.get("Accept", "*/*")
        if "*/*" not in accepted and not all(media_type in accepted for media_type in ANSWER_TYPES):
            raise Rejection(406, f"{' and '.join(ANSWER_TYPES)} have to be acceptable")

    def check_legacy_version(self, headers: Headers) -> None:
        """Reject a header that names no legacy revision. Keeps http.protocol-version-header-400."""
        version = headers.get(names.PROTOCOL_VERSION)
        if version is not None and version not in LEGACY:
            raise Rejection(400, f"{names.PROTOCOL_VERSION} is not supported")

    def open_session(self, message: Message) -> Reply:
        """Answer ``initialize`` and mint a session, unless it was refused."""
        session = Session()
        messages = self.server.handle(message, session)
        reply = self.replies.answer(messages, session.revision)
        if session.revision is None:
            return reply
        minted = {names.SESSION_ID: self.sessions.add(session)}
        return Reply(reply.status, {**reply.headers, **minted}, reply.chunks)

    def in_session(self, headers: Headers) -> bool:
        """Tell whether a GET or DELETE belongs to the legacy lineage, the only one that has them."""
        version = headers.get(names.PROTOCOL_VERSION)
        if self.server.only is not None:
            return self.server.only is Lineage.LEGACY
        return version not in MODERN and (version is not None or names.SESSION_ID in headers)

    def get_or_delete(self, method: str, headers: Headers) -> Reply:
        """Answer a GET or DELETE of a session."""
        try:
            self.check_legacy_version(headers)
            self.sessions.find(headers)
            return self.get(headers) if method == "GET" else self.delete(headers)
        except Rejection as rejection:
            return self.replies.respond_json(rejection.status, rejection.refusal.response())

    def get(self, headers: Headers) -> Reply:
        """Take up a broken stream again; there is no other one to get. Keeps http.get-sse-or-405."""
        resumed = self.replies.resume(headers.get(names.LAST_EVENT_ID, ""))
        return resumed or self.method_not_allowed()

    def delete(self, headers: Headers) -> Reply:
        """End the session."""
        self.sessions.end(headers)
        return Reply(204)
