"""Version negotiation of the modern lineage: every request declares its version, none that is not offered is served."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import Inconclusive, NotApplicable, Probe, expect, requirement, show
from mcprove.core.errors import METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION
from mcprove.spec.revisions import BATCHING_REVISION, LEGACY
from mcprove_suites.openings import LONG_AGO, NOT_YET, a_list, answer_to_batching_revision, legacy_revisions, newcomer
from mcprove_suites.served import served_requests

if TYPE_CHECKING:
    from mcprove import Json, RpcError

NOT_OFFERED = (LONG_AGO, NOT_YET)
HANDSHAKE = {*LEGACY, BATCHING_REVISION}


@requirement("version.any-request-first")
def test_serves_any_request_first(modern: Probe) -> None:
    """A list is served on a connection that has not heard server/discover."""
    a_list(modern)
    modern.once(newcomer).first.expect_result("a result, also without server/discover before")


@requirement("version.unsupported-error-code")
def test_refuses_a_version_that_is_not_offered(modern: Probe) -> None:
    """Versions older and newer than all that were published are refused with the code for that, and no other."""
    method, params = served_requests(modern)[0]
    for version in NOT_OFFERED:
        modern.request(method, params, version=version).expect_error(UNSUPPORTED_PROTOCOL_VERSION)


@requirement("http.unsupported-version-400")
def test_refuses_by_status_400(modern: Probe) -> None:
    """Over HTTP the refusal has status 400."""
    method, params = served_requests(modern)[0]
    answer = modern.request(method, params, version=LONG_AGO)
    answer.expect_error(UNSUPPORTED_PROTOCOL_VERSION)
    answer.expect_status(400)


@requirement("version.unsupported-error-payload")
def test_names_the_version_asked_for(modern: Probe) -> None:
    """The refusal repeats what was asked for."""
    for version in NOT_OFFERED:
        error = refusal(modern, version)
        expect(error.field("requested") == version, "data.requested repeats the version asked for", error)


@requirement("version.unsupported-error-payload")
def test_lists_the_versions_on_offer(modern: Probe) -> None:
    """The refusal lists versions, at least one, as strings."""
    error = refusal(modern, LONG_AGO)
    listed = error.field("supported")
    shown = f"data.supported {show(listed)}"
    expect(is_list_of_versions(listed), "data.supported is an array of strings, not empty", error, actual=shown)


@requirement("version.unsupported-error-payload")
def test_does_not_offer_what_it_refuses(modern: Probe) -> None:
    """The refused version is not among those on offer."""
    for version in NOT_OFFERED:
        error = refusal(modern, version)
        listed = error.field("supported")
        offered = isinstance(listed, list) and version in listed
        expect(not offered, f"data.supported is without {version}", error, actual=f"data.supported {show(listed)}")


@requirement("version.unsupported-list-matches-discover")
def test_names_the_same_versions_everywhere(modern: Probe) -> None:
    """The refusal and server/discover agree; versions with a handshake may be named in either or left out."""
    error = refusal(modern, LONG_AGO)
    named = without_handshake(error.field("supported"))
    known = without_handshake(modern.request("server/discover").given_result().get("supportedVersions"))
    expect(named == known, f"data.supported as in server/discover, {sorted(known)}", error, actual=f"{sorted(named)}")


@requirement("version.unsupported-known-old")
def test_refuses_an_older_version(modern: Probe) -> None:
    """A published version that the server speaks in no lineage and does not list is refused like an unknown one."""
    method, params = served_requests(modern)[0]
    for version in unspoken(modern):
        modern.request(method, params, version=version).expect_error(UNSUPPORTED_PROTOCOL_VERSION)


@requirement("version.unsupported-every-method")
def test_refuses_every_method(modern: Probe) -> None:
    """What is served under the lane's version is refused under an unknown one, whatever the method."""
    for method, params in served_requests(modern):
        modern.request(method, params, version=LONG_AGO).expect_error(UNSUPPORTED_PROTOCOL_VERSION)


@requirement("version.unsupported-every-method")
def test_refuses_an_unknown_method(modern: Probe) -> None:
    """Of a method and a version that are both unknown either may be named."""
    served_requests(modern)
    answer = modern.request("mcprove/no-such-method", version=LONG_AGO)
    answer.expect_error(UNSUPPORTED_PROTOCOL_VERSION, METHOD_NOT_FOUND)


def refusal(modern: Probe, version: str) -> RpcError:
    """Return the refusal of a version, if it was refused by the code for that."""
    method, params = served_requests(modern)[0]
    return modern.request(method, params, version=version).given_error(UNSUPPORTED_PROTOCOL_VERSION)


def is_list_of_versions(value: Json) -> bool:
    """Return whether a value is an array of strings, not empty."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def without_handshake(listed: Json) -> set[Json]:
    """Return the versions of a list that need no handshake."""
    if not isinstance(listed, list) or not is_list_of_versions(listed):
        raise Inconclusive(f"no list of versions: {show(listed)}")
    return {version for version in listed if version not in HANDSHAKE}


def unspoken(modern: Probe) -> list[str]:
    """Return published versions that the server neither lists nor agrees to in ``initialize``.

    Whether a request may declare one that the server speaks in the other lineage is open.
    """
    method, params = served_requests(modern)[0]
    error, known = modern.request(method, params, version=LONG_AGO).error, modern.request("server/discover").result
    said = (error and error.field("supported"), known and known.get("supportedVersions"))
    listed = [each for each in said if isinstance(each, list)]
    spoken = {*legacy_revisions(modern), *(version for each in listed for version in each)}
    if legacy_revisions(modern) and BATCHING_REVISION not in spoken:
        spoken.add(modern.once(answer_to_batching_revision))
    if found := sorted(version for version in HANDSHAKE if version not in spoken):
        return found
    raise NotApplicable("the server speaks every version that was published before")
