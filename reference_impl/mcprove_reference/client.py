"""The client without any I/O: what it sends, what it makes of the answers, and what it repairs on the way.

Each rule is one method, on this object or on one of its parts, so that a fault can replace it. The client speaks both
lineages: `mcprove_reference.client_opening` finds out which, this module holds the conversation after that. Its
methods that return a `Talk` yield steps; a driver takes them (`mcprove_reference.client_stdio`, ``client_http``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mcprove.core.jsonrpc import Kind
from mcprove.spec.revisions import Lineage
from mcprove_reference.client_messages import Inbox, Messages
from mcprove_reference.client_opening import Opening, Terms
from mcprove_reference.client_reading import COMPLETE, Finding, Reader, failure, supported_versions
from mcprove_reference.client_steps import Answer, Ask, Restart, Silence, Tell, Unusable, as_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mcprove.core.jsonrpc import Id, Json, Message
    from mcprove_reference.client_steps import Event, Outgoing, Talk

PATIENCE, PROBE_PATIENCE = 30.0, 5.0
ROUNDS = 10

# What can be mended about a request that failed, by the name of the method that mends it.
REPAIRS: Mapping[Lineage, Mapping[Finding, str]] = {
    Lineage.MODERN: {
        Finding.VERSION_REFUSED: "renegotiate",
        Finding.EXIT: "start_again",
        Finding.BROKEN: "reissue",
    },
    Lineage.LEGACY: {
        Finding.EXIT: "start_again",
        Finding.SESSION_GONE: "open_session",
    },
}


class Refused(Unusable):
    """A request was answered with an error."""

    def __init__(self, text: str, code: Json) -> None:
        super().__init__(text)
        self.code = code


class Client:
    """One client of one server. `open` comes first, then any number of `request`."""

    def __init__(
        self,
        *,
        patience: float = PATIENCE,
        probe_patience: float = PROBE_PATIENCE,
        over_http: bool = False,
        ids: Iterable[Id] | None = None,
    ) -> None:
        """Take how long to wait for an answer and for that of the probe, in seconds."""
        self.patience = patience
        self.over_http = over_http
        self.messages = Messages(ids)
        self.reader = Reader()
        self.inbox = Inbox()
        self.opening = Opening(self.messages, self.reader, patience, min(patience, probe_patience))
        self.agreed: Terms | None = None

    def parts(self) -> tuple[object, ...]:
        """Return the objects whose methods a fault can replace."""
        return (self, self.messages, self.reader, self.inbox, self.opening)

    @property
    def terms(self) -> Terms:
        """What was agreed on; `open` has to come first."""
        assert self.agreed is not None
        return self.agreed

    @property
    def lineage(self) -> Lineage:
        """The lineage spoken just now, modern while that is not known."""
        return self.opening.revision.lineage

    def hear(self, message: Message) -> Outgoing | None:
        """Take a message from the server and return the reply that it is due, if any.

        A modern server has no requests to make, and none of its messages are answered. Notifications are
        tolerated: this client asks for nothing that they could be about. Keeps http.client-no-responses.
        """
        if message.kind is Kind.REQUEST:
            return self.messages.reply_to(message) if self.lineage is Lineage.LEGACY else None
        self.inbox.file_response(message)
        return None

    # The conversation.

    def open(self) -> Talk[Terms]:
        """Find out what the server speaks.

        Raises:
            Unusable: nothing that is spoken here.

        """
        step = self.opening.begin()
        return (yield from self.follow_opening(step))

    def follow_opening(self, step: Terms | Ask | Tell | Restart) -> Talk[Terms]:
        """Take the steps of the opening to their end."""
        while not isinstance(step, Terms):
            step = self.opening.on((yield step))
        self.agreed = step
        return step

    def request(self, method: str, params: Outgoing, headers: Mapping[str, str] | None = None) -> Talk[Outgoing]:
        """Make a request and return its complete result.

        Raises:
            Refused: it was answered with an error.
            Unusable: it was not answered, or with what is no result.

        """
        for _ in range(ROUNDS):
            result = yield from self.attempt(method, params, headers or {})
            if self.lineage is Lineage.LEGACY or self.reader.result_type(result) == COMPLETE:
                return result
            params = self.next_round(method, params, result)
        raise Unusable(f"{method} wants another round after {ROUNDS}")

    def attempt(self, method: str, params: Outgoing, headers: Mapping[str, str]) -> Talk[Outgoing]:
        """Make a request, again after each repair that was possible, and return its result."""
        repaired: set[str] = set()
        while True:
            ask = Ask(self.messages.build_request(self.terms.revision, method, params), self.patience, headers)
            event = yield ask
            repair = REPAIRS[self.lineage].get(self.reader.classify(event))
            if repair is None or repair in repaired:
                break
            repaired.add(repair)
            yield from getattr(self, repair)(event)
        if isinstance(event, Silence):
            yield from self.cancel(ask)
        return self.read_result(method, event)

    def read_result(self, method: str, event: Event) -> Outgoing:
        """Return the result in an answer."""
        if isinstance(event, Answer) and event.message.kind is Kind.ERROR:
            raise Refused(f"{method} {failure(event)}", event.message.error_code)
        if isinstance(event, Answer) and isinstance(event.message.result, dict):
            return as_object(event.message.result)
        raise Unusable(f"{method} {failure(event)}")

    def next_round(self, method: str, params: Outgoing, result: Outgoing) -> Outgoing:
        """Return the params of the retry that a server asks for which only wants to see its state again.

        Spec: basic/patterns/mrtr.
        """
        state = result.get("requestState")
        if result.get("inputRequests") or not isinstance(state, str):
            raise Unusable(f"{method} wants input, although this client declared no capability to give any")
        return {**params, "requestState": state}

    # The repairs: each is tried once a request.

    def renegotiate(self, event: Event) -> Talk[None]:
        """Take another of the versions that a refusal lists. Keeps version.client-retries-supported."""
        self.agreed = replace(self.terms, revision=self.reader.choose_modern(supported_versions(event)))
        yield from ()

    def start_again(self, _event: Event) -> Talk[None]:
        """Start the server again, which has died, and shake hands anew if that is its way."""
        yield Restart()
        yield from self.open_session(_event)

    def open_session(self, _event: Event) -> Talk[None]:
        """Begin a new session in place of one that is gone. Keeps http.session-client-reinitializes-on-404."""
        yield from self.follow_opening(self.opening.reopen(self.terms))

    def reissue(self, _event: Event) -> Talk[None]:
        """Do nothing: the request is lost with its stream and is sent anew. Keeps http.client-reissue-new-id."""
        yield from ()

    def cancel(self, ask: Ask) -> Talk[None]:
        """Tell the server to stop. Over HTTP a modern server is told by the end of the stream.

        Keeps http.client-cancels-explicitly, http.client-cancel-by-close.
        """
        if not (self.over_http and self.lineage is Lineage.MODERN):
            yield Tell(self.messages.cancelled(ask.id))
