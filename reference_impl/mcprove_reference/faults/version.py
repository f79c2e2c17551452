"""Faults of version negotiation in the modern lineage."""

from mcprove.core.errors import INVALID_PARAMS
from mcprove.spec.revisions import MODERN
from mcprove_reference.exchange import Refusal
from mcprove_reference.faults.base import Fault

FAULTS = (
    Fault(
        id="version.refused-as-invalid-params",
        breaks=("version.unsupported-error-code",),
        says="An unsupported version is refused with -32602.",
        patch={
            "unsupported_version_error": lambda original, _self, requested: Refusal(
                INVALID_PARAMS, "bad version", original(requested).data
            )
        },
        revisions=MODERN,
    ),
    Fault(
        id="version.refused-without-data",
        breaks=("version.unsupported-error-payload",),
        says="The refusal of a version has no data.",
        patch={
            "unsupported_version_error": lambda original, _self, requested: Refusal(
                original(requested).code, "unsupported protocol version"
            )
        },
        revisions=MODERN,
    ),
)
