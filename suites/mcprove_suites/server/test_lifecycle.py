"""The handshake of the legacy lineage: initialize, version negotiation and what follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import Exchange, Inconclusive, NotApplicable, Probe, Revision, expect, requirement, show
from mcprove_suites.declared import is_foreign, undeclared, unprompted
from mcprove_suites.harmless import is_plain
from mcprove_suites.openings import (
    LONG_AGO,
    NOT_YET,
    agreed_version,
    counter_offers,
    early_request,
    handshake,
    legacy_revisions,
    newest_only,
    offers,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcprove import Json

# Kinds of content that came after 2024-11-05, and the well-known tools that return such content.
LATER_CONTENT = {"audio", "resource_link"}
ENOUGH = 10
SAMPLES = ("test_audio_content", "test_resource_link", "test_multiple_content_types")


@requirement("lifecycle.request-before-initialize-refused")
def test_serves_nothing_before_the_handshake(legacy: Probe) -> None:
    """A list is not served before initialize, though it is afterwards on the same connection."""
    newest_only(legacy)
    if legacy.is_http and legacy.session_id is None:
        raise NotApplicable("without a session id nothing marks where a session begins")
    before, after = legacy.once(early_request)
    after.given_result()
    before.expect_not_served("a request before initialize")


@requirement("lifecycle.initialize-result")
def test_states_its_version(legacy: Probe) -> None:
    """The answer to initialize has a version."""
    expect_member(answered_opening(legacy), "protocolVersion", is_text, "a string")


@requirement("lifecycle.initialize-result")
def test_states_its_capabilities(legacy: Probe) -> None:
    """The answer to initialize has capabilities, though perhaps none in it."""
    expect_member(answered_opening(legacy), "capabilities", is_object, "an object")


@requirement("lifecycle.initialize-result")
def test_states_its_name_and_version(legacy: Probe) -> None:
    """The answer to initialize tells which server this is."""
    expect_member(answered_opening(legacy), "serverInfo", is_info, "an object with the strings name and version")


@requirement("lifecycle.instructions-string")
def test_gives_instructions_as_text(legacy: Probe) -> None:
    """Instructions may be left out."""
    opening = answered_opening(legacy)
    if "instructions" not in opening.given_result():
        raise NotApplicable("the server gives no instructions")
    expect_member(opening, "instructions", is_text, "a string")


@requirement("lifecycle.initialized-accepted")
def test_takes_initialized_in_silence(legacy: Probe) -> None:
    """The notification gets no response."""
    played = legacy.once(handshake)
    played.opening.given_result()
    played.initialized.expect_no_response()


@requirement("lifecycle.initialized-accepted")
def test_serves_after_initialized(legacy: Probe) -> None:
    """The next request is served."""
    played = legacy.once(handshake)
    played.opening.given_result()
    played.first.expect_result()


@requirement("lifecycle.server-waits-for-initialized")
def test_asks_nothing_before_initialized(legacy: Probe) -> None:
    """Until then the server asks nothing, even of a client that has roots; pings and log messages are free."""
    played = legacy.once(handshake)
    played.opening.given_result()
    expect(not played.premature, "no request before initialized", played.opening, actual=", ".join(played.premature))


@requirement("lifecycle.ping-during-initialization")
def test_answers_a_ping_within_the_handshake(legacy: Probe) -> None:
    """A ping between the answer to initialize and notifications/initialized is answered."""
    played = legacy.once(handshake)
    played.opening.given_result()
    played.ping.expect_result("an answer to the ping")


@requirement("lifecycle.second-initialize")
def test_goes_on_after_a_second_initialize(legacy: Probe) -> None:
    """A second initialize may be served or refused; a ping is answered after it."""
    played = legacy.once(handshake)
    played.first.given_result()
    played.second.expect_answer()
    played.last.expect_result("an answer to the ping that follows")


@requirement("lifecycle.echo-requested-version")
def test_agrees_to_a_version_that_it_speaks(legacy: Probe) -> None:
    """The lane's version, which the server agreed to before, is agreed to whatever the client's capabilities."""
    opening = legacy.once(handshake).opening
    expect(given_version(opening) == legacy.revision, f"protocolVersion {legacy.revision}", opening)


@requirement("lifecycle.offer-other-version")
def test_offers_another_version(legacy: Probe) -> None:
    """A version that nobody published is answered with another one, or with the error that the page shows."""
    newest_only(legacy)
    for asked in (LONG_AGO, NOT_YET):
        answer = legacy.once(offers)[asked]
        answer.expect_answer()
        expect(answer.error is not None or given_version(answer) != asked, "another protocolVersion", answer)


@requirement("lifecycle.offer-latest-version")
def test_offers_its_newest_version(legacy: Probe) -> None:
    """What comes instead is the newest legacy version on offer, or one that is newer still."""
    newest_only(legacy)
    newest = legacy_revisions(legacy)[-1]
    for asked, offered in counter_offers(legacy).items():
        expect(offered >= newest, f"{newest} in answer to {asked}", legacy.once(offers).get(asked), actual=offered)


@requirement("lifecycle.offered-version-is-usable")
def test_agrees_to_what_it_offers(legacy: Probe) -> None:
    """Each version that was offered instead of another is agreed to when asked for."""
    newest_only(legacy)
    known = legacy.survey.revisions(legacy.lane.transport)
    for offered in sorted({*counter_offers(legacy).values()} - {*known}):
        with legacy.virgin() as fresh:
            answer = fresh.initialize(offered)
        expect(agreed_version(answer) == offered, f"{offered}, which the server itself offered", answer)


@requirement("lifecycle.respect-negotiated-version", last=True)
def test_sends_no_method_of_another_revision(legacy: Probe) -> None:
    """No request or notification of the server is one that only other revisions have."""
    given_heard(legacy)
    foreign = [message for message in unprompted(legacy) if is_foreign(message, legacy.revision)]
    shown = show(foreign[0].raw) if foreign else None
    expect(not foreign, f"only methods that {legacy.revision} has", actual=shown)


@requirement("lifecycle.respect-negotiated-version")
def test_returns_no_content_of_a_later_revision(legacy: Probe) -> None:
    """Tools return no content that came after 2024-11-05: something else there, or an error."""
    if legacy.revision is not Revision.R2024_11_05:
        raise NotApplicable("this revision has every kind of content that later ones have")
    for call in sample_calls(legacy):
        content = (call.result or {}).get("content")
        blocks = content if isinstance(content, list) else []
        kinds = {str(block.get("type")) for block in blocks if isinstance(block, dict)}
        expect(not kinds & LATER_CONTENT, f"only content that {legacy.revision} has", call)


@requirement("lifecycle.only-negotiated-capabilities", last=True)
def test_uses_no_undeclared_capability(legacy: Probe) -> None:
    """What the server sends on its own needs nothing that it, or else the client, has not declared."""
    given_heard(legacy)
    found = undeclared(legacy)
    expected = f"no {found[0][0].method} without the capability {found[0][1]}" if found else ""
    expect(not found, expected, actual=show(found[0][0].raw) if found else None)


def answered_opening(legacy: Probe) -> Exchange:
    """Return the exchange that opened the lane."""
    if legacy.opening is None:
        raise Inconclusive("the lane was not opened by initialize")
    legacy.opening.given_result()
    return legacy.opening


def given_version(answer: Exchange) -> str:
    """Return the version in an answer to initialize, or give up: that it is readable is judged elsewhere."""
    version = agreed_version(answer)
    if version is None:
        raise Inconclusive(f"the answer has no version: {answer.describe()}")
    return version


def expect_member(opening: Exchange, name: str, fits: Callable[[Json], bool], expected: str) -> None:
    """Judge a member of the result of initialize."""
    found = opening.given_result()
    actual = show(found[name]) if name in found else f"a result without {name}"
    expect(fits(found.get(name)), f"{expected} in {name}", opening, actual=actual)


def is_info(value: Json) -> bool:
    """Return whether a value tells a name and a version."""
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in ("name", "version"))


def is_object(value: Json) -> bool:
    """Return whether a value is an object."""
    return isinstance(value, dict)


def is_text(value: Json) -> bool:
    """Return whether a value is a string."""
    return isinstance(value, str)


def sample_calls(legacy: Probe) -> list[Exchange]:
    """Call the well-known tools that return content of later revisions, and some that are known to be harmless."""
    names = [tool["name"] for tool in legacy.tools() if tool.get("name") in SAMPLES or is_plain(legacy, tool)]
    if not names:
        raise Inconclusive("the server has no tool that is known to be harmless and takes no arguments")
    return [legacy.request("tools/call", {"name": name}) for name in names[:ENOUGH]]


def given_heard(legacy: Probe) -> None:
    """Go on only if the server was heard at all."""
    if not legacy.transcript.heard:
        raise Inconclusive("nothing was heard from the server")
