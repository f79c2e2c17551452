"""The server without any I/O: one message in, the messages that answer it out.

Both lineages are served side by side. Each rule is one method, on this object or on one of its parts, so that
a fault can replace it: see `mcprove_reference.faults`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.core import jsonrpc
from mcprove.core.errors import INVALID_REQUEST, PARSE_ERROR
from mcprove.core.jsonrpc import Kind
from mcprove.spec.revisions import MODERN, NEWEST_MODERN, Lineage
from mcprove_reference.exchange import Call, Refusal, params_of, readable_id
from mcprove_reference.legacy import Legacy
from mcprove_reference.modern import Modern
from mcprove_reference.offer import Offer

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Id, Json, Message, NotJson
    from mcprove_reference.exchange import Outgoing, Params, Session


class Server:
    """Answers messages of every revision that is spoken here, or of one lineage ``only``."""

    def __init__(self, only: Lineage | None = None) -> None:
        self.only = only
        self.offer = Offer()
        self.modern = Modern(self.offer)
        self.legacy = Legacy(self.offer)

    def parts(self) -> tuple[object, ...]:
        """Return the objects whose methods a fault can replace."""
        return (self, self.modern, self.legacy, *self.offer.parts())

    def receive(self, data: bytes, session: Session) -> list[Outgoing]:
        """Answer the bytes of one message; the response, if there is one, comes last."""
        try:
            message = jsonrpc.parse(data)
        except jsonrpc.NotJson as fault:
            return [self.parse_error(fault)]
        return self.handle(message, session)

    def handle(self, message: Message, session: Session) -> list[Outgoing]:
        """Answer one message; the response, if there is one, comes last."""
        match message.kind:
            case Kind.BATCH:
                return self.refuse_batch(message, session)
            case Kind.NOTIFICATION:
                return self.on_notification(message)
            case Kind.RESULT | Kind.ERROR:
                return self.on_response(message)
            case _ if message.defects:
                return [self.invalid_request(message)]
            case _:
                return self.on_request(message, session)

    def parse_error(self, fault: NotJson) -> Outgoing:
        """Answer what is not JSON. Keeps error.parse-error, error.unreadable-id-omitted."""
        return Refusal(PARSE_ERROR, f"parse error: {fault.reason}").response()

    def refuse_batch(self, _message: Message, _session: Session) -> list[Outgoing]:
        """Refuse an array and run nothing of it. Keeps batch.refused."""
        return [Refusal(INVALID_REQUEST, "an array is not a message").response()]

    def invalid_request(self, message: Message) -> Outgoing:
        """Answer JSON that is no request. Keeps error.invalid-request, jsonrpc.null-id-request-refused."""
        refusal = Refusal(INVALID_REQUEST, f"invalid request: {message.defects[0].detail}")
        return refusal.response(readable_id(message))

    def on_notification(self, _message: Message) -> list[Outgoing]:
        """Say nothing, and do nothing: no request outlives its answer, so that it could be cancelled.

        Keeps notif.no-response, notif.unknown-ignored, cancel.invalid-ignored.
        """
        return []

    def on_response(self, _message: Message) -> list[Outgoing]:
        """Say nothing, having asked nothing. Keeps jsonrpc.unknown-response-ignored."""
        return []

    def on_request(self, request: Message, session: Session) -> list[Outgoing]:
        """Answer a request under the rules of its lineage."""
        modern = self.is_modern(request, session)
        revision = NEWEST_MODERN if modern or session.revision is None else session.revision
        call = Call(revision, self.progress_token(params_of(request)))
        try:
            result = (
                self.modern.serve_modern(request, call) if modern else self.legacy.serve_legacy(request, call, session)
            )
        except Refusal as refusal:
            return [self.envelope(refusal.response(self.response_id(request)))]
        return self.deliver(call.notifications, self.envelope(jsonrpc.result(self.response_id(request), result)))

    def is_modern(self, request: Message, session: Session) -> bool:
        """Tell whether a request is modern: it says so, or its session can be nothing else."""
        if self.only is not None:
            return self.only is Lineage.MODERN
        return self.modern.declares_version(request) or session.revision in MODERN

    def progress_token(self, params: Params) -> Id | None:
        """Return the token that progress is asked for with, None where there is none."""
        metadata = params.get("_meta")
        token = metadata.get("progressToken") if isinstance(metadata, dict) else None
        return token if isinstance(token, str | int) and not isinstance(token, bool) else None

    def response_id(self, request: Message) -> Json:
        """Return the id of a response. Keeps jsonrpc.result-echoes-id, error.echoes-id."""
        return request.id

    def envelope(self, response: Outgoing) -> Outgoing:
        """Return a response as it goes out."""
        return response

    def deliver(self, notifications: list[Outgoing], response: Outgoing) -> list[Outgoing]:
        """Return what is said, in order. Keeps progress.stops-after-completion, http.sse-one-response."""
        return [*notifications, response]
