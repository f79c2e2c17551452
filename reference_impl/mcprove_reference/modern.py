"""The modern lineage: each request says in ``params._meta`` how it is to be read, and is served by itself.

Spec: basic/index#meta, basic/versioning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.core import meta
from mcprove.core.errors import INVALID_PARAMS, UNSUPPORTED_PROTOCOL_VERSION
from mcprove.spec.revisions import MODERN, NEWEST_MODERN
from mcprove_reference.exchange import Refusal, params_of
from mcprove_reference.offer import INSTRUCTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove.core.jsonrpc import Json, Message
    from mcprove_reference.exchange import Call, Handler, Params, Result
    from mcprove_reference.offer import Offer

CACHEABLE = frozenset(
    {
        "server/discover",
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "prompts/list",
    }
)


class Modern:
    """Serves modern requests."""

    def __init__(self, offer: Offer) -> None:
        self.offer = offer

    def declares_version(self, message: Message) -> bool:
        """Tell whether a message is modern by what it says of itself."""
        metadata = params_of(message).get("_meta")
        return isinstance(metadata, dict) and meta.PROTOCOL_VERSION in metadata

    def serve_modern(self, request: Message, call: Call) -> Result:
        """Serve a request by its own metadata, whatever came before it.

        Keeps stateless.no-prior-context, meta.missing-field-every-method, version.unsupported-every-method.
        """
        params = params_of(request)
        defect = self.meta_defect(params)
        if defect and request.method == "initialize":
            raise self.initialize_refusal()
        if defect:
            raise Refusal(INVALID_PARAMS, defect)
        requested = self.requested_version(params)
        if requested not in self.supported_versions():
            raise self.unsupported_version_error(requested)
        method = str(request.method)
        return self.modern_result(method, self.offer.dispatch(self.modern_methods(), method, params, call))

    def initialize_refusal(self) -> Refusal:
        """Return the refusal of a legacy handshake: what is missing, and which versions are spoken without one.

        Keeps compat.modern-server-initialize-names-versions.
        """
        data: Result = {"supported": self.supported_versions()}
        return Refusal(INVALID_PARAMS, f"params._meta is missing: this server speaks {', '.join(MODERN)}", data)

    def meta_defect(self, params: Params) -> str | None:
        """Return what the ``_meta`` of a modern request lacks, if it does.

        Keeps meta.missing-protocol-version, meta.missing-client-capabilities, meta.wrong-typed-field.
        """
        metadata = params.get("_meta")
        if not isinstance(metadata, dict):
            return "params._meta is missing or not an object"
        if not isinstance(metadata.get(meta.PROTOCOL_VERSION), str):
            return f"params._meta lacks {meta.PROTOCOL_VERSION}, a string"
        if not isinstance(metadata.get(meta.CLIENT_CAPABILITIES), dict):
            return f"params._meta lacks {meta.CLIENT_CAPABILITIES}, an object"
        return None

    def requested_version(self, params: Params) -> str:
        """Return the version that a request declares."""
        metadata = params["_meta"]
        return str(metadata[meta.PROTOCOL_VERSION]) if isinstance(metadata, dict) else ""

    def supported_versions(self) -> list[Json]:
        """Return what requests may declare. Keeps version.unsupported-list-matches-discover."""
        return [str(revision) for revision in MODERN]

    def unsupported_version_error(self, requested: str) -> Refusal:
        """Return the refusal of a version.

        Keeps version.unsupported-error-code, version.unsupported-error-payload.
        """
        data: Result = {"supported": self.supported_versions(), "requested": requested}
        return Refusal(UNSUPPORTED_PROTOCOL_VERSION, "unsupported protocol version", data)

    def modern_methods(self) -> Mapping[str, Handler]:
        """Return the methods of this lineage; ``initialize`` and ``ping`` are not among them."""
        return {"server/discover": self.discover_result, **self.offer.feature_methods()}

    def discover_result(self, _params: Params, _call: Call) -> Result:
        """Answer ``server/discover``. Keeps discover.implemented."""
        return {
            "supportedVersions": self.supported_versions(),
            "capabilities": self.offer.capabilities(),
            "instructions": INSTRUCTIONS,
        }

    def modern_result(self, method: str, result: Result) -> Result:
        """Add what every result carries. Keeps result.result-type-present, meta.server-info."""
        hints = self.cache_hints(method) if method in CACHEABLE else {}
        about: Result = {meta.SERVER_INFO: self.offer.server_info(NEWEST_MODERN)}
        return {"resultType": "complete", **result, **hints, "_meta": about}

    def cache_hints(self, _method: str) -> Result:
        """Return how long, and for whom, a result may be kept. Keeps cache.hints-*."""
        return {"ttlMs": 60_000, "cacheScope": "public"}
