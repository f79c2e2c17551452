"""What checks of Streamable HTTP share: scenes played once in a lane, and which servers a rule binds."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mcprove import Exchange, Inconclusive, Json, Kind, Lineage, NotApplicable, Probe, Revision
from mcprove.core import headers
from mcprove.spec.revisions import BATCHING_REVISION
from mcprove_suites.judging import everything_heard
from mcprove_suites.openings import answer_to_batching_revision
from mcprove_suites.served import LISTS, served_requests

if TYPE_CHECKING:
    from collections.abc import Mapping

JSON_TYPE, SSE_TYPE = "application/json", "text/event-stream"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
# The requests whose Mcp-Name header repeats a parameter, by the capability that they need.
NAMED: Mapping[str, str] = {"tools/call": "tools", "prompts/get": "prompts", "resources/read": "resources"}
NOT_THE_NAME = "mcprove-not-the-name"


def on_loopback(probe: Probe) -> None:
    """Go on only with a server on this machine: whom one that is meant for others trusts is configuration."""
    host = urlsplit(probe.survey.url or "").hostname
    if host not in LOOPBACK:
        raise NotApplicable(f"{host} is not the loopback address: which origins it trusts is a matter of configuration")


def modern_only(modern: Probe) -> None:
    """Go on only with a server that speaks nothing but the modern lineage."""
    if modern.survey.speaks(modern.lane.transport, Lineage.LEGACY):
        raise NotApplicable("the server speaks revisions before 2026-07-28 too")


def without_early_clients(modern: Probe) -> None:
    """Go on only with a server that serves no client from before the MCP-Protocol-Version header."""
    early = [each for each in modern.survey.revisions(modern.lane.transport) if each < Revision.R2025_06_18]
    dual = modern.survey.speaks(modern.lane.transport, Lineage.LEGACY)
    if early or (dual and modern.once(answer_to_batching_revision) == BATCHING_REVISION):
        raise NotApplicable("the server serves clients older than 2025-06-18, which send no version header")


def named_request(modern: Probe, method: str) -> dict[str, Json]:
    """Return parameters of a request with an Mcp-Name header that the server was seen to serve."""
    feature = NAMED[method]
    modern.need(feature)
    params = dict(served_requests(modern)).get(method)
    if not isinstance(params, dict):
        listed = (modern.request(LISTS[feature]).result or {}).get(feature)
        if listed == []:
            raise NotApplicable(f"the server lists no {feature}")
        raise Inconclusive(f"no {method} was served that is known to be harmless")
    return params


def named_requests(modern: Probe) -> list[tuple[str, dict[str, Json]]]:
    """Return the requests with an Mcp-Name header that the server was seen to serve, at least one."""
    found, doubts = [], []
    for method in NAMED:
        try:
            found.append((method, named_request(modern, method)))
        except NotApplicable:
            continue
        except Inconclusive as doubt:
            doubts.append(doubt)
    if doubts and not found:
        raise doubts[0]
    if not found:
        raise NotApplicable("the server offers neither tools nor prompts nor resources")
    return found


def header_faults(modern: Probe) -> list[Exchange]:
    """Send requests that are served otherwise, each with one fault in a header that mirrors its body."""
    method, params = served_requests(modern)[0]
    other = "server/discover" if method != "server/discover" else "tools/list"
    sent = [modern.request(method, params, headers={headers.METHOD: value}) for value in (None, other, method.upper())]
    served = dict(served_requests(modern))
    for name in (name for name in NAMED if name in served):
        sent += [modern.request(name, served[name], headers={headers.NAME: value}) for value in (None, NOT_THE_NAME)]
    return sent


def refused_faults(modern: Probe) -> list[Exchange]:
    """Return those of the header faults that were refused in whatever way, at least one."""
    refused = [each for each in modern.once(header_faults) if not each.served and each.status is not None]
    if not refused:
        raise Inconclusive("no fault in a header was refused")
    return refused


def processed(probe: Probe) -> list[Exchange]:
    """Return every well-formed request of the lane that was posted and answered with a status of success."""
    sent = [each for each in everything_heard(probe).exchanges if each.verb == "POST" and each.status is not None]
    found = [each for each in sent if 200 <= (each.status or 0) < 300 and is_request(each)]
    probe.settle()
    if not found:
        raise Inconclusive("no request was answered with a status of success")
    return found


def is_request(exchange: Exchange) -> bool:
    """Return whether a well-formed request was sent."""
    message = exchange.sent_message
    return message is not None and message.kind is Kind.REQUEST and not message.defects


def own_stream(legacy: Probe) -> Exchange:
    """Open a stream by GET in a session of its own, for one session may have one such stream only."""
    with legacy.again() as fresh:
        opened = fresh.http("GET", headers={"Accept": SSE_TYPE, "Content-Type": None})
    if opened.status is None:
        raise Inconclusive(f"GET was not answered: {opened.describe()}")
    return opened


def in_session(legacy: Probe) -> str:
    """Return the session id, or go on only with a server that has sessions."""
    if legacy.session_id is None:
        raise NotApplicable("the server gives no session id")
    return legacy.session_id


def ended_session(legacy: Probe) -> tuple[Exchange, Exchange, Exchange]:
    """End a session by DELETE; return a ping before it, the DELETE and a ping under the same id after it."""
    with legacy.again() as fresh:
        in_session(fresh)
        before = fresh.request("ping")
        deleted = fresh.http("DELETE", headers={"Content-Type": None})
        return before, deleted, fresh.request("ping")
