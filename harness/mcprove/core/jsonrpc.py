"""JSON-RPC messages as MCP uses them: strict parsing, tolerant classification, building."""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any
Id: TypeAlias = str | int
MAX_DEPTH = 128


class _Absent:
    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


MISSING: Final[Any] = _Absent("MISSING")
OMIT: Final[Any] = _Absent("OMIT")


class Kind(Enum):
    """What a message is, judged by its members alone."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESULT = "result"
    ERROR = "error"
    BATCH = "batch"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Defect:
    """One way in which a message departs from the envelope rules."""

    rule: str
    pointer: str
    detail: str


class NotJson(ValueError):
    """The bytes are not one JSON value in UTF-8."""

    def __init__(self, reason: str, offset: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Message:
    """A parsed message with its envelope defects; every property is None where it is absent or unusable."""

    raw: bytes
    value: Json
    kind: Kind
    defects: tuple[Defect, ...]

    def _member(self, name: str, default: Json = None) -> Json:
        return self.value.get(name, default) if isinstance(self.value, dict) else default

    @property
    def id(self) -> Json:
        return self._member("id", MISSING)

    @property
    def has_id(self) -> bool:
        return self.id is not MISSING

    @property
    def method(self) -> str | None:
        method = self._member("method")
        return method if isinstance(method, str) else None

    @property
    def params(self) -> Json:
        return self._member("params")

    @property
    def result(self) -> Json:
        return self._member("result")

    @property
    def error(self) -> Json:
        return self._member("error")

    @property
    def is_response(self) -> bool:
        return self.kind in (Kind.RESULT, Kind.ERROR, Kind.BATCH)

    def _of_error(self, name: str) -> Json:
        return self.error.get(name) if isinstance(self.error, dict) else None

    @property
    def error_code(self) -> Json:
        return self._of_error("code")

    @property
    def error_message(self) -> Json:
        return self._of_error("message")

    @property
    def error_data(self) -> Json:
        return self._of_error("data")


def parse(data: bytes, *, max_depth: int = MAX_DEPTH) -> Message:
    """Read one message; raises NotJson for anything that is not one JSON value in UTF-8."""
    defects: list[Defect] = []
    body = data
    if data.startswith(codecs.BOM_UTF8):
        body = data[3:]
        defects.append(Defect("bom", "", "the message begins with a byte order mark"))
    value = _decode(body, max_depth, defects)
    kind = classify(value)
    return Message(data, value, kind, (*defects, *_envelope(value, kind)))


def _decode(body: bytes, max_depth: int, defects: list[Defect]) -> Json:
    def pairs(items: list[tuple[str, Json]]) -> dict[str, Json]:
        built = dict(items)
        if len(built) < len(items):
            seen: set[str] = set()
            twice = next(k for k, _ in items if k in seen or seen.add(k))
            defects.append(Defect("duplicate-key", "", f"an object has the key {twice!r} twice"))
        return built

    def constant(name: str) -> Json:
        raise NotJson(f"{name} is not JSON")

    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise NotJson("not UTF-8", problem.start) from problem
    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except NotJson:
        raise
    except RecursionError as problem:
        raise NotJson("nested too deeply") from problem
    except ValueError as problem:
        raise NotJson(f"not JSON: {problem}", getattr(problem, "pos", None)) from problem
    if _depth(value, max_depth) > max_depth:
        raise NotJson(f"nested deeper than {max_depth} levels")
    return value


def _depth(value: Json, limit: int) -> int:
    level, here = 0, [value]
    while here and level <= limit:
        here = [c for v in here if isinstance(v, dict | list) for c in (v.values() if isinstance(v, dict) else v)]
        level += bool(here)
    return level


def classify(value: Json) -> Kind:
    if isinstance(value, list):
        return Kind.BATCH
    if not isinstance(value, dict):
        return Kind.OTHER
    if "method" in value:
        return Kind.REQUEST if "id" in value else Kind.NOTIFICATION
    if "error" in value:
        return Kind.ERROR
    return Kind.RESULT if "result" in value else Kind.OTHER


def _envelope(value: Json, kind: Kind) -> list[Defect]:
    found: list[Defect] = []
    if kind is Kind.BATCH:
        return [Defect("batch", "", "the message is an array")]
    if not isinstance(value, dict):
        return [Defect("kind", "", "the message is no object")]
    if value.get("jsonrpc") != "2.0":
        found.append(Defect("jsonrpc", "/jsonrpc", f"jsonrpc is {json.dumps(value.get('jsonrpc'))}, not \"2.0\""))
    if kind is Kind.OTHER:
        found.append(Defect("kind", "", "neither request, notification nor response"))
    i = value.get("id", MISSING)
    if i is None:
        found.append(Defect("id-null", "/id", "id is null"))
    elif i is not MISSING and (isinstance(i, bool) or not isinstance(i, str | int) and not (isinstance(i, float) and i.is_integer())):
        found.append(Defect("id-type", "/id", "id is neither string nor integer"))
    if kind is Kind.RESULT and i is MISSING:
        found.append(Defect("response-id-missing", "", "a result without an id"))
    if "method" in value and not isinstance(value["method"], str):
        found.append(Defect("method-type", "/method", "method is no string"))
    if "method" in value and "params" in value and not isinstance(value["params"], dict):
        found.append(Defect("params-type", "/params", "params is no object"))
    if kind is Kind.REQUEST and str(value["method"]).startswith("notifications/"):
        found.append(Defect("notification-id", "/id", "a notification with an id"))
    if "result" in value and "error" in value:
        found.append(Defect("result-and-error", "", "both result and error"))
    if kind is Kind.RESULT and not isinstance(value["result"], dict):
        found.append(Defect("result-type", "/result", "result is no object"))
    if kind is Kind.ERROR:
        e = value["error"]
        if not isinstance(e, dict):
            return [*found, Defect("error-type", "/error", "error is no object")]
        c = e.get("code")
        if isinstance(c, bool) or not isinstance(c, int):
            found.append(Defect("error-code", "/error/code", "code is no integer"))
        if not isinstance(e.get("message"), str):
            found.append(Defect("error-message", "/error/message", "message is no string"))
    return found


def dump(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _message(**m: Json) -> dict[str, Json]:
    return {"jsonrpc": "2.0", **{k: v for k, v in m.items() if v is not OMIT}}


def request(id: Json, method: str, params: Json = OMIT) -> dict[str, Json]:
    return _message(id=id, method=method, params=params)


def notification(method: str, params: Json = OMIT) -> dict[str, Json]:
    return _message(method=method, params=params)


def result(id: Json, result: Json) -> dict[str, Json]:
    return _message(id=id, result=result)


def error(id: Json, code: Json, message: Json, data: Json = OMIT) -> dict[str, Json]:
    body = {"code": code, "message": message, **({} if data is OMIT else {"data": data})}
    return _message(id=id, error=body)
