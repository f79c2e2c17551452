"""Faults of server/discover."""

from typing import Any

from mcprove.core.jsonrpc import Json
from mcprove.spec.revisions import MODERN
from mcprove_reference.exchange import Result
from mcprove_reference.faults.base import Fault


def _result(**changes: Json) -> Any:
    """Return a patch that changes members of the result."""
    return lambda original, _self, params, call: {**original(params, call), **changes}


def _without_capabilities(original: Any, _self: Any, params: Any, call: Any) -> Result:
    return {name: value for name, value in original(params, call).items() if name != "capabilities"}


FAULTS = (
    Fault(
        id="discover.missing",
        breaks=("discover.implemented",),
        says="There is no server/discover.",
        patch={
            "modern_methods": lambda original, _self: {
                name: handler for name, handler in original().items() if name != "server/discover"
            }
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="discover.versions-as-text",
        breaks=("discover.versions-field",),
        says="supportedVersions is a string.",
        patch={"discover_result": _result(supportedVersions=MODERN[-1])},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="discover.no-versions",
        breaks=("discover.versions-field", "discover.includes-used-version"),
        says="supportedVersions is empty.",
        patch={"discover_result": _result(supportedVersions=[])},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="discover.other-version",
        breaks=("discover.includes-used-version", "version.unsupported-list-matches-discover"),
        says="supportedVersions lacks the version in use.",
        patch={"discover_result": _result(supportedVersions=["2026-09-01"])},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="discover.no-capabilities",
        breaks=("discover.capabilities-field",),
        says="The result lacks capabilities; nothing is offered either.",
        patch={"discover_result": _without_capabilities, "feature_methods": lambda _original, _self: {}},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="discover.capability-as-flag",
        breaks=("discover.capability-shapes",),
        says="The capability prompts is true.",
        patch={"discover_result": _result(capabilities={"tools": {}, "resources": {}, "prompts": True})},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="discover.flag-as-object",
        breaks=("discover.capability-shapes",),
        says="The flag listChanged of prompts is an object.",
        patch={"discover_result": _result(capabilities={"tools": {}, "resources": {}, "prompts": {"listChanged": {}}})},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="discover.instructions-as-list",
        breaks=("discover.instructions-string",),
        says="The instructions are an array.",
        patch={"discover_result": _result(instructions=["read", "call"])},
        transport="stdio",
        revisions=MODERN,
    ),
)
