"""Statelessness: each request stands on its own, whatever came before it and over whichever connection."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from mcprove import OMIT, Inconclusive, NotApplicable, Probe, expect, requirement
from mcprove.core import meta
from mcprove_suites.openings import LONG_AGO, second_connection
from mcprove_suites.served import LISTS, served_requests

if TYPE_CHECKING:
    from mcprove import Exchange

REQUIRED = (meta.PROTOCOL_VERSION, meta.CLIENT_CAPABILITIES)
CLIENTS = ("mcprove one", "mcprove two", "mcprove three", "mcprove four")


@requirement("stateless.no-prior-context")
def test_remembers_no_metadata(modern: Probe) -> None:
    """A request that lacks some is refused after whole ones too, where it is refused on a fresh connection."""
    method, params = served_requests(modern)[0]
    for key in REQUIRED:
        with modern.virgin() as fresh:
            first = fresh.request(method, params, meta={key: OMIT})
        if first.served:
            raise Inconclusive(f"a request without {key} is served on a fresh connection")
        modern.request(method, params).given_result()
        later = modern.request(method, params, meta={key: OMIT})
        expect(not later.served, f"a request without {key} refused, as on a fresh connection", later)


@requirement("stateless.no-prior-context")
def test_forgets_a_refusal(modern: Probe) -> None:
    """A version that was refused leaves no trace in the request that follows."""
    method, params = served_requests(modern)[0]
    modern.request(method, params).given_result()
    modern.request(method, params, version=LONG_AGO).given_error()
    modern.request(method, params).expect_result("a result, whatever was refused before")


@requirement("stateless.many-conversations")
def test_serves_many_clients_at_once(modern: Probe) -> None:
    """Requests of four clients, none of which waits for another's answer, are all served."""
    method, params = served_requests(modern)[0]
    modern.request(method, params).given_result()

    def ask(name: str) -> Exchange:
        return modern.request(method, params, meta={meta.CLIENT_INFO: {"name": name, "version": "1"}})

    with ThreadPoolExecutor(len(CLIENTS)) as pool:
        answers = list(pool.map(ask, CLIENTS))
    for answer in answers:
        answer.expect_result("a result for each of several clients")


@requirement("stateless.no-connection-affinity")
def test_serves_on_another_connection_what_was_listed_on_this(modern: Probe) -> None:
    """Whatever was listed can be used by another connection, without listing it there."""
    method, params = served_requests(modern)[-1]
    modern.request(method, params).given_result()
    second_connection(modern).request(method, params).expect_result("a result, also on another connection")


@requirement("stateless.no-connection-affinity")
def test_takes_a_cursor_from_another_connection(modern: Probe) -> None:
    """The second page of a list is served to a connection that did not ask for the first."""
    for feature, method in LISTS.items():
        cursor = first_cursor(modern, method) if feature in modern.capabilities else None
        if cursor is None:
            continue
        modern.request(method, {"cursor": cursor}).given_result()
        other = second_connection(modern)
        other.request(method, {"cursor": cursor}).expect_result("a page, also on another connection")
        return
    raise NotApplicable("the server has no list of several pages")


def first_cursor(modern: Probe, method: str) -> str | None:
    """Return the cursor of the second page of a list, None where there is only one."""
    cursor = (modern.request(method).result or {}).get("nextCursor")
    return cursor if isinstance(cursor, str) else None
