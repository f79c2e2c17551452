"""How the client reads what comes of a request: as evidence of the server's lineage, and as a result."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from mcprove.core.errors import HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION
from mcprove.core.jsonrpc import Kind
from mcprove.spec.revisions import MODERN
from mcprove_reference.client_steps import (
    Answer,
    Broken,
    Exit,
    NoAnswer,
    SessionGone,
    Unusable,
    as_object,
    describe_error,
    printable,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove.core.jsonrpc import Json, Message
    from mcprove.spec.revisions import Revision
    from mcprove_reference.client_steps import Event, Outgoing

COMPLETE, INPUT_REQUIRED = "complete", "input_required"
UNAUTHORIZED = frozenset({401, 403})


class Finding(Enum):
    """What came of a request, as far as it matters what to do next."""

    DISCOVERED = auto()
    RESULT = auto()
    VERSION_REFUSED = auto()
    CAPABILITY_MISSING = auto()
    HEADERS_REFUSED = auto()
    UNAUTHORIZED = auto()
    SESSION_GONE = auto()
    BROKEN = auto()
    EXIT = auto()
    ELSE = auto()


# The errors that only a modern server gives.
RECOGNISED: Mapping[int, Finding] = {
    UNSUPPORTED_PROTOCOL_VERSION: Finding.VERSION_REFUSED,
    MISSING_CLIENT_CAPABILITY: Finding.CAPABILITY_MISSING,
    HEADER_MISMATCH: Finding.HEADERS_REFUSED,
}
BY_EVENT: Mapping[type, Finding] = {
    Exit: Finding.EXIT,
    Broken: Finding.BROKEN,
    SessionGone: Finding.SESSION_GONE,
}


class Reader:
    """Reads events; it remembers nothing."""

    def classify(self, event: Event) -> Finding:
        """Return what an event says."""
        if isinstance(event, Answer | NoAnswer) and event.status in UNAUTHORIZED:
            return Finding.UNAUTHORIZED
        if isinstance(event, Answer):
            return self.classify_response(event.message)
        return BY_EVENT.get(type(event), Finding.ELSE)

    def classify_response(self, message: Message) -> Finding:
        """Return what a response says, by its body whatever its HTTP status. Keeps compat.http-inspect-400."""
        if message.kind is Kind.ERROR:
            return self.recognise_error(message.error_code)
        if not isinstance(message.result, dict):
            return Finding.ELSE
        return Finding.DISCOVERED if "supportedVersions" in message.result else Finding.RESULT

    def recognise_error(self, code: Json) -> Finding:
        """Tell the errors of modern servers from all others.

        Keeps compat.client-modern-error-is-modern, compat.stdio-fallback-not-one-code.
        """
        return RECOGNISED.get(code, Finding.ELSE) if isinstance(code, int) else Finding.ELSE

    def result_type(self, result: Outgoing) -> str:
        """Return the type of a modern result; one that does not say is complete.

        Raises:
            Unusable: the type is unknown, and so is what the result means.

        """
        kind = result.get("resultType", COMPLETE)
        if kind == COMPLETE:
            return COMPLETE
        if kind == INPUT_REQUIRED:
            return INPUT_REQUIRED
        raise Unusable(f"the server gave a result of the unknown type {printable(kind)}")

    def choose_modern(self, listed: Json) -> Revision:
        """Return the newest modern revision that both sides speak.

        Keeps discover.client-chooses-listed, version.client-no-mutual-version.

        Raises:
            Unusable: there is none; it is not for ``initialize`` to try then, for the server is modern.

        """
        offered = listed if isinstance(listed, list) else []
        for revision in reversed(MODERN):
            if revision in offered:
                return revision
        told = ", ".join(printable(version) for version in offered) or "none"
        raise Unusable(f"no modern revision in common: the server supports {told}; spoken here: {', '.join(MODERN)}")


def supported_versions(event: Event) -> Json:
    """Return what an unsupported-version error lists."""
    return as_object(event.message.error_data).get("supported") if isinstance(event, Answer) else None


def failure(event: Event) -> str:
    """Return how a request failed, to be read after its method."""
    if isinstance(event, NoAnswer):
        return f"was answered with HTTP status {event.status}, not with a JSON-RPC response"
    if not isinstance(event, Answer):
        return f"got no answer: {event}"
    is_error = event.message.kind is Kind.ERROR
    return f"was answered with {describe_error(event.message) if is_error else 'a malformed result'}"
