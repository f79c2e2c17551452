"""Judges values by the schemas of a revision, and the schemas of tools by the dialect that they name.

Nothing is fetched: a ``$ref`` that leads out of the known documents is never followed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from jsonschema import (
    Draft3Validator,
    Draft4Validator,
    Draft6Validator,
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
    FormatChecker,
)
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
from referencing.exceptions import Unresolvable

from mcprove.spec.schemas import DIALECT, definitions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

    from mcprove.core.jsonrpc import Json
    from mcprove.spec.revisions import Revision

DRAFT_07 = "http://json-schema.org/draft-07/schema"

_DIALECTS: dict[str, type[Validator]] = {
    "http://json-schema.org/draft-03/schema": Draft3Validator,
    "http://json-schema.org/draft-04/schema": Draft4Validator,
    "http://json-schema.org/draft-06/schema": Draft6Validator,
    DRAFT_07: Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": Draft201909Validator,
    DIALECT: Draft202012Validator,
}

_DETAIL_LIMIT = 200
_VALUE_LIMIT = 60

_FORMAT_NAMES = {"byte": "base64", "uri": "a URI"}

_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/=]|=[^=]|={3}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# Characters that RFC 3986 leaves out of every part of a URI. Those above ASCII are let pass, as in an IRI.
_NOT_URI = re.compile(r'[\x00-\x20"<>\\^`{|}\x7f]|%(?![0-9A-Fa-f]{2})')


@dataclass(frozen=True, slots=True)
class SchemaDefect:
    """One way in which a value departs from its schema.

    Attributes:
        pointer: JSON pointer to the offending value; "" is the value itself.
        detail: What is wrong there, in at most 200 characters.

    """

    pointer: str
    detail: str


def schema_defects(revision: Revision, definition: str, value: Json) -> list[SchemaDefect]:
    """Judge a value by a definition of a revision; the defects come in the order of the value's paths.

    Raises:
        KeyError: the revision has no such definition.

    """
    return _defects(_validator(revision, definition).iter_errors(value))


def metaschema_defects(schema: Json, default_dialect: str | None) -> list[SchemaDefect]:
    """Judge a tool's ``inputSchema`` or ``outputSchema`` by the dialect that its ``$schema`` names.

    ``default_dialect`` is the address of the dialect that holds without ``$schema``: 2020-12 from 2025-11-25 on.
    Where the revision names none, None accepts what draft-07 or 2020-12 accepts. A schema in a dialect that is
    not known here has no defects, and neither has one that is nested too deeply to be walked.
    Spec: basic#json-schema-usage.
    """
    named = schema.get("$schema") if isinstance(schema, dict) else None
    chosen = named if isinstance(named, str) else default_dialect
    candidates = [DRAFT_07, DIALECT] if chosen is None else [chosen.removesuffix("#")]
    return min((_dialect_defects(schema, dialect) for dialect in candidates), key=len)


def instance_defects(schema: Json, value: Json, default_dialect: str | None) -> list[SchemaDefect]:
    """Judge a value by the schema that a tool gives for it; the dialect is chosen as in `metaschema_defects`.

    Patterns are not judged, for Python's grammar of them is not that of ECMA-262. Neither is a schema that is
    itself defective, that is in an unknown dialect or that refers to what is not at hand.
    """
    if '"pattern' in json.dumps(schema) or metaschema_defects(schema, default_dialect):
        return []
    named = schema.get("$schema") if isinstance(schema, dict) else None
    dialect = named.removesuffix("#") if isinstance(named, str) else default_dialect or DIALECT
    if dialect not in _DIALECTS:
        return []
    try:
        return _defects(_DIALECTS[dialect](schema, registry=REGISTRY).iter_errors(value))
    except (RecursionError, Unresolvable):
        return []


def _dialect_defects(schema: Json, dialect: str) -> list[SchemaDefect]:
    if dialect not in _DIALECTS:
        return []
    try:
        return _defects(_metaschema(dialect).iter_errors(schema))
    except RecursionError:
        return []


@cache
def _validator(revision: Revision, definition: str) -> Validator:
    known = definitions(revision)
    if definition not in known:
        raise KeyError(f"{revision} has no definition {definition}")
    schema = {"$schema": DIALECT, "$ref": f"#/$defs/{definition}", "$defs": known}
    return Draft202012Validator(schema, registry=REGISTRY, format_checker=_FORMATS)


@cache
def _metaschema(dialect: str) -> Validator:
    # Without a format checker: "regex" would be judged by Python's grammar and not by that of ECMA-262.
    validator = _DIALECTS[dialect]
    return validator(validator.META_SCHEMA, registry=REGISTRY)


_FORMATS = FormatChecker(formats=())


@_FORMATS.checks("byte")
def _is_base64(value: object) -> bool:
    """Whether a text is padded base64 in the standard alphabet (RFC 4648 section 4)."""
    return not isinstance(value, str) or (len(value) % 4 == 0 and not _NOT_BASE64.search(value))


@_FORMATS.checks("uri")
def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or bool(_SCHEME.match(value) and not _NOT_URI.search(value))


def _defects(errors: Iterable[ValidationError]) -> list[SchemaDefect]:
    found = {
        (_sort_key(error), SchemaDefect(_pointer(error), _clip(_detail(error), _DETAIL_LIMIT))) for error in errors
    }
    return [defect for _, defect in sorted(found, key=lambda pair: (pair[0], pair[1].detail))]


def _sort_key(error: ValidationError) -> tuple[str, ...]:
    return tuple(f"{part:09}" if isinstance(part, int) else part for part in error.absolute_path)


def _pointer(error: ValidationError) -> str:
    parts = (str(part).replace("~", "~0").replace("/", "~1") for part in error.absolute_path)
    return "".join(f"/{part}" for part in parts)


def _detail(error: ValidationError) -> str:
    words = _WORDS.get(str(error.validator))
    return words(error) if words else error.message


def _type_detail(error: ValidationError) -> str:
    wanted: Any = error.validator_value
    return f"is {_show(error.instance)}, not of type {wanted if isinstance(wanted, str) else ' or '.join(wanted)}"


def _enum_detail(error: ValidationError) -> str:
    allowed: Any = error.validator_value
    return f"is {_show(error.instance)}, not one of {', '.join(_show(value) for value in allowed)}"


def _const_detail(error: ValidationError) -> str:
    return f"is {_show(error.instance)}, not {_show(error.validator_value)}"


def _format_detail(error: ValidationError) -> str:
    return f"is {_show(error.instance)}, which is not {_FORMAT_NAMES[str(error.validator_value)]}"


def _combined_detail(error: ValidationError) -> str:
    """Say what the schema's own ``$comment`` says of a combination, which no general message can name."""
    schema: Any = error.schema
    said: str = schema.get("$comment", error.message)
    return said


_WORDS: dict[str, Callable[[ValidationError], str]] = {
    "type": _type_detail,
    "enum": _enum_detail,
    "const": _const_detail,
    "format": _format_detail,
    "anyOf": _combined_detail,
    "oneOf": _combined_detail,
}


def _show(value: Any) -> str:
    return _clip(json.dumps(value, ensure_ascii=False), _VALUE_LIMIT)


def _clip(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
