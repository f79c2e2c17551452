"""The tester's end towards a server: send anything, see everything."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from mcprove.core import jsonrpc
from mcprove.core.errors import UNSUPPORTED_PROTOCOL_VERSION
from mcprove.core.framing import explain
from mcprove.core.headers import PROTOCOL_VERSION, SESSION_ID
from mcprove.core.jsonrpc import MISSING, Json
from mcprove.dialect import CLIENT_INFO, change, dress_headers, dress_params, looks_modern
from mcprove.exchange import Exchange
from mcprove.lane import HTTP, Lane
from mcprove.launch import exposure
from mcprove.spec.revisions import NEWEST_MODERN, Lineage, Revision
from mcprove.transports.routing import DOUBT
from mcprove.verdict import Inconclusive, NotApplicable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mcprove.survey import Survey
    from mcprove.tester import Tester
    from mcprove.transcript import Transcript
    from mcprove.transports.connection import Connection

Kept = TypeVar("Kept")

PAGE_LIMIT = 200
# After so many requests without an answer the lane stops waiting the whole deadline for each.
PATIENCE = 3
IMPATIENT = 1.0
HTTP_BAD_REQUEST = 400
UNOFFERED = "1900-01-01"


class Probe:
    """One connection to the target in a lane, and everything that was heard in that lane.

    ``opening`` is the exchange that began the conversation (``server/discover`` or ``initialize``), None on a
    connection that nothing was said on yet. ``capabilities`` and ``server_info`` are what it declared.
    """

    def __init__(self, lane: Lane, tester: Tester, connection: Connection) -> None:
        """Wrap an open connection; `open` begins the conversation."""
        self.lane = lane
        self.opening: Exchange | None = None
        self._tester = tester
        self._connection = connection
        self._session: dict[str, str] = {}
        self._minds_versions = False

    # What the target is.

    @property
    def revision(self) -> Revision:
        """The revision of the lane."""
        return self.lane.revision

    @property
    def is_http(self) -> bool:
        """Whether the lane runs over Streamable HTTP."""
        return self.lane.transport == HTTP

    @property
    def survey(self) -> Survey:
        """What the target was found to speak, in all lanes."""
        return self._tester.survey

    @property
    def transcript(self) -> Transcript:
        """The record of the lane."""
        return self._connection.transcript

    @property
    def ending(self) -> str | None:
        """How the connection ended, None while it is open."""
        return self._connection.ending

    @property
    def session_id(self) -> str | None:
        """The session id that the server gave on ``initialize``, if it did."""
        return self._session.get(SESSION_ID)

    @property
    def capabilities(self) -> dict[str, Json]:
        """What the server declared to offer."""
        declared = (self.opening.result or {}).get("capabilities") if self.opening else None
        return declared if isinstance(declared, dict) else {}

    @property
    def allowed_tools(self) -> frozenset[str]:
        """The tools that the user allows to call, whatever they do."""
        return self._tester.allowed_tools

    def need(self, capability: str) -> None:
        """Go on only if the server declares a capability, dotted like ``resources.subscribe``."""
        place: Json = self.capabilities
        for name in capability.split("."):
            place = place.get(name) if isinstance(place, dict) else None
        if place is None or place is False:
            raise NotApplicable(f"the server does not declare {capability}")

    # What is sent.

    def request(
        self,
        method: str,
        params: Json = None,
        *,
        id: Json = MISSING,  # noqa: A002
        meta: Mapping[str, Json] | None = None,
        version: str | None = None,
        headers: Mapping[str, str | None] | None = None,
        era: Revision | None = None,
        deadline: float | None = None,
    ) -> Exchange:
        """Send a request and return the exchange, answered or not.

        ``meta`` changes members of ``params._meta``, ``headers`` those of HTTP (None leaves one out), ``version``
        declares another version in both, ``era`` dresses the request as one of another revision.
        """
        exchange = self._compose(method, params, id, meta, version, headers, era or self.revision)
        self._ask(exchange, deadline)
        if not looks_modern(exchange.sent_message):
            self._stay_modern()
        return exchange

    def notify(
        self,
        method: str,
        params: Json = None,
        *,
        meta: Mapping[str, Json] | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Exchange:
        """Send a notification, then a request whose answer proves that none is coming for it."""
        dressed = dress_params(self.revision, params, meta, self.revision)
        return self.send(jsonrpc.notification(method, dressed), headers=headers, fences=1)

    def send(
        self,
        payload: bytes | Json,
        *,
        method: str | None = None,
        headers: Mapping[str, str | None] | None = None,
        fences: int = 2,
    ) -> Exchange:
        """Send anything, then ``fences`` requests by whose answers whatever it provokes has come.

        Over HTTP the headers are those of ``method``, or of the method in the payload.
        """
        data = payload if isinstance(payload, bytes) else jsonrpc.dump(payload)
        body = payload if isinstance(payload, dict) else {}
        named = method or (body.get("method") if isinstance(body.get("method"), str) else None)
        dressed = self._headers(self.revision, named if isinstance(named, str) else None, body.get("params"), None)
        exchange = Exchange(str(named or "message"), data, sent_headers=change(dressed, headers or {}))
        waits = [self._fence() for _ in range(fences)]
        self._tester.run(self._connection.tell, exchange, waits, self._deadline())
        self._stay_modern()
        return exchange

    def http(self, verb: str, body: bytes = b"", *, headers: Mapping[str, str | None] | None = None) -> Exchange:
        """Send a bare HTTP request to the endpoint; of a stream only the beginning is read."""
        dressed = self._headers(self.revision, None, None, None)
        exchange = Exchange(verb, body, verb=verb, sent_headers=change(dressed, headers or {}), head_only=not body)
        self._ask(exchange)
        return exchange

    # Further connections of the same lane.

    def fresh(self, revision: Revision | None = None) -> Probe:
        """Open a connection like `virgin`, which stays open until the end of the run."""
        return self._tester.connect(Lane(self.lane.transport, revision or self.revision))

    @contextmanager
    def virgin(self, revision: Revision | None = None) -> Iterator[Probe]:
        """Open another connection (over stdio a process) on which nothing was said yet.

        What is sent on it is dressed as the lane's revision, or as ``revision``, in whose lane it then counts.
        """
        other = self.fresh(revision)
        try:
            yield other
        finally:
            other.close()

    @contextmanager
    def again(self, revision: Revision | None = None) -> Iterator[Probe]:
        """Open another connection and begin the conversation on it, at the lane's revision or at ``revision``."""
        with self.virgin(revision) as other:
            if not other.open():
                raise Inconclusive(f"a second connection could not be opened: {other.trouble()}")
            yield other

    def open(self, version: str | None = None) -> bool:
        """Begin the conversation at the lane's revision; return whether the server agreed to it."""
        if self.lane.lineage is Lineage.MODERN:
            self.opening = self.request("server/discover", deadline=self._tester.start_timeout)
            self._minds_versions = not self.is_http and self._refuses_a_version()
            return self.opening.result is not None
        self.opening = self.initialize(version or self.revision)
        if (self.opening.result or {}).get("protocolVersion") != (version or self.revision):
            return False
        self.initialized()
        self._mind_the_age_of_the_header()
        return True

    def _mind_the_age_of_the_header(self) -> None:
        """Leave the version header out at 2024-11-05 where it is refused: that revision has none."""
        if not self.is_http or self.revision is not Revision.R2024_11_05:
            return
        tried = {value: self.request("ping", headers={PROTOCOL_VERSION: value}) for value in (self.revision, None)}
        for exchange in tried.values():
            self.transcript.forget(exchange)
        if tried[self.revision].status == HTTP_BAD_REQUEST and not tried[None].http_refused:
            self._tester.headerless.add(self.lane)

    def initialize(self, version: Json, *, capabilities: Json = None) -> Exchange:
        """Send ``initialize`` for a version, whatever the lane's, and keep the session that it begins."""
        params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": CLIENT_INFO}
        era = Revision.R2025_11_25 if self.lane.lineage is Lineage.MODERN else self.revision
        exchange = self._compose("initialize", params, MISSING, None, None, {"MCP-Protocol-Version": None}, era)
        self._ask(exchange, self._tester.start_timeout)
        if exchange.result is not None:
            self._connection.remember_opening(exchange.sent)
            if session := exchange.headers.get(SESSION_ID.lower()):
                self._session[SESSION_ID] = session
        return exchange

    def initialized(self) -> Exchange:
        """Send ``notifications/initialized``."""
        exchange = self.notify("notifications/initialized")
        self._connection.remember_opening(exchange.sent)
        return exchange

    def overtake(self) -> None:
        """Send an opening of the other lineage behind one that is silent; once answered, give the first one up."""
        if self.lane.lineage is Lineage.LEGACY:
            second = self.request("server/discover", era=NEWEST_MODERN)
        else:
            params = {"protocolVersion": Revision.R2025_11_25, "capabilities": {}, "clientInfo": CLIENT_INFO}
            second = self.request("initialize", params, era=Revision.R2025_11_25)
        if second.answer is not None:
            self.abandon()

    def abandon(self) -> None:
        """Let every request that waits for its answer go on without it."""
        self._tester.run_soon(self._connection.abandon)

    def close(self) -> None:
        """End the connection; over stdio the process and everything in its group."""
        self._tester.forget(self._connection)

    def end_input(self, patience: float) -> float | None:
        """Close the target's standard input; return the seconds until it exits, None if it does not."""
        return self._tester.run(self._connection.end_input, patience)

    def settle(self) -> None:
        """Wait until every stream that was answered has ended, or was given up on."""
        self._tester.run(self._connection.settle)

    def exposure(self) -> str | None:
        """Return the address beyond loopback at which the server's port accepts connections, None if it does not."""
        return self._tester.run(exposure, self.survey.url or "")

    def trouble(self) -> str:
        """Return why the conversation did not begin, with the end of the target's stderr."""
        said = self.opening.describe() if self.opening else "nothing was sent"
        cause = None if self.is_http else explain([item.data for item in self.transcript.junk])
        said += f"; its stdout has {cause}" if cause else ""
        tail = self._connection.stderr_tail
        return f"{said}\nthe end of its stderr:\n{tail}" if tail else said

    # Helpers that many checks share.

    def once(self, scene: Callable[[Probe], Kept]) -> Kept:
        """Play a scene once in this lane and return what it returned, however many checks ask for it."""
        kept = self._tester.kept(self.lane)
        if scene not in kept:
            kept[scene] = scene(self)
        return kept[scene]  # type: ignore[return-value]

    def pages(self, method: str = "tools/list", limit: int = PAGE_LIMIT) -> list[Exchange]:
        """Walk a list to its end, at most ``limit`` pages."""
        walked = [self.request(method)]
        while (cursor := (walked[-1].result or {}).get("nextCursor")) is not None and len(walked) < limit:
            walked.append(self.request(method, {"cursor": cursor}))
        return walked

    def tools(self) -> list[dict[str, Json]]:
        """Return every tool that is an object, from all pages; the walk is made once in the lane."""
        self.need("tools")
        return self.once(_list_tools)

    # How it is sent.

    def _compose(
        self,
        method: str,
        params: Json,
        request_id: Json,
        meta: Mapping[str, Json] | None,
        version: str | None,
        headers: Mapping[str, str | None] | None,
        era: Revision,
    ) -> Exchange:
        dressed = dress_params(era, params, meta, version or era)
        known = self._tester.next_id() if request_id is MISSING else request_id
        sent = jsonrpc.dump(jsonrpc.request(known, method, dressed))
        fields = change(self._headers(era, method, dressed, version), headers or {})
        return Exchange(method, sent, request_id=known, sent_headers=fields)

    def _headers(self, era: Revision, method: str | None, params: Json, version: str | None) -> dict[str, str]:
        if not self.is_http:
            return {}
        if era.lineage is Lineage.MODERN:
            return dress_headers(era, method, params, version or era)
        dressed = {**dress_headers(era, method, params, version or era), **self._session}
        return change(dressed, {PROTOCOL_VERSION: None}) if self.lane in self._tester.headerless else dressed

    def _fence(self) -> Exchange:
        method = "server/discover" if self.lane.lineage is Lineage.MODERN else "ping"
        return self._compose(method, None, MISSING, None, None, None, self.revision)

    def _stay_modern(self) -> None:
        """Take another process if this one has turned to the legacy lineage.

        Over stdio a server of both lineages may serve all of a process by the rules of one, and may take whatever
        lacks the metadata of a modern request for the beginning of a legacy conversation. What is judged in a modern
        lane has to be said to a process that is modern still.
        """
        if self._minds_versions and self.ending is None and not self._refuses_a_version():
            self.close()
            self._connection = self._tester.process(self.lane)
            self.open()

    def _refuses_a_version(self) -> bool:
        """Return whether a version that nobody offers is refused, as by no server of the legacy lineage.

        Plain requests go before, so that nothing late is taken for the refusal, and one follows, lest the refusal
        tell on anything that is judged; none of them goes on record.
        """
        method = "tools/list" if "tools" in self.capabilities else "server/discover"
        refused = self._compose(method, None, MISSING, None, UNOFFERED, None, self.revision)
        for exchange in (*(self._fence() for _ in range(DOUBT)), refused, self._fence()):
            self._ask(exchange)
            self.transcript.forget(exchange)
        return refused.error is not None and refused.error.code == UNSUPPORTED_PROTOCOL_VERSION

    def _ask(self, exchange: Exchange, deadline: float | None = None) -> None:
        self._tester.run(self._connection.ask, exchange, deadline or self._deadline())
        if exchange.timed_out is not None and deadline is None:
            self._tester.note_silence(self.lane)

    def _deadline(self) -> float:
        return self._tester.deadline(self.lane)


def _list_tools(probe: Probe) -> list[dict[str, Json]]:
    walked = probe.pages()
    listed = [tool for page in walked for tool in _members(page)]
    if not walked[0].result:
        raise Inconclusive(f"tools/list was not answered with a result: {walked[0].describe()}")
    return listed


def _members(page: Exchange) -> list[dict[str, Json]]:
    tools = (page.result or {}).get("tools")
    return [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
