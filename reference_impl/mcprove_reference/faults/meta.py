"""Faults of the metadata of modern requests and results."""

from mcprove.spec.revisions import MODERN
from mcprove_reference.faults.base import Fault

FAULTS = (
    Fault(
        id="meta.capabilities-not-needed",
        breaks=("meta.missing-client-capabilities",),
        says="A request without clientCapabilities is served.",
        patch={
            "meta_defect": lambda original, _self, params: (
                None if "clientCapabilities" in (original(params) or "") else original(params)
            )
        },
        revisions=MODERN,
    ),
    Fault(
        id="meta.no-result-type",
        breaks=("result.result-type-present",),
        says="Results have no resultType.",
        patch={
            "modern_result": lambda original, _self, method, result: {
                name: value for name, value in original(method, result).items() if name != "resultType"
            }
        },
        revisions=MODERN,
    ),
)
