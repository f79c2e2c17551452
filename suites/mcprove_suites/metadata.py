"""The ``_meta`` objects in what a server sent, and what is wrong with their keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcprove import Revision
from mcprove.core.meta import key_defect
from mcprove_suites.judging import Offence, everything_heard, given_some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcprove import Heard, Json, Probe

# Members whose values belong to somebody else: a _meta in them is not the protocol's.
FOREIGN = frozenset(
    {"structuredContent", "inputSchema", "outputSchema", "requestedSchema", "arguments", "experimental", "data"}
)
END = re.compile(r"[A-Za-z0-9]")
RESERVED = frozenset({"mcp", "modelcontextprotocol"})
TOP_LEVEL = frozenset({"com", "org", "net", "io", "dev", "ai", "app", "co"})

TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
TRACESTATE = re.compile(r"[ \t]*([a-z0-9][a-z0-9_*/@-]*=[\x20-\x2b\x2d-\x3c\x3e-\x7e]*[ \t]*)?")
BAGGAGE = re.compile(r"[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*=[^,]*")


def offending(probe: Probe, defect_of: Callable[[str, Json], str | None]) -> list[Offence]:
    """Return an offence for each ``_meta`` key that came of which ``defect_of(key, value)`` says what is wrong."""
    keys = [(item, key, value) for item in everything_heard(probe).heard for key, value in meta_keys(item)]
    given_some(keys, "keys in _meta")
    return [
        Offence(f"key {key!r}: {defect}", item.message, item.exchange)
        for item, key, value in keys
        if (defect := defect_of(key, value))
    ]


def meta_keys(item: Heard) -> Iterator[tuple[str, Json]]:
    """Yield the keys of every ``_meta`` in a message, with their values."""
    yield from _keys_in(item.message.result)
    yield from _keys_in(item.message.params)


def _keys_in(value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, list):
        for element in value:
            yield from _keys_in(element)
    elif isinstance(value, dict):
        metadata = value.get("_meta")
        yield from metadata.items() if isinstance(metadata, dict) else ()
        for name, member in value.items():
            if name != "_meta" and name not in FOREIGN:
                yield from _keys_in(member)


def split(key: str) -> tuple[list[str], str]:
    """Return the labels of the prefix of a key, none where it has no prefix, and its name."""
    prefix, slash, name = key.partition("/")
    return (prefix.split("."), name) if slash else ([], key)


def prefix_defect(key: str, _value: Json) -> str | None:
    """Say what is wrong with the prefix of a key."""
    prefix, slash, _ = key.partition("/")
    return key_defect(f"{prefix}/") if slash else None


def name_ends_defect(key: str, _value: Json) -> str | None:
    """Say what is wrong with the ends of the name of a key."""
    _, name = split(key)
    ends_well = not name or (END.fullmatch(name[0]) and END.fullmatch(name[-1]))
    return None if ends_well else f"the name {name!r} begins or ends with no letter or digit"


def name_inside_defect(key: str, value: Json) -> str | None:
    """Say what is wrong with a name between its ends."""
    _, name = split(key)
    return key_defect(name.replace("/", " ")) if name_ends_defect(key, value) is None else None


def order_defect(key: str, _value: Json) -> str | None:
    """Say why a prefix is plainly a host name read forwards: it ends with a top-level domain and begins with none."""
    labels, _ = split(key)
    forwards = len(labels) > 1 and labels[-1] in TOP_LEVEL and labels[0] not in TOP_LEVEL and len(labels[0]) > 2
    return "the prefix is a host name that is not reversed" if forwards else None


def reservation_defect(key: str, revision: Revision) -> str | None:
    """Say why a key uses a reserved prefix that is surely not its own to use.

    Official extensions may define any key below io.modelcontextprotocol: none of these is held against a server.
    """
    labels, _ = split(key)
    if labels[:2] == ["io", "modelcontextprotocol"]:
        return None
    # Until 2025-06-18 the reserved label was followed by one more; since then it is the second.
    taken = labels[:-1] if revision is Revision.R2025_06_18 else labels[1:2]
    return "the prefix is reserved for MCP" if RESERVED & set(taken) else None


def trace_defect(key: str, value: Json) -> str | None:
    """Say why the value of a key of trace context is not of its form."""
    if key == "traceparent" and not (isinstance(value, str) and TRACEPARENT.fullmatch(value)):
        return "the value is no traceparent"
    form = {"tracestate": TRACESTATE, "baggage": BAGGAGE}.get(key)
    if form and not (isinstance(value, str) and all(form.fullmatch(member) for member in value.split(","))):
        return f"the value is no {key}"
    return None
