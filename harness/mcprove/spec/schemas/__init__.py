"""JSON Schemas of the messages, as each revision defines them.

``legacy.json`` holds the definitions of 2024-11-05. The later legacy revisions are overlays on it: an object is
merged member by member, a list written ``{"$append": [...]}`` is added to the one below, and anything else takes
the place of what was there. The modern lineage shares too little with them and has a file of its own,
``modern.json``.

Objects are open in every revision, so a member that a later revision added is an extra like any other.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from mcprove.spec.revisions import Revision

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_LAYERS = {
    Revision.R2024_11_05: ("legacy",),
    Revision.R2025_06_18: ("legacy", "2025-06-18"),
    Revision.R2025_11_25: ("legacy", "2025-06-18", "2025-11-25"),
    Revision.R2026_07_28: ("modern",),
}


@cache
def definitions(revision: Revision) -> Mapping[str, Any]:
    """Return the schemas of a revision by name; a ``$ref`` in one reads ``#/$defs/<name>``."""
    merged: Any = {}
    for layer in _LAYERS[revision]:
        text = (files(__name__) / f"{layer}.json").read_text("utf-8")
        merged = overlay(merged, json.loads(text)["$defs"])
    found: Mapping[str, Any] = merged
    return found


def overlay(base: Any, later: Any) -> Any:
    """Return a schema with the changes of a later revision; neither argument is changed."""
    if not isinstance(later, dict):
        return later
    if later.keys() == {"$append"}:
        return [*base, *later["$append"]]
    kept = base if isinstance(base, dict) else {}
    return {**kept, **{key: overlay(kept.get(key), value) for key, value in later.items()}}
