"""Version negotiation of the modern lineage: the refusal of a version that is not offered."""

from __future__ import annotations

from mcprove import Probe, expect, requirement
from mcprove.core.errors import UNSUPPORTED_PROTOCOL_VERSION

UNKNOWN = "1900-01-01"


@requirement("version.unsupported-error-code")
def test_refuses_an_unknown_version(modern: Probe) -> None:
    """A version that nobody published is refused with the code for that."""
    modern.request("tools/list", version=UNKNOWN).expect_error(UNSUPPORTED_PROTOCOL_VERSION)


@requirement("version.unsupported-error-payload")
def test_names_the_version_asked_for(modern: Probe) -> None:
    """The refusal repeats what was asked for."""
    error = modern.request("tools/list", version=UNKNOWN).given_error(UNSUPPORTED_PROTOCOL_VERSION)
    expect(error.field("requested") == UNKNOWN, "data.requested repeats the version asked for", error)
