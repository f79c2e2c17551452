"""Faults of the handshake of the legacy lineage."""

from mcprove.spec.revisions import LEGACY, NEWEST_LEGACY
from mcprove_reference.faults.base import Fault

FAULTS = (
    Fault(
        id="lifecycle.always-newest",
        breaks=("lifecycle.echo-requested-version",),
        says="initialize is answered with the newest revision, whatever was asked for.",
        patch={"negotiate": lambda _original, _self, _requested: NEWEST_LEGACY},
        revisions=LEGACY[:-1],
    ),
    Fault(
        id="lifecycle.no-server-info",
        breaks=("lifecycle.initialize-result",),
        says="The result of initialize lacks serverInfo.",
        patch={
            "initialize_result": lambda original, _self, revision: {
                name: value for name, value in original(revision).items() if name != "serverInfo"
            }
        },
        revisions=LEGACY,
    ),
)
