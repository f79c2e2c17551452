"""Faults of results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcprove.core.errors import INVALID_PARAMS
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY
from mcprove_reference.exchange import Refusal
from mcprove_reference.faults.base import Fault
from mcprove_reference.params import SHAPES

if TYPE_CHECKING:
    from mcprove_reference.exchange import Params


def _refuse_extra(original: Any, _self: Any, method: str, params: Params) -> None:
    known = {"_meta", *(name for name, _, _ in SHAPES.get(method, ()))}
    if params.keys() - known:
        raise Refusal(INVALID_PARAMS, "unknown members in params")
    original(method, params)


FAULTS = (
    Fault(
        id="result.no-type",
        breaks=("result.result-type-present",),
        says="Results have no resultType.",
        patch={
            "modern_result": lambda original, _self, method, result: {
                name: value for name, value in original(method, result).items() if name != "resultType"
            }
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="result.unknown-type",
        breaks=("result.result-type-known-set",),
        says='The resultType of prompts is "prompt".',
        patch={
            "get_prompt": lambda original, _self, params, call: {**original(params, call), "resultType": "prompt"},
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="result.extra-refused",
        breaks=("result.extra-fields",),
        says="Params with a member that is not defined are refused.",
        patch={"check_params": _refuse_extra},
        transport="stdio",
        revisions=(NEWEST_LEGACY,),
    ),
)
