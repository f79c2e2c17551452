"""The protocol revisions spoken here, their lineages and their order."""

from __future__ import annotations

from enum import Enum, StrEnum


class Lineage(Enum):
    """How a conversation begins: with a handshake (legacy) or with metadata in each request (modern)."""

    LEGACY = "legacy"
    MODERN = "modern"


class Revision(StrEnum):
    """A published revision; members are ordered from the oldest to the newest."""

    R2024_11_05 = "2024-11-05"
    R2025_06_18 = "2025-06-18"
    R2025_11_25 = "2025-11-25"
    R2026_07_28 = "2026-07-28"

    @property
    def lineage(self) -> Lineage:
        """The lineage that the revision belongs to."""
        return Lineage.MODERN if self is Revision.R2026_07_28 else Lineage.LEGACY


MODERN = tuple(revision for revision in Revision if revision.lineage is Lineage.MODERN)
LEGACY = tuple(revision for revision in Revision if revision.lineage is Lineage.LEGACY)
NEWEST_MODERN = MODERN[-1]
NEWEST_LEGACY = LEGACY[-1]

# 2025-03-26 alone has JSON-RPC batches. It is never spoken, only offered to see what a peer does with it.
BATCHING_REVISION = "2025-03-26"

# Every version string that the protocol has published, spoken here or not.
PUBLISHED = frozenset({*Revision, BATCHING_REVISION})


def negotiate(requested: object) -> Revision:
    """Return the legacy revision that answers ``initialize``: the one asked for, else the newest.

    Spec: basic/lifecycle#version-negotiation.
    """
    return Revision(str(requested)) if requested in LEGACY else NEWEST_LEGACY
