"""The envelope of a message: of which kind it is, and where it departs from the rules of its kind.

Spec: basic#messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from mcprove.core import jsontext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcprove.core.jsontext import Json

_Test: TypeAlias = "Callable[[Json], bool]"

_VALUE_LIMIT = 60


class _Absent(Enum):
    """Markers that stand for no value at all, which null is not."""

    MISSING = "MISSING"
    OMIT = "OMIT"

    def __repr__(self) -> str:
        return self.name


MISSING: Final[Any] = _Absent.MISSING
"""What a member that is not there reads as."""

OMIT: Final[Any] = _Absent.OMIT
"""What to give for a member that is to be left out."""


class Kind(Enum):
    """What a message is, judged by which members it has, not by what is in them."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESULT = "result"
    ERROR = "error"
    BATCH = "batch"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Defect:
    """One way in which a message departs from the envelope rules.

    Attributes:
        rule: Slug of the rule.
        pointer: JSON pointer into the message; "" is the message.
        detail: What is wrong, such as ``jsonrpc is "1.0", not "2.0"``.

    """

    rule: str
    pointer: str
    detail: str


@dataclass(frozen=True, slots=True)
class _Rule:
    """What one member of messages of some kinds has to be; the test sees `MISSING` where the member is not there."""

    slug: str
    kinds: frozenset[Kind]
    path: tuple[str, ...]
    holds: _Test
    wanted: str


def classify(value: Json) -> Kind:
    """Tell the kind of a message; a method comes before an error, and an error before a result."""
    if isinstance(value, list):
        return Kind.BATCH
    if not isinstance(value, dict):
        return Kind.OTHER
    if "method" in value:
        return Kind.REQUEST if "id" in value else Kind.NOTIFICATION
    if "error" in value:
        return Kind.ERROR
    return Kind.RESULT if "result" in value else Kind.OTHER


def defects_of(value: Json, kind: Kind) -> Iterator[Defect]:
    """Find every envelope rule that a message of this kind breaks.

    An error without an id has no defect here: it may stand for a request whose id could not be read.
    """
    if kind is Kind.BATCH:
        yield Defect("batch", "", "the message is an array")
    elif not isinstance(value, dict):
        yield Defect("kind", "", f"the message is {_show(value)}, not an object")
    else:
        yield from (_judge(rule, value) for rule in _RULES if kind in rule.kinds and not _holds(rule, value))
        yield from _judge_together(value, kind)


def _judge_together(value: dict[str, Json], kind: Kind) -> Iterator[Defect]:
    """Find the rules on several members at once."""
    if kind is Kind.OTHER:
        yield Defect("kind", "", "the message has none of method, result and error")
    if "result" in value and "error" in value:
        yield Defect("result-and-error", "", "result and error are both present")
    method = value.get("method")
    if kind is Kind.REQUEST and isinstance(method, str) and method.startswith("notifications/"):
        yield Defect("notification-id", "/id", f"the notification {_show(method)} has an id")


def _holds(rule: _Rule, value: dict[str, Json]) -> bool:
    parent = _at(value, rule.path[:-1])
    # A parent that is no object is a defect of its own.
    return not isinstance(parent, dict) or rule.holds(parent.get(rule.path[-1], MISSING))


def _judge(rule: _Rule, value: dict[str, Json]) -> Defect:
    member = _at(value, rule.path)
    found = "missing" if member is MISSING else f"{_show(member)}, not {rule.wanted}"
    return Defect(rule.slug, f"/{'/'.join(rule.path)}", f"{'.'.join(rule.path)} is {found}")


def _at(value: Json, path: tuple[str, ...]) -> Json:
    for name in path:
        value = value.get(name, MISSING)
    return value


def _show(value: Json) -> str:
    text = jsontext.write(value).decode("utf-8")
    return text if len(text) <= _VALUE_LIMIT else f"{text[: _VALUE_LIMIT - 1]}…"


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _is_object(value: Json) -> bool:
    return isinstance(value, dict)


def _is_integer(value: Json) -> bool:
    """Whether a number is whole: 1.0 and 1 are the same number in JSON."""
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def _is_id(value: Json) -> bool:
    return isinstance(value, str) or _is_integer(value)


def _or_absent(test: _Test) -> _Test:
    return lambda value: value is MISSING or test(value)


_ALL = frozenset(Kind)
_CALLS = frozenset({Kind.REQUEST, Kind.NOTIFICATION})
_RESULT = frozenset({Kind.RESULT})
_ERROR = frozenset({Kind.ERROR})

_RULES = (
    _Rule("jsonrpc", _ALL, ("jsonrpc",), lambda value: value == "2.0", '"2.0"'),
    _Rule("id-null", _ALL, ("id",), lambda value: value is not None, "a string or an integer"),
    _Rule("id-type", _ALL, ("id",), lambda value: value in (None, MISSING) or _is_id(value), "a string or an integer"),
    _Rule("response-id-missing", _RESULT, ("id",), lambda value: value is not MISSING, "that of the request"),
    _Rule("method-type", _CALLS, ("method",), _is_text, "a string"),
    _Rule("params-type", _CALLS, ("params",), _or_absent(_is_object), "an object"),
    _Rule("result-type", _RESULT, ("result",), _is_object, "an object"),
    _Rule("error-type", _ERROR, ("error",), _is_object, "an object"),
    _Rule("error-code", _ERROR, ("error", "code"), _is_integer, "an integer"),
    _Rule("error-message", _ERROR, ("error", "message"), _is_text, "a string"),
)
