"""Lists in pages: cursors, and what comes behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import Exchange, Inconclusive, Probe, advise, expect, requirement, show
from mcprove.core.errors import INVALID_PARAMS
from mcprove_suites.listed import heard
from mcprove_suites.walks import LISTS, keys_of, pages_of, walks

if TYPE_CHECKING:
    from mcprove import Json

NO_SUCH_CURSOR = "mcprove-no-such-cursor"
STRANGE_CURSORS: tuple[Json, ...] = ("", " ", "\u2028\u0000", "../../etc/passwd", "x" * 20_000, 5, -1.5, True, [], {})


@requirement("pagination.cursor-string", last=True)
def test_gives_cursors_as_strings(server: Probe) -> None:
    """A cursor is a string; null for no cursor, which clients are told to cope with, warns at most."""
    walks(server)
    pages = [(shown, result) for kind in LISTS for shown, result in heard(server, kind.method)]
    if not pages:
        raise Inconclusive("no list was served")
    for shown, result in pages:
        cursor = result.get("nextCursor", "")
        judge = advise if cursor is None else expect
        judge(isinstance(cursor, str), "a string in nextCursor, or no nextCursor", shown, actual=show(cursor))


@requirement("pagination.continues-after-cursor")
def test_goes_on_after_each_cursor(server: Probe) -> None:
    """A cursor that the server gave is good for another page."""
    for walked in pages_of(server):
        for page in walked.pages[1:]:
            page.expect_result("a page for a cursor that the server gave")


@requirement("pagination.continues-after-cursor")
def test_comes_to_an_end(server: Probe) -> None:
    """The cursors do not lead in a circle."""
    for walked in pages_of(server):
        for page in walked.pages[1:]:
            page.given_result()
        if not walked.ended and not walked.circular:
            raise Inconclusive(f"{walked.kind.method} has more than {len(walked.pages)} pages")
        expect(walked.ended, "pages that come to an end", walked.pages[-1])


@requirement("pagination.continues-after-cursor")
def test_repeats_no_entry(server: Probe) -> None:
    """No entry is on two pages, unless the list has changed between them."""
    for walked in pages_of(server):
        walked.given_unchanged()
        for page, key in walked.repeated():
            expect(False, "each entry on one page only", page, actual=f"{show(key, 100)} once more")


@requirement("pagination.stable-cursors")
def test_gives_the_same_page_twice(server: Probe) -> None:
    """The same entries are behind a cursor the second time, in whatever order."""
    for walked in pages_of(server):
        for first, second in walked.again:
            first.given_result()
            second.expect_result("the same page again")
            wanted, found = (sorted(map(show, keys_of(page, walked.kind))) for page in (first, second))
            expect(wanted == found, f"the entries {show(wanted, 200)} again", second, actual=show(found, 200))


@requirement("pagination.invalid-cursor")
def test_refuses_a_cursor_that_it_never_gave(server: Probe) -> None:
    """Also a server whose list has one page refuses a cursor; the text makes no difference."""
    asked_with(server, NO_SUCH_CURSOR).expect_error(INVALID_PARAMS)


@requirement("pagination.invalid-cursor-graceful")
def test_survives_strange_cursors(server: Probe) -> None:
    """Each is answered, by whatever answer, and the list is served afterwards."""
    for cursor in STRANGE_CURSORS:
        answer = asked_with(server, cursor)
        answer.expect_survival()
        expect(answer.answer is not None or answer.http_refused, "an answer", answer)
    server.request(a_list(server)).expect_result("the list, after strange cursors")


def a_list(server: Probe) -> str:
    """Return a list that the server serves."""
    served = list(walks(server))
    if not served:
        raise Inconclusive("no list was served")
    return served[0]


def asked_with(server: Probe, cursor: Json) -> Exchange:
    """Ask for a page of a list by a cursor of our own."""
    return server.request(a_list(server), {"cursor": cursor})
