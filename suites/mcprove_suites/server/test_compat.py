"""The two lineages side by side: servers of both, and servers that meet a client of the other one."""

from __future__ import annotations

from mcprove import Exchange, Inconclusive, Lineage, NotApplicable, Probe, Revision, advise, expect, requirement
from mcprove.spec.revisions import NEWEST_LEGACY, NEWEST_MODERN
from mcprove_suites.openings import a_list, legacy_revisions, newcomer, newest_only


@requirement("compat.dual-server-modern-request")
def test_serves_a_modern_request_at_once(modern: Probe) -> None:
    """A modern request is served as the first thing on a connection, by a server that knows the handshake too."""
    newest_of_both(modern)
    a_list(modern)
    modern.once(newcomer).first.expect_result("a result, without a handshake or a session")


@requirement("compat.dual-server-initialize")
def test_serves_a_legacy_client(modern: Probe) -> None:
    """After the handshake a request without metadata, and of a method that only legacy revisions have, is served."""
    with modern.again(newest_of_both(modern)) as old:
        old.request("ping").expect_result("a result, as the legacy revision has it")


@requirement("compat.dual-server-initialize", transport="http")
def test_keeps_the_lineages_apart(modern: Probe) -> None:
    """A session stays legacy though a modern request comes between, where both are served at the same time."""
    with modern.again(newest_of_both(modern)) as old:
        old.request("ping").given_result()
        if modern.request("server/discover").result is None:
            raise NotApplicable("the server does not serve both lineages at the same time, which it need not")
        old.request("ping").expect_result("a result, as the legacy revision has it")


@requirement("compat.modern-server-initialize-stdio", transport="stdio")
def test_refuses_a_handshake_by_an_error(modern: Probe) -> None:
    """Any error will do; silence leaves a legacy client without a diagnosis."""
    modern.once(handshake_in_vain).expect_error()


@requirement("compat.modern-server-initialize-http", transport="http")
def test_refuses_a_handshake_by_status_400(modern: Probe) -> None:
    """Another status of refusal is tolerated, since the method is unknown as well."""
    refused = modern.once(handshake_in_vain)
    expect(refused.http_refused, "HTTP status 400", refused)
    advise(refused.status == 400, "HTTP status 400", refused)


@requirement("compat.modern-server-initialize-names-versions")
def test_tells_a_legacy_client_what_is_spoken(modern: Probe) -> None:
    """The versions are somewhere in the refusal: in its message, its data or beside them."""
    refused = modern.once(handshake_in_vain)
    versions = modern.request("server/discover").given_result().get("supportedVersions")
    said = refused.answer.raw if refused.answer else refused.body
    if not said or not isinstance(versions, list):
        raise Inconclusive(f"nothing to read: {refused.describe()}")
    missing = [str(version) for version in versions if str(version).encode() not in said]
    expect(not missing, f"an error that names {', '.join(missing)}", refused)


@requirement("compat.legacy-survives-probe")
def test_survives_the_probe_of_a_modern_client(legacy: Probe) -> None:
    """Whatever it answers to server/discover, or nothing, a legacy server is there for initialize afterwards."""
    newest_only(legacy)
    if legacy.survey.speaks(legacy.lane.transport, Lineage.MODERN):
        raise NotApplicable("server/discover makes the connection a modern one")
    with legacy.virgin() as fresh:
        probed = fresh.request("server/discover", era=NEWEST_MODERN)
        agreed = fresh.open()
        last = probed if probed.ended else fresh.opening
        expect(agreed, "initialize is answered, though server/discover came before", last)


def newest_of_both(modern: Probe) -> Revision:
    """Return the newest legacy revision of a server that speaks both lineages over this transport."""
    if spoken := legacy_revisions(modern):
        return spoken[-1]
    raise NotApplicable("the server speaks no legacy revision that is judged here")


def handshake_in_vain(modern: Probe) -> Exchange:
    """Send what a legacy client begins with to a server that agreed to no version in this way."""
    offered = modern.survey.offered.get(modern.lane.transport, {})
    if legacy_revisions(modern) or any(offered.values()):
        raise NotApplicable("the server answers initialize with a result")
    with modern.virgin() as fresh:
        return fresh.initialize(NEWEST_LEGACY)
