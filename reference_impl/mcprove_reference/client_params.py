"""Arguments of a tool that HTTP repeats as headers, because the tool's schema marks them with ``x-mcp-header``.

Spec: basic/transports/streamable-http#custom-headers-from-tool-parameters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcprove.core.headers import PARAM_PREFIX, encode_value
from mcprove_reference.client_steps import as_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcprove.core.jsonrpc import Json
    from mcprove_reference.client_steps import Outgoing

MARK = "x-mcp-header"
TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
PRIMITIVE = frozenset({"string", "integer", "boolean", "null"})
# Keywords whose values are data, not schemas.
DATA = frozenset({"const", "default", "enum", "examples"})

Path = tuple[str, ...] | None
"""The properties that lead to a schema from the root; None where something else is on the way."""


class ParamHeaders:
    """Reads the marks of a tool's schema."""

    def defect(self, tool: Outgoing) -> str | None:
        """Return why a tool cannot be called over HTTP, None if it can: a mark of its schema is invalid."""
        seen: set[str] = set()
        for path, schema in marked(tool.get("inputSchema"), ()):
            name = schema[MARK]
            if not isinstance(name, str) or not TOKEN.fullmatch(name):
                return f"{MARK} is no header name"
            if not path:
                return f"{MARK} {name} is not on a property reached from the root"
            if not has_primitive_type(schema):
                return f"{MARK} {name} is on a property of no primitive type"
            if name.lower() in seen:
                return f"{MARK} {name} is there twice"
            seen.add(name.lower())
        return None

    def headers(self, tool: Outgoing, arguments: Outgoing) -> dict[str, str]:
        """Return the headers of a call; an argument that is absent or null has none."""
        values = {
            f"{PARAM_PREFIX}{schema[MARK]}": self.header_text(value_at(arguments, path))
            for path, schema in marked(tool.get("inputSchema"), ())
            if path
        }
        return {name: encode_value(text) for name, text in values.items() if text is not None}

    def header_text(self, value: Json) -> str | None:
        """Return the text of an argument, None where it has none."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float) and value.is_integer():
            return str(int(value))
        return str(value) if isinstance(value, str | int) else None


def marked(schema: Json, path: Path) -> Iterator[tuple[Path, Outgoing]]:
    """Yield each marked schema inside a schema, with its path."""
    if isinstance(schema, list):
        for member in schema:
            yield from marked(member, None)
    if not isinstance(schema, dict):
        return
    if MARK in schema:
        yield path, schema
    for keyword, value in schema.items():
        if keyword == "properties":
            for name, below in as_object(value).items():
                yield from marked(below, None if path is None else (*path, name))
        elif keyword not in DATA:
            yield from marked(value, None)


def has_primitive_type(schema: Outgoing) -> bool:
    """Tell whether a schema says that its value is a string, an integer or a boolean."""
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    return bool(kinds) and all(isinstance(each, str) and each in PRIMITIVE for each in kinds)


def value_at(arguments: Json, path: tuple[str, ...]) -> Json:
    """Return the argument at a path, None where there is none."""
    for name in path:
        arguments = as_object(arguments).get(name)
    return arguments
