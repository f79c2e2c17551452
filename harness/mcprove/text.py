"""Text from a target made safe to show: escaped, clipped, and with the user's secrets taken out."""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Control, format (bidi overrides among them), surrogate, private use and line separators.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def visible(text: str) -> str:
    """Return text with every character that a terminal would obey or hide written as an escape."""
    return "".join(char if unicodedata.category(char) not in _HIDDEN else _escape(char) for char in text)


def clip(text: str, limit: int = 600) -> str:
    """Return at most ``limit`` characters, and say how many were left out."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more characters)"


def show(value: object, limit: int = 600) -> str:
    """Return a value from the wire (bytes, text or JSON) as one safe line."""
    if isinstance(value, bytes):
        # Clip before decoding: the bytes of a hostile target may be many.
        return clip(visible(value[: limit * 4].decode("utf-8", "backslashreplace")), limit)
    if isinstance(value, str):
        return clip(visible(value[: limit * 2]), limit)
    return clip(visible(json.dumps(value, ensure_ascii=False, default=repr)), limit)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii") if char != "\\" else char


class Redactor:
    """Takes secrets out of text: each value that must not show stands as the name it was given by."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        """Take ``secrets`` as value -> what stands in its place; longer values go first."""
        self._secrets = sorted(secrets.items(), key=lambda pair: -len(pair[0]))

    def __call__(self, text: str) -> str:
        """Return ``text`` without any of the secrets, in whatever form JSON or a header may give them."""
        for value, name in self._secrets:
            text = text.replace(value, name).replace(json.dumps(value)[1:-1], name)
        return text
