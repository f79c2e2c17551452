"""Results: their type, and members that a revision does not define."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import Inconclusive, Kind, Probe, requirement, show
from mcprove_suites.judging import Offence, expect_none, modern_answers
from mcprove_suites.served import served_requests

if TYPE_CHECKING:
    from mcprove import Exchange, Json, Message

CORE_TYPES = ("complete", "input_required")


@requirement("result.result-type-present", last=True)
def test_results_have_a_type(modern: Probe) -> None:
    """Every result that answers a modern request has a resultType, a string."""
    untyped = [
        Offence(f"resultType {show(kind, 60)}", answer, exchange)
        for exchange, answer, kind in typed_results(modern)
        if not isinstance(kind, str)
    ]
    expect_none(untyped, "every result has a resultType, a string")


@requirement("result.result-type-known-set", last=True)
def test_results_have_a_known_type(modern: Probe) -> None:
    """Extensions may add types, so that with any extension declared every type may be one of theirs."""
    extended = bool(modern.capabilities.get("extensions"))
    unknown = [
        Offence(f"resultType {show(kind, 60)}", answer, exchange)
        for exchange, answer, kind in typed_results(modern)
        if isinstance(kind, str) and kind not in CORE_TYPES and not extended
    ]
    expect_none(unknown, "every resultType is complete or input_required")


@requirement("result.extra-fields")
def test_copes_with_extra_params(server: Probe) -> None:
    """A member of params that no revision knows is ignored by whoever does not know it."""
    method, params = served_requests(server)[0]
    given: dict[str, Json] = params if isinstance(params, dict) else {}
    server.request(method, {**given, "mcproveExtra": {"of": ["no", 1]}}).expect_result(
        "a result, as without the member"
    )


def typed_results(modern: Probe) -> list[tuple[Exchange, Message, Json]]:
    """Return the results of modern requests that are objects, each with its resultType."""
    found = [
        (exchange, answer, answer.result.get("resultType"))
        for exchange, answer in modern_answers(modern)
        if answer.kind is Kind.RESULT and isinstance(answer.result, dict)
    ]
    if not found:
        raise Inconclusive("no request was answered with a result")
    return found
