"""JSON text, read strictly: one value, in UTF-8, of bounded depth, with its repeated keys found."""

from __future__ import annotations

import codecs
import json
import math
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

# None, bool, int, float, str, list or dict with str keys; what it is has to be asked wherever it matters.
Json: TypeAlias = Any

REPEATED_LIMIT = 20
"""How many repeated keys of one text are told: each may be as long as the text."""


class NotJson(ValueError):  # noqa: N818
    """The bytes are not one JSON value in UTF-8.

    Attributes:
        reason: What is wrong with them.
        offset: Where, in bytes from the start; None where no single place is at fault.

    """

    def __init__(self, reason: str, offset: int | None = None) -> None:
        super().__init__(reason if offset is None else f"{reason} (byte {offset})")
        self.reason = reason
        self.offset = offset


def read(data: bytes, *, max_depth: int) -> tuple[Json, list[tuple[str, str]]]:
    """Return the value, and the JSON pointer and key of the object members that are there more than once.

    Of those, the first `REPEATED_LIMIT` whose objects end.
    A byte order mark is skipped. The last of several equal keys wins. A number beyond the range of a double reads
    as the largest double, an integer of thousands of digits too. ``[]`` has depth 1.

    Raises:
        NotJson: the bytes are not UTF-8, not one JSON value, or nested deeper than ``max_depth``.

    """
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    repeated: list[tuple[dict[str, Json], str]] = []
    value = _decode(_text(data, start), start, repeated)
    _check_depth(value, max_depth)
    return value, list(_locate(value, repeated)) if repeated else []


def write(value: Json) -> bytes:
    """Return the value as compact JSON in UTF-8, on one line; only lone surrogates are escaped.

    Raises:
        ValueError: a number in it is infinite or not a number.

    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Python spells an unencodable surrogate just as JSON escapes it.
    return text.encode("utf-8", "backslashreplace")


def _text(data: bytes, start: int) -> str:
    try:
        text = data[start:].decode("utf-8")
    except UnicodeDecodeError as problem:
        raise NotJson("not UTF-8", start + problem.start) from None
    if not text.strip(" \t\r\n"):
        raise NotJson("not JSON: there is no value")
    return text


def _decode(text: str, start: int, repeated: list[tuple[dict[str, Json], str]]) -> Json:
    def build(members: list[tuple[str, Json]]) -> dict[str, Json]:
        built = dict(members)
        if len(built) < len(members):
            room = REPEATED_LIMIT - len(repeated)
            repeated.extend((built, key) for key in _repeated_keys(members)[:room])
        return built

    decoder = json.JSONDecoder(
        object_pairs_hook=build, parse_constant=_refuse, parse_int=_integer, parse_float=_fraction
    )
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as problem:
        offset = start + len(text[: problem.pos].encode("utf-8"))
        raise NotJson(f"not JSON: {problem.msg.lower()}", offset) from None
    except RecursionError:
        raise NotJson("nested too deeply") from None


def _refuse(name: str) -> NoReturn:
    raise NotJson(f"not JSON: {name} is no number")


def _integer(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:  # Python refuses to read an integer of thousands of digits
        return _fraction(digits)


def _fraction(digits: str) -> float:
    value = float(digits)
    return math.copysign(sys.float_info.max, value) if math.isinf(value) else value


def _repeated_keys(members: list[tuple[str, Json]]) -> list[str]:
    seen: set[str] = set()
    again: dict[str, None] = {}
    for key, _ in members:
        if key in seen:
            again[key] = None
        seen.add(key)
    return list(again)


def _check_depth(value: Json, limit: int) -> None:
    depth, layer = 0, _containers([value])
    while layer:
        depth += 1
        if depth > limit:
            raise NotJson(f"nested deeper than {limit} levels")
        layer = _containers([child for parent in layer for child in _children(parent)])


def _containers(values: list[Json]) -> list[Json]:
    return [value for value in values if isinstance(value, dict | list)]


def _children(container: Json) -> list[Json]:
    return list(container.values()) if isinstance(container, dict) else container


class _Place(NamedTuple):
    """Where a container is: the name it has in its parent; the outermost one has no parent."""

    container: Json
    parent: _Place | None
    name: str


def _locate(value: Json, repeated: list[tuple[dict[str, Json], str]]) -> Iterator[tuple[str, str]]:
    """Give each repeated key its pointer; "" where a repeated key has itself hidden the object that it is in."""
    wanted = {id(container) for container, _ in repeated}
    places = {id(place.container): place for place in _walk(value) if id(place.container) in wanted}
    for container, key in repeated:
        place = places.get(id(container))
        yield "" if place is None else _pointer(place, key), key


def _walk(value: Json) -> Iterator[_Place]:
    waiting = [_Place(value, None, "")]
    while waiting:
        place = waiting.pop()
        yield place
        here = place.container
        named = here.items() if isinstance(here, dict) else enumerate(here)
        waiting.extend(_Place(child, place, str(name)) for name, child in named if isinstance(child, dict | list))


def _pointer(place: _Place, key: str) -> str:
    names = [key]
    while place.parent is not None:
        names.append(place.name)
        place = place.parent
    return "".join(f"/{escape(name)}" for name in reversed(names))


def escape(key: str) -> str:
    """Return a key as a part of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")
