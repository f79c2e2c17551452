"""Lists in pages: small ones, so that the cursor is seen at work."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from mcprove.core.errors import INVALID_PARAMS
from mcprove_reference.exchange import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcprove.core.jsonrpc import Json
    from mcprove_reference.exchange import Params, Result

PAGE_SIZE = 3


class Pager:
    """Cuts a list whose entries have unique keys into pages.

    A cursor is the key of the last entry that was given, so it means the same on every connection.

    Spec: server/utilities/pagination.
    """

    def page(self, member: str, entries: Sequence[tuple[str, Json]], params: Params) -> Result:
        """Return one page of the entries as a list result.

        Raises:
            Refusal: the cursor is not one of ours.

        """
        keys = [key for key, _ in entries]
        start = self.position(keys, params["cursor"]) if "cursor" in params else 0
        shown = entries[start : start + PAGE_SIZE]
        result: Result = {member: [entry for _, entry in shown]}
        if start + PAGE_SIZE < len(entries):
            result["nextCursor"] = self.cursor_after(shown[-1][0])
        return result

    def position(self, keys: Sequence[str], cursor: Json) -> int:
        """Return where the page of a cursor starts. Keeps pagination.invalid-cursor.

        Raises:
            Refusal: the cursor is not one of ours.

        """
        for index, key in enumerate(keys):
            if cursor == self.cursor_after(key):
                return index + 1
        raise Refusal(INVALID_PARAMS, "unknown cursor")

    def cursor_after(self, key: str) -> str:
        """Return the cursor of the page that follows the entry with this key."""
        return base64.urlsafe_b64encode(key.encode()).decode("ascii")
