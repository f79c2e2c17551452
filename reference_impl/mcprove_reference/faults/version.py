"""Faults of version negotiation in the modern lineage."""

from typing import Any

from mcprove.core.errors import INVALID_PARAMS, UNSUPPORTED_PROTOCOL_VERSION
from mcprove.core.jsonrpc import Json, Message
from mcprove.spec.revisions import MODERN
from mcprove_reference.exchange import Call, Refusal, Result, params_of
from mcprove_reference.faults.base import Fault


def _data(**changes: Json) -> Any:
    """Return a patch that changes members of the refusal's data."""

    def patch(original: Any, _self: Any, requested: str) -> Refusal:
        refusal = original(requested)
        return Refusal(refusal.code, refusal.message, {**refusal.data, **changes})

    return patch


def _discover_first(original: Any, self: Any, request: Message, call: Call) -> Result:
    self.discovered = getattr(self, "discovered", False) or request.method == "server/discover"
    if not self.discovered:
        raise Refusal(INVALID_PARAMS, "server/discover has to come first")
    result: Result = original(request, call)
    return result


def _serves_any(method: str) -> Any:
    """Return a patch by which one method is served under any version."""

    def patch(original: Any, self: Any, request: Message, call: Call) -> Result:
        params = params_of(request)
        if request.method != method or self.meta_defect(params):
            result: Result = original(request, call)
            return result
        return self.modern_result(method, self.offer.dispatch(self.modern_methods(), method, params, call))  # type: ignore[no-any-return]

    return patch


FAULTS = (
    Fault(
        id="version.discover-first",
        breaks=("version.any-request-first", "compat.dual-server-modern-request"),
        says="A process serves nothing modern until it has heard server/discover.",
        patch={"serve_modern": _discover_first},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="version.wrong-code",
        breaks=(
            "version.unsupported-error-code",
            "version.unsupported-known-old",
            "version.unsupported-every-method",
            "http.unsupported-version-400",
        ),
        says="An unsupported version is refused with -32602.",
        patch={
            "unsupported_version_error": lambda original, _self, requested: Refusal(
                INVALID_PARAMS, "bad version", original(requested).data
            )
        },
        revisions=MODERN,
    ),
    Fault(
        id="version.refused-by-200",
        breaks=("http.unsupported-version-400",),
        says="An unsupported version is refused with status 200.",
        patch={
            "status_for": lambda original, _self, response, revision: (
                200 if response["error"]["code"] == UNSUPPORTED_PROTOCOL_VERSION else original(response, revision)
            )
        },
        transport="http",
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
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="version.own-version-as-requested",
        breaks=("version.unsupported-error-payload",),
        says="The refusal of a version repeats another one in data.requested.",
        patch={"unsupported_version_error": _data(requested=MODERN[-1])},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="version.supported-as-text",
        breaks=("version.unsupported-error-payload",),
        says="data.supported is a string.",
        patch={"unsupported_version_error": _data(supported=MODERN[-1])},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="version.offers-what-it-refuses",
        breaks=("version.unsupported-error-payload", "version.unsupported-list-matches-discover"),
        says="data.supported names the version that is being refused.",
        patch={
            "unsupported_version_error": lambda original, self, requested: _data(
                supported=[*self.supported_versions(), requested]
            )(original, self, requested)
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="version.lists-differ",
        breaks=("version.unsupported-list-matches-discover",),
        says="data.supported names a version that server/discover does not.",
        patch={"unsupported_version_error": _data(supported=[*MODERN, "2026-09-01"])},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="version.old-refused-as-invalid-params",
        breaks=("version.unsupported-known-old",),
        says="A published version without per-request metadata is refused with -32602.",
        patch={
            "unsupported_version_error": lambda original, _self, requested: (
                Refusal(INVALID_PARAMS, "a version with a handshake") if requested[:3] == "202" else original(requested)
            )
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="version.prompts-under-any",
        breaks=("version.unsupported-every-method",),
        says="prompts/list is served under any version.",
        patch={"serve_modern": _serves_any("prompts/list")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="version.discover-under-any",
        breaks=("version.unsupported-every-method",),
        says="server/discover is served under any version.",
        patch={"serve_modern": _serves_any("server/discover")},
        transport="stdio",
        revisions=MODERN,
    ),
)
