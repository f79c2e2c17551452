"""The sessions of the legacy lineage over HTTP.

Spec: 2025-11-25 basic/transports#session-management.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from mcprove.core import headers as names
from mcprove.core.errors import INVALID_REQUEST
from mcprove_reference.exchange import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove_reference.exchange import Session


class Rejection(Exception):  # noqa: N818 - an answer, not a failure of the server
    """An HTTP request is answered with this status and, as its body, an error."""

    def __init__(self, status: int, message: str, code: int = INVALID_REQUEST) -> None:
        super().__init__(message)
        self.status = status
        self.refusal = Refusal(code, message)


class Sessions:
    """Sessions by their id."""

    def __init__(self) -> None:
        self.open: dict[str, Session] = {}

    def add(self, session: Session) -> str:
        """Keep a session and return its new id."""
        name = self.mint_id()
        self.open[name] = session
        return name

    def mint_id(self) -> str:
        """Return a new id. Keeps http.session-id-unpredictable, http.session-id-visible-ascii."""
        return secrets.token_urlsafe(24)

    def find(self, headers: Mapping[str, str]) -> Session:
        """Return the session that a request names.

        Raises:
            Rejection: it names none, or one that is not open.

        """
        name = headers.get(names.SESSION_ID)
        if name is None:
            return self.missing_id()
        return self.open[name] if name in self.open else self.unknown_id(name)

    def missing_id(self) -> Session:
        """Reject a request outside of any session. Keeps http.session-missing-id-400."""
        raise Rejection(400, f"{names.SESSION_ID} is missing")

    def unknown_id(self, _name: str) -> Session:
        """Reject a session that is not open, or no longer. Keeps http.session-404-after-delete."""
        raise Rejection(404, "no such session")

    def end(self, headers: Mapping[str, str]) -> None:
        """End the session that a request names."""
        self.find(headers)
        del self.open[headers[names.SESSION_ID]]
