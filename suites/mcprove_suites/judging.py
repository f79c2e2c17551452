"""What closing checks share: all that was heard in a lane, and the offences against a rule in it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcprove import Exchange, Inconclusive, Kind, Lineage, Message, NotApplicable, Probe, Revision, advise, expect, show
from mcprove.core import headers, meta
from mcprove.spec.methods import MethodKind, method
from mcprove_suites.served import served_requests

if TYPE_CHECKING:
    from collections.abc import Iterable, Sized

    from mcprove import Json, Transcript

# Diagnostic tools that say more than their result, where a server has them.
TALKATIVE = ("test_tool_with_progress", "test_tool_with_logging")
# What no server has, by the capability that lets a client ask for it.
UNKNOWN: dict[str, tuple[str, dict[str, Json]]] = {
    "tools": ("tools/call", {"name": "mcprove-no-such-tool"}),
    "prompts": ("prompts/get", {"name": "mcprove-no-such-prompt"}),
    "resources": ("resources/read", {"uri": "mcprove://no-such-resource"}),
}
UNKNOWN_METHOD = "mcprove/no-such-method"


@dataclass(frozen=True, slots=True)
class Offence:
    """One departure from a rule: what is wrong, with the message and the exchange that show it."""

    detail: str
    message: Message
    exchange: Exchange | None


def everything_heard(probe: Probe) -> Transcript:
    """Return the record of the lane, in which each kind of answer that can be had safely was asked for."""
    probe.once(_talk)
    if not probe.transcript.heard:
        raise Inconclusive("nothing was heard in this lane")
    return probe.transcript


def _talk(probe: Probe) -> None:
    with suppress(Inconclusive):
        served_requests(probe)
    refused = [(UNKNOWN_METHOD, None), *(UNKNOWN[name] for name in UNKNOWN if name in probe.capabilities)]
    for name, params in refused:
        probe.request(name, params)
    with suppress(Inconclusive, NotApplicable):
        for name in TALKATIVE:
            if name in {tool.get("name") for tool in probe.tools()}:
                probe.request("tools/call", {"name": name}, meta={"progressToken": "mcprove"})


def defects(probe: Probe, *rules: str) -> list[Offence]:
    """Return the departures from these envelope rules (slugs of `mcprove.core.envelope`) in all that was heard."""
    return [
        Offence(defect.detail, item.message, item.exchange)
        for item in everything_heard(probe).heard
        for defect in item.message.defects
        if defect.rule in rules
    ]


def answers(probe: Probe) -> list[tuple[Exchange, Message]]:
    """Return each request of the lane that was answered, with its answer."""
    sent = everything_heard(probe).exchanges
    return [(exchange, exchange.answer) for exchange in sent if exchange.answer is not None]


def modern_answers(modern: Probe) -> list[tuple[Exchange, Message]]:
    """Return what was answered to messages that declare the revision of the lane wherever they have to.

    A dual-era server may take any other message for a legacy one and answer it by the rules of that lineage.
    """
    return [(exchange, answer) for exchange, answer in answers(modern) if declares(exchange, modern.revision)]


def declares(exchange: Exchange, revision: Revision) -> bool:
    """Return whether a message was sent as one of a modern revision, in its body and over HTTP in its header."""
    params = body_of(exchange).get("params")
    metadata = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(metadata, dict) or not isinstance(metadata.get(meta.CLIENT_CAPABILITIES), dict):
        return False
    header = exchange.sent_headers.get(headers.PROTOCOL_VERSION, revision if exchange.status is None else None)
    return metadata.get(meta.PROTOCOL_VERSION) == header == revision


def body_of(exchange: Exchange) -> dict[str, Json]:
    """Return the message that was sent, empty where it was no object."""
    message = exchange.sent_message
    return message.value if message and isinstance(message.value, dict) else {}


def is_well_formed(exchange: Exchange) -> bool:
    """Return whether what was sent is a message without any defect."""
    message = exchange.sent_message
    return message is not None and not message.defects


def is_request(message: Message) -> bool:
    """Return whether a message is a request, by its id or by its method."""
    known = method(message.method) if message.method else None
    asks = known is not None and known.kind is not MethodKind.NOTIFICATION
    return message.kind is Kind.REQUEST or (message.kind is Kind.NOTIFICATION and asks)


def same_id(one: Json, other: Json) -> bool:
    """Return whether two ids are one JSON value: 1 and 1.0 are, 1 and "1" or true are not."""
    alike = type(one) is type(other) or {type(one), type(other)} == {int, float}
    return alike and one == other


def may_be_legacy(modern: Probe) -> bool:
    """Return whether a message without a version may be a legacy one to this server: over HTTP a header tells."""
    return not modern.is_http and modern.survey.speaks(modern.lane.transport, Lineage.LEGACY)


def expect_none(offences: Iterable[Offence], expected: str, *, mild: bool = False) -> None:
    """Ask that there are no offences: show the first, and count those that differ from it.

    Mild ones warn at most.
    """
    found = list({offence.detail: offence for offence in reversed(list(offences))}.values())[::-1]
    for first in found[:1]:
        more = f" (and {len(found) - 1} other departures)" if len(found) > 1 else ""
        actual = f"{show(first.detail, 200)} in {show(first.message.raw, 300)}{more}"
        (advise if mild else expect)(False, expected, first.exchange, actual=actual)


def given_some(found: Sized, what: str) -> None:
    """Go on only if there is something to judge: what a target never sends breaks no rule."""
    if not len(found):
        raise NotApplicable(f"the server sent no {what}")


def given_errors(server: Probe) -> None:
    """Go on only if an error came, whatever its shape."""
    if not any(item.message.kind is Kind.ERROR for item in everything_heard(server).heard):
        raise NotApplicable("the server sent no error")
