"""JSON-RPC messages as MCP uses them: strict to read, lenient to classify, plain to build."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TypeAlias

from mcprove.core import jsontext
from mcprove.core.envelope import MISSING as MISSING
from mcprove.core.envelope import OMIT as OMIT
from mcprove.core.envelope import Defect as Defect
from mcprove.core.envelope import Kind as Kind
from mcprove.core.envelope import classify, defects_of
from mcprove.core.jsontext import Json as Json  # noqa: TC001 (a public name of this module)
from mcprove.core.jsontext import NotJson as NotJson

Id: TypeAlias = str | int

MAX_DEPTH = 128
"""How many arrays and objects within one another a message may have."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it was heard, whatever is wrong with it.

    The properties read it leniently: each gives None where its member is absent or the message is no object.

    Attributes:
        raw: The bytes, with a byte order mark if there was one.
        value: The JSON value in them.
        kind: What its members make it.
        defects: Every envelope rule that it breaks.

    """

    raw: bytes
    value: Json
    kind: Kind
    defects: tuple[Defect, ...]

    def _member(self, name: str, default: Json = None) -> Json:
        return self.value.get(name, default) if isinstance(self.value, dict) else default

    def _of_error(self, name: str) -> Json:
        return self.error.get(name) if isinstance(self.error, dict) else None

    @property
    def id(self) -> Json:
        """The id, whatever its type; `MISSING` where there is none."""
        return self._member("id", MISSING)

    @property
    def has_id(self) -> bool:
        """Whether there is an id member, be it null."""
        return self.id is not MISSING

    @property
    def is_response(self) -> bool:
        """Whether this can be an answer: a result, an error, or a batch, which may hold some."""
        return self.kind in (Kind.RESULT, Kind.ERROR, Kind.BATCH)

    @property
    def method(self) -> str | None:
        """The method; None where it is no string."""
        method = self._member("method")
        return method if isinstance(method, str) else None

    @property
    def params(self) -> Json:
        """The params, whatever their type."""
        return self._member("params")

    @property
    def result(self) -> Json:
        """The result, whatever its type."""
        return self._member("result")

    @property
    def error(self) -> Json:
        """The error, whatever its type."""
        return self._member("error")

    @property
    def error_code(self) -> Json:
        """The code of the error, whatever its type."""
        return self._of_error("code")

    @property
    def error_message(self) -> Json:
        """The message of the error, whatever its type."""
        return self._of_error("message")

    @property
    def error_data(self) -> Json:
        """The data of the error."""
        return self._of_error("data")


def parse(data: bytes, *, max_depth: int = MAX_DEPTH) -> Message:
    """Read one message. What breaks the envelope rules is in its defects and raises nothing.

    Raises:
        NotJson: the bytes are not UTF-8, not one JSON value, or nested deeper than ``max_depth``.

    """
    value, repeated = jsontext.read(data, max_depth=max_depth)
    kind = classify(value)
    found = [Defect("duplicate-key", pointer, f"the key {key!r} is there twice") for pointer, key in repeated]
    if data.startswith(codecs.BOM_UTF8):
        found.insert(0, Defect("bom", "", "the message begins with a byte order mark"))
    return Message(data, value, kind, (*found, *defects_of(value, kind)))


def request(id: Json, method: str, params: Json = OMIT) -> dict[str, Json]:  # noqa: A002
    """Build a request."""
    return _message(id=id, method=method, params=params)


def notification(method: str, params: Json = OMIT) -> dict[str, Json]:
    """Build a notification."""
    return _message(method=method, params=params)


def result(id: Json, result: Json) -> dict[str, Json]:  # noqa: A002
    """Build the response of a request that succeeded."""
    return _message(id=id, result=result)


def error(id: Json, code: Json, message: Json, data: Json = OMIT) -> dict[str, Json]:  # noqa: A002
    """Build the response of a request that failed; with `OMIT` for an id, that of one that could not be read."""
    return _message(id=id, error=_present(code=code, message=message, data=data))


def dump(value: Json) -> bytes:
    """Return a message as compact UTF-8 without any raw newline.

    Raises:
        ValueError: a number in it is infinite or not a number.

    """
    return jsontext.write(value)


def _message(**members: Json) -> dict[str, Json]:
    return {"jsonrpc": "2.0", **_present(**members)}


def _present(**members: Json) -> dict[str, Json]:
    return {name: value for name, value in members.items() if value is not OMIT}
