"""Streamable HTTP of the legacy lineage: sessions, GET, the version header; and what is left of them in 2026-07-28."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import NotApplicable, Probe, expect, requirement, show
from mcprove.core import headers
from mcprove_suites.endpoint import SSE_TYPE, ended_session, in_session, modern_only, own_stream
from mcprove_suites.judging import everything_heard
from mcprove_suites.served import served_requests

if TYPE_CHECKING:
    from collections.abc import Sequence

SESSIONS = 8
# Ids that differ in fewer places than this, over several sessions, can be guessed.
VARYING_PLACES = 6
BAD_VERSIONS = ("1900-01-01", "mcprove-no-version")
MADE_UP = "mcprove-never-given-out-5b0f3a"


@requirement("http.protocol-version-header-default")
def test_serves_a_session_without_the_version_header(legacy: Probe) -> None:
    """A session has a version; without one the request is of 2025-03-26, which may be refused as not supported."""
    legacy.request("ping").given_result()
    answer = legacy.request("ping", headers={headers.PROTOCOL_VERSION: None})
    refused = legacy.session_id is None and answer.status == 400
    expect(answer.result is not None or refused, "a result, or status 400 where there is no session", answer)


@requirement("http.protocol-version-header-400")
def test_refuses_a_version_header_that_is_no_version(legacy: Probe) -> None:
    """And one that names a version which nobody speaks."""
    legacy.request("ping").given_result()
    for version in BAD_VERSIONS:
        legacy.request("ping", headers={headers.PROTOCOL_VERSION: version}).expect_status(400)


@requirement("http.get-sse-or-405")
def test_answers_get_by_a_stream_or_405(legacy: Probe) -> None:
    """In a session of its own, with everything that a client sends along."""
    opened = legacy.once(own_stream)
    streams = opened.status == 200 and opened.is_stream
    expect(streams or opened.status == 405, "an event stream, or status 405", opened)


@requirement("http.session-id-assignment", last=True)
def test_changes_no_session_id(legacy: Probe) -> None:
    """No answer in a session shows the id of another; a second initialize may begin one."""
    in_session(legacy)
    for each in (each for each in everything_heard(legacy).exchanges if each.label != "initialize"):
        sent, came = each.sent_headers.get(headers.SESSION_ID), each.headers.get(headers.SESSION_ID.lower())
        expect(None in (sent, came) or sent == came, "no other session id", each, actual=f"session id {show(came)}")


@requirement("http.session-id-visible-ascii")
def test_gives_visible_ids(legacy: Probe) -> None:
    """No blanks, no control characters, nothing beyond ASCII."""
    name = in_session(legacy)
    visible = all("\x21" <= character <= "\x7e" for character in name)
    expect(visible, "a session id of visible ASCII characters", legacy.opening, actual=show(name))


@requirement("http.session-id-unpredictable")
def test_gives_ids_that_cannot_be_guessed(legacy: Probe) -> None:
    """No two sessions have the same id, nor ids that differ in a few places only, as counters and clocks do."""
    in_session(legacy)
    ids = legacy.once(several_ids)
    shown = ", ".join(show(name, 60) for name in ids[:3])
    expect(len(set(ids)) == len(ids), "a new id for each session", actual=shown)
    expect(varying_places(ids) >= VARYING_PLACES, "ids that cannot be guessed from each other", actual=shown)


@requirement("http.session-missing-id-400")
def test_refuses_a_request_without_its_session(legacy: Probe) -> None:
    """A server that serves it all the same does not require the id, and is not bound."""
    in_session(legacy)
    legacy.request("ping").given_result()
    answer = legacy.request("ping", headers={headers.SESSION_ID: None})
    if answer.served:
        raise NotApplicable("the server does not require a session id")
    answer.expect_status(400)


@requirement("http.session-unknown-id")
def test_does_not_serve_a_session_that_it_never_gave_out(legacy: Probe) -> None:
    """By whatever status: 404 and 400 are both usual."""
    in_session(legacy)
    legacy.request("ping").given_result()
    answer = legacy.request("ping", headers={headers.SESSION_ID: MADE_UP})
    answer.expect_not_served("a request in a session that was never given out")


@requirement("http.session-404-after-delete")
def test_knows_no_session_that_was_ended(legacy: Probe) -> None:
    """A ping is served before the session is ended by DELETE, and gets status 404 afterwards."""
    in_session(legacy)
    before, deleted, after = legacy.once(ended_session)
    before.given_result()
    if deleted.status is None or not 200 <= deleted.status < 300:
        raise NotApplicable(f"clients cannot end sessions: DELETE got {deleted.describe()}")
    after.expect_status(404)


@requirement("http.session-delete-405")
def test_ends_a_session_or_says_that_clients_cannot(legacy: Probe) -> None:
    """Which status of success is open."""
    in_session(legacy)
    _, deleted, _ = legacy.once(ended_session)
    ended = deleted.status is not None and 200 <= deleted.status < 300
    expect(ended or deleted.status == 405, "a status of success, or 405", deleted)


@requirement("http.get-405")
def test_has_no_get(modern: Probe) -> None:
    """With and without a session id, as an older client would send it."""
    modern_only(modern)
    for session in (None, MADE_UP):
        sent = {"Accept": SSE_TYPE, "Content-Type": None, headers.SESSION_ID: session}
        modern.http("GET", headers=sent).expect_status(405)


@requirement("http.delete-405")
def test_has_no_delete(modern: Probe) -> None:
    """With and without a session id, as an older client would send it."""
    modern_only(modern)
    for session in (None, MADE_UP):
        modern.http("DELETE", headers={"Content-Type": None, headers.SESSION_ID: session}).expect_status(405)


@requirement("http.session-id-ignored")
def test_ignores_a_session_id(modern: Probe) -> None:
    """What is served without one is served with one that was made up."""
    modern_only(modern)
    expect_no_difference(modern, headers.SESSION_ID)


@requirement("http.last-event-id-ignored")
def test_ignores_a_last_event_id(modern: Probe) -> None:
    """What is served without one is served with one that was made up."""
    modern_only(modern)
    expect_no_difference(modern, headers.LAST_EVENT_ID)


@requirement("http.no-session-id-minted", last=True)
def test_gives_no_session_id(modern: Probe) -> None:
    """In none of all its answers, those to an older client's initialize included."""
    modern_only(modern)
    for each in everything_heard(modern).exchanges:
        given = each.headers.get(headers.SESSION_ID.lower())
        expect(given is None, f"no {headers.SESSION_ID} header", each, actual=f"session id {show(given)}")


def expect_no_difference(modern: Probe, header: str) -> None:
    """Ask that a request is served with a header as it is without it."""
    method, params = served_requests(modern)[0]
    modern.request(method, params).given_result()
    modern.request(method, params, headers={header: MADE_UP}).expect_result(f"a result, {header} or not")


def several_ids(legacy: Probe) -> list[str]:
    """Open some sessions and return their ids."""
    ids = []
    for _ in range(SESSIONS):
        with legacy.virgin() as fresh:
            fresh.initialize(legacy.revision)
            ids.append(fresh.session_id or "")
            fresh.http("DELETE", headers={"Content-Type": None})
    return ids


def varying_places(ids: Sequence[str]) -> int:
    """Return in how many places ids of one length differ; each character more or less is a place too."""
    columns = zip(*(name.ljust(max(map(len, ids))) for name in ids), strict=True)
    return sum(len(set(column)) > 1 for column in columns)
