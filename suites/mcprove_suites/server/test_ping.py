"""Pings of the legacy lineage."""

from __future__ import annotations

from mcprove import Exchange, Json, NotApplicable, Probe, expect, requirement, show
from mcprove.core.jsonrpc import Kind

META_ONLY = {"_meta"}


@requirement("ping.reply-empty")
def test_answers_a_ping(legacy: Probe) -> None:
    """A ping without parameters gets an empty result."""
    expect_empty(legacy.request("ping"))


@requirement("ping.reply-empty")
def test_answers_a_ping_with_metadata(legacy: Probe) -> None:
    """Metadata, which any request may carry, changes nothing."""
    expect_empty(legacy.request("ping", {"_meta": {"progressToken": "mcprove"}}))


@requirement("ping.no-params", last=True)
def test_pings_without_parameters(legacy: Probe) -> None:
    """What the server has sent as pings carries no parameters but metadata."""
    pings = [item.message for item in legacy.transcript.heard if is_ping(item.message.kind, item.message.method)]
    if not pings:
        raise NotApplicable("the server has sent no ping")
    full = [ping for ping in pings if set(ping.params if isinstance(ping.params, dict) else {}) - META_ONLY]
    expect(not full, "a ping has no parameters but _meta", actual=show(full[0].raw) if full else None)


def expect_empty(answer: Exchange) -> None:
    """Ask for a result without members; metadata, which any result may carry, is none."""
    result = answer.expect_result("an empty result")
    expect(not set(result) - META_ONLY, "an empty result", answer)


def is_ping(kind: Kind, method: Json) -> bool:
    """Return whether a message of the server is a ping."""
    return kind is Kind.REQUEST and method == "ping"
