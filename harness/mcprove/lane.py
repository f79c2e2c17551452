"""A lane: one transport at one revision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcprove.spec.revisions import Lineage, Revision

if TYPE_CHECKING:
    from mcprove.spec.catalogue import Requirement

STDIO = "stdio"
HTTP = "http"


@dataclass(frozen=True, slots=True, order=True)
class Lane:
    """A transport (``stdio`` or ``http``) and the revision spoken over it."""

    transport: str
    revision: Revision

    def __str__(self) -> str:
        return f"{self.transport}-{self.revision}"

    @classmethod
    def parse(cls, text: str) -> Lane:
        """Read ``stdio-2025-11-25``.

        Raises:
            ValueError: the text names no lane.

        """
        transport, _, revision = text.partition("-")
        if transport not in (STDIO, HTTP):
            raise ValueError(f"{text!r} is no lane: it does not begin with stdio- or http-")
        return cls(transport, Revision(revision))

    @property
    def lineage(self) -> Lineage:
        """The lineage of the revision."""
        return self.revision.lineage

    def hosts(self, rule: Requirement) -> bool:
        """Return whether a rule holds here.

        Streamable HTTP came after 2024-11-05, so that its transport rules never bind a server of that revision.
        """
        return rule.transport in ("any", self.transport) and self.revision in rule.revisions


# Every lane that a target can have, in the order in which they run.
ALL_LANES = tuple(Lane(transport, revision) for transport in (STDIO, HTTP) for revision in reversed(Revision))
