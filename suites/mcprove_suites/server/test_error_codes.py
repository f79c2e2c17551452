"""The codes of errors in the modern lineage: whose they are, and that they keep their meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import Exchange, Probe, requirement
from mcprove.core import errors, headers
from mcprove.core.errors import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR
from mcprove_suites.judging import Offence, body_of, expect_none, given_errors, is_well_formed, modern_answers

if TYPE_CHECKING:
    from collections.abc import Callable

MCP_RANGE = range(-32099, -32019)
LEGACY_RANGE = range(-32019, -31999)
JSON_RPC_RANGE = range(-32768, -31999)
RETIRED = {errors.RESOURCE_NOT_FOUND, errors.URL_ELICITATION_REQUIRED}
DEFINED = {errors.HEADER_MISMATCH, errors.MISSING_CLIENT_CAPABILITY, errors.UNSUPPORTED_PROTOCOL_VERSION}
STANDARD = {PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, errors.INTERNAL_ERROR}


@requirement("error.standard-codes", last=True)
def test_parse_error_means_no_json(modern: Probe) -> None:
    """A message that is JSON, and a well-formed request, is never answered with -32700."""
    expect_none(
        coded(modern, lambda code, exchange: code == PARSE_ERROR and is_well_formed(exchange)),
        f"{errors.describe(PARSE_ERROR)} only for what is not JSON",
    )


@requirement("error.reserved-codes-own-meaning", last=True)
def test_defined_codes_keep_their_meaning(modern: Probe) -> None:
    """No -32022 for the version that is spoken, and no -32020 on stdio or where the headers repeat the body."""
    expect_none(coded(modern, misused), "-32020 and -32022 only for what they are defined for")


@requirement("error.reserved-range-only-defined", last=True)
def test_reserved_range_has_no_other_codes(modern: Probe) -> None:
    """Between -32099 and -32020 there are three codes; -32042 is the matter of another rule."""
    expect_none(
        coded(modern, lambda code, _: code in MCP_RANGE and code not in DEFINED | RETIRED),
        "no other code from -32099 to -32020 than -32020, -32021 and -32022",
    )


@requirement("error.retired-codes", last=True)
def test_sends_no_retired_codes(modern: Probe) -> None:
    """Nothing that was asked for in the modern way is answered with a code of the legacy lineage."""
    expect_none(coded(modern, lambda code, _: code in RETIRED), "neither -32002 nor -32042")


@requirement("error.avoid-legacy-range", last=True)
def test_avoids_the_legacy_range(modern: Probe) -> None:
    """Codes from -32019 to -32000 but for -32002, which is the matter of another rule."""
    expect_none(
        coded(modern, lambda code, _: code in LEGACY_RANGE and code not in RETIRED), "no code from -32019 to -32000"
    )


@requirement("error.app-codes-outside-reserved", last=True)
def test_own_codes_are_outside_the_reserved_range(modern: Probe) -> None:
    """Of the codes that JSON-RPC reserves only those are used that it or MCP defines."""
    expect_none(
        coded(modern, lambda code, _: code in JSON_RPC_RANGE and code < MCP_RANGE.start and code not in STANDARD),
        "codes of its own outside of -32768 to -32000",
    )


def coded(modern: Probe, is_wrong: Callable[[int, Exchange], bool]) -> list[Offence]:
    """Return the errors to modern requests whose code is wrong; a code that is no integer is judged elsewhere."""
    given_errors(modern)
    return [
        Offence(f"code {errors.describe(answer.error_code)}", answer, exchange)
        for exchange, answer in modern_answers(modern)
        if isinstance(answer.error_code, int) and is_wrong(answer.error_code, exchange)
    ]


def misused(code: int, exchange: Exchange) -> bool:
    """Return whether a defined code answers what it is not for; the version was one that is spoken."""
    return code == errors.UNSUPPORTED_PROTOCOL_VERSION or (
        code == errors.HEADER_MISMATCH and headers_are_right(exchange)
    )


def headers_are_right(exchange: Exchange) -> bool:
    """Return whether the headers repeat the body: on stdio there are none; those of arguments are not looked at."""
    if exchange.status is None:
        return True
    body = body_of(exchange)
    method, params = body.get("method"), body.get("params")
    if not isinstance(method, str) or method == "tools/call" or not is_well_formed(exchange):
        return False
    name = headers.name_of(method, params)
    sent = {field.lower(): value for field, value in exchange.sent_headers.items()}
    wanted = {headers.METHOD: method, **({headers.NAME: name} if name is not None else {})}
    return all(sent.get(field.lower()) == headers.encode_value(value) for field, value in wanted.items())
