"""Lists walked to their end, some pages twice, and the tools once more on a second connection."""

from __future__ import annotations

import json
from dataclasses import dataclass

from mcprove import Exchange, Inconclusive, Json, NotApplicable, Probe
from mcprove.probe import PAGE_LIMIT
from mcprove_suites.served import served_requests

ASKED_AGAIN = 5


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
    def keys(self) -> list[Json]:
        """What the entries are known by, in order."""
        return [key for page in self.pages for key in keys_of(page, self.kind)]

    def given_keys(self) -> list[Json]:
        """Return the keys of the whole list, or give up: another check judges that it is a list with an end."""
        if not self.ended:
            raise Inconclusive(f"{self.kind.method} could not be walked to its end: {self.pages[-1].describe()}")
        return self.keys


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
    while (cursor := cursor_of(pages[-1])) is not None and len(pages) < PAGE_LIMIT and not repeats(pages):
        pages.append(probe.request(kind.method, {"cursor": cursor}))
    cursors = [cursor_of(page) for page in pages[:-1]]
    followed = list(zip(pages[1:], cursors, strict=True))[:ASKED_AGAIN]
    again = [(page, probe.request(kind.method, {"cursor": cursor})) for page, cursor in followed]
    return Walk(kind, pages, again)


def repeats(pages: list[Exchange]) -> bool:
    """Return whether the last page is a page that came before, next cursor and all."""
    last = pages[-1].result
    return any(page.result == last for page in pages[:-1])


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
    """The names of the tools as listed here at first, here after other requests, elsewhere, and here in the end."""

    first: list[Json]
    later: list[Json]
    elsewhere: list[Json]
    last: list[Json]
    shown: Exchange


def sightings(modern: Probe) -> Sightings:
    """List the tools again and again, on this connection and on a second one."""
    first = tools_walk(modern)
    served_requests(modern)
    later = walk(modern, first.kind)
    with modern.again() as other:
        elsewhere = walk(other, first.kind)
    last = walk(modern, first.kind)
    names = [walked.given_keys() for walked in (first, later, elsewhere, last)]
    return Sightings(*names, shown=elsewhere.pages[0])


def in_any_order(names: list[Json]) -> list[str]:
    """Return names so that two lists of the same ones are equal."""
    return sorted(map(json.dumps, names))


def _walk_all(probe: Probe) -> dict[str, Walk]:
    declared = [kind for kind in LISTS if kind.feature in probe.capabilities]
    if not declared:
        raise NotApplicable("the server declares nothing that could be listed")
    walked = {kind.method: walk(probe, kind) for kind in declared}
    return {method: found for method, found in walked.items() if found.pages[0].result is not None}
