"""The requirements: loaded from ``catalogue/*.toml``, one file an area, one table a requirement.

A table is named after its rule; its id is ``<area>.<name>``::

    [unsupported-error-code]
    level = "MUST"                  # MUST, MUST NOT, SHOULD, SHOULD NOT or MAY
    level_in = { "2024-11-05" = "SHOULD" }            # only where a revision differs
    role = "server"                 # whose duty it is: server, client or both
    transport = "any"               # any, stdio, http (Streamable HTTP) or sse (HTTP+SSE of 2024-11-05)
    revisions = ["2026-07-28"]      # where the rule holds
    page = "basic/versioning#protocol-version-negotiation"    # below the revision's specification
    page_in = { "2024-11-05" = "basic/lifecycle" }    # only where a revision differs
    says = "One sentence in our own words."
    needs = "at least one tool"     # what the target has to offer; left out when nothing
    unchecked = "why no check exists"                 # left out when there is one
    sources = ["modern:version.unsupported-error-code"]
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from mcprove.spec.revisions import Revision

if TYPE_CHECKING:
    from collections.abc import Mapping

SITE = "https://modelcontextprotocol.io/specification"
ROLES = frozenset({"server", "client", "both"})
TRANSPORTS = frozenset({"any", "stdio", "http", "sse"})


class CatalogueError(ValueError):
    """A requirement is written wrongly; the message names the file, the table and the key."""


class Level(StrEnum):
    """How binding a rule is (RFC 2119)."""

    MUST = "MUST"
    MUST_NOT = "MUST NOT"
    SHOULD = "SHOULD"
    SHOULD_NOT = "SHOULD NOT"
    MAY = "MAY"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One rule of one or more revisions, in our own words, with where it stands."""

    id: str
    level: Level
    role: str
    transport: str
    revisions: tuple[Revision, ...]
    page: str
    says: str
    sources: tuple[str, ...]
    needs: str | None = None
    unchecked: str | None = None
    level_in: Mapping[Revision, Level] = field(default_factory=dict)
    page_in: Mapping[Revision, str] = field(default_factory=dict)

    @property
    def area(self) -> str:
        """The part of the id before the first dot."""
        return self.id.partition(".")[0]

    def level_at(self, revision: Revision) -> Level:
        """Return how binding the rule is in a revision."""
        return self.level_in.get(revision, self.level)

    def link(self, revision: Revision | None = None) -> str:
        """Return the address of the page that states the rule, in the newest revision unless told."""
        chosen = revision or self.revisions[-1]
        return f"{SITE}/{chosen}/{self.page_in.get(chosen, self.page)}"


@cache
def catalogue() -> Mapping[str, Requirement]:
    """Load every requirement, by id in the order of the files.

    Raises:
        CatalogueError: a table has a key missing, unknown or of the wrong kind.

    """
    folder = files("mcprove.spec") / "catalogue"
    areas = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda e: e.name)
    return {rule.id: rule for area in areas for rule in read_area(area.name[:-5], area.read_text("utf-8"))}


def read_area(area: str, text: str) -> list[Requirement]:
    """Read one file of the catalogue.

    Raises:
        CatalogueError: see `catalogue`.

    """
    return [_requirement(f"{area}.{name}", table) for name, table in tomllib.loads(text).items()]


def _requirement(rule_id: str, table: dict[str, Any]) -> Requirement:
    try:
        values = {**table, **_typed(table)}
        rule = Requirement(id=rule_id, **values)
    except (KeyError, TypeError, ValueError) as problem:
        raise CatalogueError(f"{rule_id}: {problem}") from problem
    if rule.role not in ROLES or rule.transport not in TRANSPORTS or not rule.revisions or not rule.sources:
        raise CatalogueError(f"{rule_id}: role, transport, revisions or sources is not one of those allowed")
    return rule


def _typed(table: dict[str, Any]) -> dict[str, Any]:
    return {
        "level": Level(table["level"]),
        "revisions": tuple(sorted(Revision(text) for text in table["revisions"])),
        "sources": tuple(table["sources"]),
        "level_in": {Revision(key): Level(text) for key, text in table.get("level_in", {}).items()},
        "page_in": {Revision(key): text for key, text in table.get("page_in", {}).items()},
    }
