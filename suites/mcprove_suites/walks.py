"""Lists walked to their end, some pages twice, and the tools once more on a second connection."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcprove import Exchange, Inconclusive, Json, NotApplicable, Probe
from mcprove_suites.openings import second_connection
from mcprove_suites.served import served_requests

if TYPE_CHECKING:
    from collections.abc import Iterator

ASKED_AGAIN = 5
PAGE_LIMIT = 200


@dataclass(frozen=True, slots=True)
class List:
    """A list that comes in pages: the capability that it needs, its member of the result, the key of an entry."""

    method: str
    feature: str
    member: str
    key: str


LISTS = (
    List("tools/list", "tools", "tools", "name"),
    List("resources/list", "resources", "resources", "uri"),
    List("resources/templates/list", "resources", "resourceTemplates", "uriTemplate"),
    List("prompts/list", "prompts", "prompts", "name"),
)
BY_METHOD = {each.method: each for each in LISTS}


@dataclass(frozen=True, slots=True)
class Walk:
    """The pages of a list in order; ``again`` are some that were asked for a second time, each with the first."""

    kind: List
    pages: list[Exchange]
    again: list[tuple[Exchange, Exchange]]

    @property
    def ended(self) -> bool:
        """Whether the last page was reached."""
        return self.pages[-1].result is not None and cursor_of(self.pages[-1]) is None

    @property
    def circular(self) -> bool:
        """Whether the last page that was asked for had come before."""
        return repeats(self.pages, self.kind)

    @property
    def keys(self) -> list[Json]:
        """What the entries are known by, in order."""
        return [key for page in self.pages for key in keys_of(page, self.kind)]

    def given_keys(self) -> list[Json]:
        """Return the keys of the whole list, or give up: another check judges that it is a list with an end."""
        if not self.ended:
            raise Inconclusive(f"{self.kind.method} could not be walked to its end: {self.pages[-1].describe()}")
        return self.keys

    def repeated(self) -> Iterator[tuple[Exchange, Json]]:
        """Yield the key of each entry that an earlier page has as well, with the later page."""
        known: list[Json] = []
        for page in self.pages:
            entries = entries_of(page, self.kind)
            for entry, key in zip(entries, keys_of(page, self.kind), strict=False):
                if entry in known:
                    yield page, key
            known += entries

    def given_unchanged(self) -> None:
        """Go on only if the pages that were asked for twice were the same both times."""
        if any(keys_of(first, self.kind) != keys_of(second, self.kind) for first, second in self.again):
            raise Inconclusive(f"{self.kind.method} changed while it was walked")

    def clashes(self) -> Iterator[tuple[Exchange, Json]]:
        """Yield each key that one page has twice, or that two pages have for different entries, with the page."""
        known: dict[Json, tuple[Exchange, Json]] = {}
        for page in self.pages:
            for entry in entries_of(page, self.kind):
                key = entry.get(self.kind.key) if isinstance(entry, dict) else None
                if isinstance(key, str):
                    first, other = known.setdefault(key, (page, None))
                    if other is not None and (first is page or other != entry):
                        yield page, key
                    known[key] = (page, entry)


def walks(probe: Probe) -> dict[str, Walk]:
    """Return a walk through each list that the server declares and serves; made once in the lane."""
    return probe.once(_walk_all)


def pages_of(probe: Probe) -> list[Walk]:
    """Return the walks that went beyond a first page."""
    found = [walked for walked in walks(probe).values() if len(walked.pages) > 1]
    if not found:
        raise NotApplicable("no list of the server has more than one page")
    return found


def walk(probe: Probe, kind: List) -> Walk:
    """Walk a list until it ends or begins to repeat itself, then ask for some of the pages again."""
    pages = [probe.request(kind.method)]
    while (cursor := cursor_of(pages[-1])) is not None and len(pages) < PAGE_LIMIT and not repeats(pages, kind):
        pages.append(probe.request(kind.method, {"cursor": cursor}))
    cursors = [cursor_of(page) for page in pages[:-1]]
    followed = list(zip(pages[1:], cursors, strict=True))[:ASKED_AGAIN]
    again = [(page, probe.request(kind.method, {"cursor": cursor})) for page, cursor in followed]
    return Walk(kind, pages, again)


def repeats(pages: list[Exchange], kind: List) -> bool:
    """Return whether the last page is a page that came before, next cursor and all."""
    seen = [(entries_of(page, kind), cursor_of(page)) for page in pages]
    return seen[-1] in seen[:-1]


def cursor_of(page: Exchange) -> Json:
    """Return the cursor that leads on from a page."""
    return (page.result or {}).get("nextCursor")


def keys_of(page: Exchange, kind: List) -> list[Json]:
    """Return what the entries of a page are known by."""
    return [entry.get(kind.key) for entry in entries_of(page, kind) if isinstance(entry, dict)]


def entries_of(page: Exchange, kind: List) -> list[Json]:
    """Return the entries of a page, none where it has no array of them."""
    entries = (page.result or {}).get(kind.member)
    return entries if isinstance(entries, list) else []


def tools_walk(probe: Probe) -> Walk:
    """Return the walk through the tools."""
    probe.need("tools")
    return given_walk(walks(probe).get("tools/list"))


def given_walk(walked: Walk | None) -> Walk:
    """Return a walk, or give up: another check judges that the list is served."""
    if walked is None:
        raise Inconclusive("tools/list was not answered with a result")
    return walked


@dataclass(frozen=True, slots=True)
class Sightings:
    """The tools as two connections list them, before and after other requests on the first of the two."""

    busy: tuple[Walk, Walk]
    quiet: tuple[Walk, Walk]

    @property
    def shown(self) -> Exchange:
        """The exchange that shows a difference."""
        return self.busy[1].pages[0]


def sightings(modern: Probe) -> Sightings:
    """List the tools again and again on two connections."""
    kind = tools_walk(modern).kind
    requests = served_requests(modern)
    quiet = second_connection(modern)
    before = walk(modern, kind), walk(quiet, kind)
    for method, params in requests:
        modern.request(method, params)
    after = walk(modern, kind), walk(quiet, kind)
    return Sightings((before[0], after[0]), (before[1], after[1]))


def in_any_order(walked: Walk) -> list[str]:
    """Return the keys of a whole list so that two lists of the same entries are equal."""
    return sorted(map(json.dumps, walked.given_keys()))


def _walk_all(probe: Probe) -> dict[str, Walk]:
    declared = [kind for kind in LISTS if kind.feature in probe.capabilities]
    if not declared:
        raise NotApplicable("the server declares nothing that could be listed")
    walked = {kind.method: walk(probe, kind) for kind in declared}
    return {method: found for method, found in walked.items() if found.pages[0].result is not None}
