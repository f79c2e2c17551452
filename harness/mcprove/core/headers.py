"""The HTTP header fields of the protocol: their names, and how a text travels in one.

Spec: basic/transports/streamable-http#value-encoding.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcprove.core.jsontext import Json

PROTOCOL_VERSION = "MCP-Protocol-Version"
METHOD = "Mcp-Method"
NAME = "Mcp-Name"
PARAM_PREFIX = "Mcp-Param-"
SESSION_ID = "Mcp-Session-Id"
LAST_EVENT_ID = "Last-Event-ID"

_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

_OPENING, _CLOSING = "=?base64?", "?="
_SENTINEL = re.compile(r"=\?base64\?(.*)\?=", re.DOTALL)
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_PLAIN = re.compile(r"[\x20-\x7e]*")
_ILLEGAL = re.compile(r"[^\t\x20-\x7e]")


class HeaderFault(ValueError):  # noqa: N818
    """A header value that no text travels as, or a text that no value carries; the message says why."""


def encode_value(text: str) -> str:
    """Return a text as a header value: as it is where that is safe, and otherwise in the Base64 sentinel.

    A tab is legal in a header but is encoded all the same, and so is what only looks like the sentinel.

    Raises:
        HeaderFault: the text has a lone surrogate, which JSON can escape but UTF-8 cannot say.

    """
    if _PLAIN.fullmatch(text) and text == text.strip(" ") and not _resembles_sentinel(text):
        return text
    try:
        payload = base64.b64encode(text.encode("utf-8")).decode("ascii")
    except UnicodeEncodeError as problem:
        raise HeaderFault(f"the lone surrogate {text[problem.start]!a} has no UTF-8") from None
    return f"{_OPENING}{payload}{_CLOSING}"


def decode_value(value: str) -> str:
    """Return the text that travels as a header value; spaces and tabs around the value are no part of it.

    The markers of the sentinel are case-sensitive: a value in any other spelling is the text itself.

    Raises:
        HeaderFault: the value has a character that no header may have, or a sentinel whose payload is not
            padded standard Base64 of UTF-8.

    """
    value = value.strip(" \t")
    if illegal := _ILLEGAL.search(value):
        raise HeaderFault(f"the character {illegal[0]!a} is illegal in a header value")
    sentinel = _SENTINEL.fullmatch(value)
    return _decode_payload(sentinel[1]) if sentinel else value


def name_of(method: str, params: Json) -> str | None:
    """Return what the ``Mcp-Name`` header of a request repeats, or None where it has no such header.

    Spec: basic/transports/streamable-http#standard-request-headers.
    """
    key = _NAMED_BY.get(method)
    name = params.get(key) if isinstance(params, dict) else None
    return name if isinstance(name, str) else None


def _resembles_sentinel(text: str) -> bool:
    """Whether a text begins and ends as the sentinel does, even where both share a question mark."""
    return text.startswith(_OPENING) and text.endswith(_CLOSING)


def _decode_payload(payload: str) -> str:
    if not _BASE64.fullmatch(payload):
        raise HeaderFault(f"the payload {payload!r} is not padded standard Base64")
    try:
        return base64.b64decode(payload).decode("utf-8")
    except UnicodeDecodeError:
        raise HeaderFault(f"the payload {payload!r} is not Base64 of UTF-8") from None
