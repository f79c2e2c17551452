"""The HTTP headers of the client, and the session that the legacy lineage keeps in one of them.

Spec: basic/transports/streamable-http#request-headers; for the legacy lineage 2025-11-25
basic/transports#session-management and basic/transports#protocol-version-header.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcprove.core import headers as names
from mcprove.core import meta
from mcprove_reference.client_steps import Unusable, as_object, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove.spec.revisions import Revision
    from mcprove_reference.client_steps import Outgoing

JSON_TYPE, SSE_TYPE = "application/json", "text/event-stream"
VISIBLE = re.compile(r"[!-~]+")


class Headers:
    """Makes the headers of each HTTP request."""

    def __init__(self) -> None:
        self.session_id: str | None = None

    def of_post(self, message: Outgoing, revision: Revision) -> dict[str, str]:
        """Return the headers of a message; ``revision`` is the negotiated one of a legacy conversation."""
        params = as_object(message.get("params"))
        version = as_object(params.get("_meta")).get(meta.PROTOCOL_VERSION)
        if isinstance(version, str):
            return {**self.content_headers(), **self.modern_headers(message, version)}
        if message.get("method") == "initialize":
            self.session_id = None
            return self.content_headers()
        return {**self.content_headers(), **self.session_headers(revision)}

    def content_headers(self) -> dict[str, str]:
        """Return what each POST says of its body and of the answer. Keeps http.client-accept-header."""
        return {"Content-Type": JSON_TYPE, "Accept": f"{JSON_TYPE}, {SSE_TYPE}"}

    # The modern lineage.

    def modern_headers(self, message: Outgoing, version: str) -> dict[str, str]:
        """Return the headers that repeat the body. Keeps http.client-metadata-headers."""
        method = str(message["method"])
        return {
            names.PROTOCOL_VERSION: self.version_header(version),
            names.METHOD: self.method_header(method),
            **self.name_header(method, as_object(message.get("params"))),
        }

    def version_header(self, version: str) -> str:
        """Return the version of the body. Keeps http.version-header-sent, http.version-header-equals-meta."""
        return version

    def method_header(self, method: str) -> str:
        """Return the method of the body. Keeps http.method-header-sent."""
        return method

    def name_header(self, method: str, params: Outgoing) -> dict[str, str]:
        """Return the header for what the method is about. Keeps http.name-header-sent, http.name-header-encoding."""
        name = names.name_of(method, params)
        return {} if name is None else {names.NAME: names.encode_value(name)}

    # The legacy lineage.

    def session_headers(self, revision: Revision) -> dict[str, str]:
        """Return what belongs on everything after ``initialize``.

        Keeps http.session-client-sends-id, http.protocol-version-header-negotiated.
        """
        version = {names.PROTOCOL_VERSION: str(revision)}
        return version if self.session_id is None else {**version, names.SESSION_ID: self.session_id}

    def keep_session(self, message: Outgoing, received: Mapping[str, str]) -> None:
        """Keep the session id that comes with the answer to ``initialize``, and with no other.

        Raises:
            Unusable: the id is none that a header can carry.

        """
        if message.get("method") != "initialize":
            return
        self.session_id = received.get(names.SESSION_ID)
        if self.session_id is not None and not VISIBLE.fullmatch(self.session_id):
            raise Unusable(f"the server gave a session id of other than visible ASCII: {printable(self.session_id)}")

    def of_resumption(self, last_event_id: str, revision: Revision) -> dict[str, str]:
        """Return the headers of the GET that takes up a stream again.

        Keeps http.client-last-event-id, http.client-get-accept.
        """
        return {"Accept": SSE_TYPE, names.LAST_EVENT_ID: last_event_id, **self.session_headers(revision)}

    def of_farewell(self, revision: Revision) -> dict[str, str] | None:
        """Return the headers of the DELETE that ends the session, None where there is none.

        Keeps http.session-client-delete.
        """
        return None if self.session_id is None else self.session_headers(revision)
