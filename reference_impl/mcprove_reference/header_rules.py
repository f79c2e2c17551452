"""The headers of a modern request: they repeat what its body says.

Spec: basic/transports/streamable-http#request-headers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.core import headers as names
from mcprove.core import meta
from mcprove.core.errors import HEADER_MISMATCH
from mcprove_reference.exchange import params_of
from mcprove_reference.sessions import Rejection

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove.core.jsonrpc import Json, Message


class HeaderRules:
    """Compares headers with the body of a request whose ``_meta`` is whole."""

    def check(self, headers: Mapping[str, str], request: Message) -> None:
        """Reject the first header that does not repeat the body. Keeps http.header-failure-*."""
        params = params_of(request)
        metadata = params["_meta"]
        assert isinstance(metadata, dict)
        defect = (
            self.version_defect(headers.get(names.PROTOCOL_VERSION), metadata[meta.PROTOCOL_VERSION])
            or self.method_defect(headers.get(names.METHOD), request.method)
            or self.name_defect(headers.get(names.NAME), names.name_of(str(request.method), params))
        )
        if defect:
            raise Rejection(400, defect, HEADER_MISMATCH)

    def version_defect(self, value: str | None, declared: Json) -> str | None:
        """Return how the version header departs from ``_meta``.

        Keeps http.version-header-mismatch, http.version-header-missing.
        """
        return self.defect(names.PROTOCOL_VERSION, value, declared)

    def method_defect(self, value: str | None, method: Json) -> str | None:
        """Return how the method header departs from the body.

        Keeps http.method-header-mismatch, http.method-header-missing.
        """
        return self.defect(names.METHOD, value, method)

    def name_defect(self, value: str | None, name: str | None) -> str | None:
        """Return how the name header departs from the body. Keeps http.name-header-*."""
        if name is None:
            return None
        return self.defect(names.NAME, self.decode(value), name)

    def decode(self, value: str | None) -> str | None:
        """Return the text that a header value stands for. Keeps http.name-header-invalid-chars."""
        try:
            return value if value is None else names.decode_value(value)
        except names.HeaderFault as fault:
            raise Rejection(400, f"{names.NAME}: {fault}", HEADER_MISMATCH) from fault

    def defect(self, header: str, value: str | None, expected: Json) -> str | None:
        """Return how a header departs from the body, if it does. Keeps http.header-values-case-sensitive."""
        if value is None:
            return f"{header} is missing"
        return None if value == expected else f"{header} differs from the body"
