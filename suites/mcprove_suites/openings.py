"""How conversations begin: scenes that several checks judge, each played once in a lane."""

from __future__ import annotations

from dataclasses import dataclass

from mcprove import Exchange, Inconclusive, Lineage, NotApplicable, Probe, Revision
from mcprove.core.jsonrpc import Kind
from mcprove.spec.revisions import BATCHING_REVISION
from mcprove_suites.served import LISTS

LONG_AGO, NOT_YET = "1900-01-01", "2099-12-31"


@dataclass(frozen=True, slots=True)
class Handshake:
    """A handshake in slow motion: a ping before ``notifications/initialized``, then a second ``initialize``.

    ``premature`` are the requests other than ping that the server sent before ``notifications/initialized``;
    ``probe`` is the connection, which stays open.
    """

    probe: Probe
    opening: Exchange
    ping: Exchange
    premature: list[str]
    initialized: Exchange
    first: Exchange
    second: Exchange
    last: Exchange


def legacy_revisions(probe: Probe) -> list[Revision]:
    """Return the legacy revisions that the target speaks over this transport, oldest first."""
    return [each for each in probe.survey.revisions(probe.lane.transport) if each.lineage is Lineage.LEGACY]


def newest_only(probe: Probe) -> None:
    """Go on only in the newest legacy lane: an exchange that does not depend on the lane is judged once."""
    newest = legacy_revisions(probe)[-1]
    if probe.revision is not newest:
        raise NotApplicable(f"the same in every legacy lane; judged in that of {newest}")


def a_list(probe: Probe) -> str:
    """Return a list method of a feature that the server declares, if it declares any."""
    found = next((method for feature, method in LISTS.items() if feature in probe.capabilities), None)
    if found is None:
        raise NotApplicable("the server declares nothing that could be listed")
    return found


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A second connection that stays open, and the request that was the very first thing on it."""

    probe: Probe
    first: Exchange


def newcomer(modern: Probe) -> Newcomer:
    """Open a second connection by a list, rather not that of tools, or by ``server/discover`` where there is none."""
    declared = [method for feature, method in LISTS.items() if feature in modern.capabilities]
    method = declared[-1] if declared else "server/discover"
    modern.request(method).given_result()
    other = modern.fresh()
    first = other.request(method)
    if not other.open():
        raise Inconclusive(f"a second connection could not be opened: {other.trouble()}")
    return Newcomer(other, first)


def second_connection(server: Probe) -> Probe:
    """Return a connection beside the lane's own, with a conversation in progress; one for all checks of the lane."""
    if server.lane.lineage is Lineage.MODERN:
        return server.once(newcomer).probe
    played = server.once(handshake)
    played.first.given_result()
    return played.probe


def early_request(legacy: Probe) -> tuple[Exchange, Exchange]:
    """Send the same request before and after the handshake."""
    method = a_list(legacy)
    with legacy.virgin() as fresh:
        before = fresh.request(method)
        fresh.open()
        return before, fresh.request(method)


def handshake(legacy: Probe) -> Handshake:
    """Play a handshake by a client that has roots, which a hasty server may ask for too early."""
    fresh = legacy.fresh()
    already = len(legacy.transcript.heard)
    opening = fresh.initialize(legacy.revision, capabilities={"roots": {}})
    ping = fresh.request("ping")
    asked = [item.message for item in legacy.transcript.heard[already:] if item.message.kind is Kind.REQUEST]
    premature = [str(message.method) for message in asked if message.method != "ping"]
    initialized, first = fresh.initialized(), fresh.request("ping")
    second, last = fresh.initialize(legacy.revision), fresh.request("ping")
    return Handshake(fresh, opening, ping, premature, initialized, first, second, last)


def offers(legacy: Probe) -> dict[str, Exchange]:
    """Ask for versions that are not judged here, each on a connection of its own."""
    answers = {}
    for version in (LONG_AGO, NOT_YET, BATCHING_REVISION):
        with legacy.virgin() as fresh:
            answers[version] = fresh.initialize(version)
    return answers


def answer_to_batching_revision(modern: Probe) -> str | None:
    """Ask for the one published version that is not judged, on a connection of its own."""
    with modern.virgin(legacy_revisions(modern)[-1]) as fresh:
        return agreed_version(fresh.initialize(BATCHING_REVISION))


def counter_offers(legacy: Probe) -> dict[str, str]:
    """Return each version that was asked for in vain, with the one that the server offered instead."""
    asked = {version: agreed_version(answer) for version, answer in legacy.once(offers).items()}
    known = legacy.survey.offered.get(legacy.lane.transport, {})
    found = {version: other for version, other in {**known, **asked}.items() if other not in (None, version)}
    if not found:
        raise Inconclusive("the server offered no version instead of another")
    return found


def agreed_version(answer: Exchange) -> str | None:
    """Return the version in an answer to ``initialize``."""
    version = (answer.result or {}).get("protocolVersion")
    return version if isinstance(version, str) else None
