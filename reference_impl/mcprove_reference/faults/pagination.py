"""Faults of lists in pages."""

import os
import zlib
from typing import Any

from mcprove.core.errors import INVALID_PARAMS
from mcprove.spec.revisions import MODERN, Revision
from mcprove_reference.exchange import Refusal
from mcprove_reference.faults.base import Fault


def _refuse(_original: Any, _self: Any, _keys: Any, _cursor: Any) -> int:
    raise Refusal(INVALID_PARAMS, "unknown cursor")


def _to_the_start(original: Any, _self: Any, keys: Any, cursor: Any) -> int:
    return int(original(keys, cursor)) * 0


def _one_back(original: Any, _self: Any, keys: Any, cursor: Any) -> int:
    return int(original(keys, cursor)) - 1


def _start_where_unknown(original: Any, _self: Any, keys: Any, cursor: Any) -> int:
    try:
        return int(original(keys, cursor))
    except Refusal:
        return 0


def _further_each_time(original: Any, self: Any, keys: Any, cursor: Any) -> int:
    start = int(original(keys, cursor))
    self.asked = {*getattr(self, "asked", ()), cursor} if cursor not in getattr(self, "asked", ()) else set()
    return start if cursor in self.asked else start + 1


def _no_check_of_lists(original: Any, _self: Any, method: str, params: Any) -> None:
    if not method.endswith("/list"):
        original(method, params)


def _die_of_numbers(original: Any, _self: Any, method: str, params: Any) -> None:
    if not isinstance(params.get("cursor", ""), str):
        os._exit(1)
    original(method, params)


FAULTS = (
    Fault(
        id="pagination.cursor-as-number",
        breaks=("pagination.cursor-string",),
        says="Cursors are numbers.",
        patch={
            "cursor_after": lambda _original, _self, key: zlib.crc32(key.encode()),
            "check_params": _no_check_of_lists,
        },
        transport="stdio",
        revisions=(Revision.R2025_06_18, *MODERN),
    ),
    Fault(
        id="pagination.cursor-null",
        breaks=("pagination.cursor-string",),
        says="The last page has null for a cursor.",
        patch={
            "page": lambda original, _self, member, entries, params: {
                "nextCursor": None,
                **original(member, entries, params),
            }
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="pagination.own-cursor-refused",
        breaks=("pagination.continues-after-cursor",),
        says="No cursor leads on.",
        patch={"position": _refuse},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="pagination.back-to-the-start",
        breaks=("pagination.continues-after-cursor",),
        says="Each cursor leads to the first page.",
        patch={"position": _to_the_start},
        transport="stdio",
        revisions=(Revision.R2025_11_25,),
    ),
    Fault(
        id="pagination.pages-overlap",
        breaks=("pagination.continues-after-cursor",),
        says="Each page begins with the end of the one before.",
        patch={"position": _one_back},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="pagination.cursor-moves",
        breaks=("pagination.stable-cursors",),
        says="A cursor leads further when it is asked for again.",
        patch={"position": _further_each_time},
        transport="stdio",
        revisions=(Revision.R2025_11_25,),
    ),
    Fault(
        id="pagination.unknown-cursor-ignored",
        breaks=("pagination.invalid-cursor",),
        says="An unknown cursor leads to the first page.",
        patch={"position": _start_where_unknown},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="pagination.cursor-number-kills",
        breaks=("pagination.invalid-cursor-graceful",),
        says="A cursor that is no string ends the process.",
        patch={"check_params": _die_of_numbers},
        transport="stdio",
        revisions=(Revision.R2025_11_25,),
    ),
)
