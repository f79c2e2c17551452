"""Faults of the metadata of modern requests and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcprove.core import meta
from mcprove.core.errors import INVALID_PARAMS, MISSING_CLIENT_CAPABILITY
from mcprove.spec.revisions import MODERN
from mcprove_reference.exchange import Refusal, params_of
from mcprove_reference.faults.base import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcprove.core.jsonrpc import Json, Message
    from mcprove_reference.exchange import Call, Params, Result
    from mcprove_reference.faults.base import Patch

KNOWN = {meta.PROTOCOL_VERSION, meta.CLIENT_CAPABILITIES, meta.CLIENT_INFO, meta.LOG_LEVEL, "progressToken"}
TRACE = {"traceparent", "tracestate", "baggage"}
ASKS: Json = {"method": "elicitation/create", "params": {"message": "Name?", "requestedSchema": {"type": "object"}}}


def _metadata(params: Params) -> dict[str, Json]:
    found = params.get("_meta")
    return found if isinstance(found, dict) else {}


def _serve_when(is_lenient: Callable[[Message], bool]) -> Patch:
    """Return a patch of ``serve_modern`` that serves some requests whatever their metadata."""

    def serve_modern(original: Any, self: Any, request: Message, call: Call) -> Result:
        method, params = str(request.method), params_of(request)
        served: Result = (
            self.modern_result(method, self.offer.dispatch(self.modern_methods(), method, params, call))
            if method != "initialize" and is_lenient(request)
            else original(request, call)
        )
        return served

    return serve_modern


def _lacks(request: Message, key: str) -> bool:
    metadata = _metadata(params_of(request))
    return bool(metadata) and key not in metadata


def _refuse(is_wrong: Callable[[str], bool]) -> Patch:
    """Return a patch of ``meta_defect`` that refuses some keys."""
    return lambda original, _self, params: (
        "unknown keys in _meta" if any(is_wrong(key) for key in _metadata(params)) else original(params)
    )


def _with_key(key: str, value: Json = "value") -> Patch:
    """Return a patch of ``modern_result`` that adds a key to the ``_meta`` of every result."""

    def modern_result(original: Any, _self: Any, method: str, result: Result) -> Result:
        whole = original(method, result)
        return {**whole, "_meta": {**whole["_meta"], key: value}}

    return modern_result


def _greet(original: Any, _self: Any, request: Message, call: Call) -> Result:
    client = _metadata(params_of(request)).get(meta.CLIENT_INFO)
    known = not isinstance(client, dict) or client.get("name") == "mcprove"
    result: Result = original(request, call)
    return result if known else {**result, "welcome": "stranger"}


def _refuse_for_capability(data: Json) -> Patch:
    """Return a patch of ``not_found`` that asks for a capability instead."""
    return lambda *_: Refusal(MISSING_CLIENT_CAPABILITY, "this needs a capability", data)


def _has_odd_capabilities(request: Message) -> bool:
    return not isinstance(_metadata(params_of(request)).get(meta.CLIENT_CAPABILITIES, {}), dict)


def _ask_without_leave(_original: Any, _self: Any, _params: Params, _call: Call) -> Result:
    return {"resultType": "input_required", "inputRequests": {"name": ASKS}}


FAULTS = (
    Fault(
        id="meta.not-needed",
        breaks=("meta.missing-meta",),
        says="A request without _meta is served.",
        patch={"serve_modern": _serve_when(lambda request: "_meta" not in params_of(request))},
        transport="stdio",
        revisions=MODERN,
        options={"lineage": "modern"},
    ),
    Fault(
        id="meta.version-not-needed",
        breaks=("meta.missing-protocol-version",),
        says="A request whose _meta lacks the version is served.",
        patch={"serve_modern": _serve_when(lambda request: _lacks(request, meta.PROTOCOL_VERSION))},
        transport="stdio",
        revisions=MODERN,
        options={"lineage": "modern"},
    ),
    Fault(
        id="meta.capabilities-not-needed",
        breaks=("meta.missing-client-capabilities",),
        says="A request whose _meta lacks the capabilities is served.",
        patch={"serve_modern": _serve_when(lambda request: _lacks(request, meta.CLIENT_CAPABILITIES))},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.not-needed-for-prompts",
        breaks=("meta.missing-field-every-method",),
        says="A prompts/get whose _meta lacks the capabilities is served.",
        patch={
            "serve_modern": _serve_when(
                lambda request: request.method == "prompts/get" and _lacks(request, meta.CLIENT_CAPABILITIES)
            )
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.refused-with-200",
        breaks=("meta.missing-field-http-400",),
        says="Incomplete metadata is refused with status 200.",
        patch={
            "status_for": lambda original, _self, response, revision: (
                200 if response["error"]["code"] == INVALID_PARAMS else original(response, revision)
            )
        },
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="meta.capabilities-of-any-type",
        breaks=("meta.wrong-typed-field",),
        says="The capabilities of a client may be anything.",
        patch={"serve_modern": _serve_when(_has_odd_capabilities)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.version-of-any-type",
        breaks=("meta.wrong-typed-field",),
        says="A _meta that is no object is as good as one.",
        patch={
            "serve_modern": _serve_when(
                lambda request: not isinstance(params_of(request).get("_meta", {}), dict),
            )
        },
        transport="stdio",
        revisions=MODERN,
        options={"lineage": "modern"},
    ),
    Fault(
        id="meta.client-info-needed",
        breaks=("meta.client-info-optional",),
        says="A request without clientInfo is refused.",
        patch={
            "meta_defect": lambda original, _self, params: (
                original(params) or (None if meta.CLIENT_INFO in _metadata(params) else "clientInfo is missing")
            )
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.server-unnamed",
        breaks=("meta.server-info",),
        says="Prompts do not name the server.",
        patch={
            "modern_result": lambda original, _self, method, result: {
                **original(method, result),
                **({"_meta": {}} if method == "prompts/get" else {}),
            }
        },
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.strangers-greeted",
        breaks=("meta.info-no-behaviour-change",),
        says="A client by another name gets another result.",
        patch={"serve_modern": _greet},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.asks-without-leave",
        breaks=("meta.no-undeclared-capability-use",),
        says="prompts/get asks for elicitation, which no request declares.",
        patch={"get_prompt": _ask_without_leave},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.capability-unnamed",
        breaks=("meta.missing-capability-data",),
        says="The error for a missing capability does not tell which.",
        patch={"not_found": _refuse_for_capability({"missing": ["elicitation"]})},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.capability-refused-with-200",
        breaks=("meta.missing-capability-http-400",),
        says="The error for a missing capability has status 200.",
        patch={"not_found": _refuse_for_capability({"requiredCapabilities": {"elicitation": {}}})},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="meta.key-bad-prefix",
        breaks=("meta.key-prefix-syntax",),
        says="Results have a _meta key whose prefix begins with a digit.",
        patch={"modern_result": _with_key("1st.example/key")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.key-underscore",
        breaks=("meta.key-name-syntax",),
        says="Results have a _meta key that begins with an underscore.",
        patch={"modern_result": _with_key("_key")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.key-blank",
        breaks=("meta.key-name-inner-chars",),
        says="Results have a _meta key with a blank in it.",
        patch={"modern_result": _with_key("com.example/a key")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.key-forwards",
        breaks=("meta.key-reverse-dns",),
        says="Results have a _meta key whose prefix is a host name.",
        patch={"modern_result": _with_key("example.com/key")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.key-reserved",
        breaks=("meta.reserved-prefixes",),
        says="Results have a _meta key of their own below a reserved prefix.",
        patch={"modern_result": _with_key("com.mcp.reference/key")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.trace-malformed",
        breaks=("meta.trace-context-format",),
        says="The traceparent of results is a number in words.",
        patch={"modern_result": _with_key("traceparent", "one")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.reserved-keys-refused",
        breaks=("meta.reserved-values-no-assumption",),
        says="Unknown keys below a reserved prefix are refused.",
        patch={"meta_defect": _refuse(lambda key: key.startswith(meta.PREFIX) and key not in KNOWN)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.vendor-keys-refused",
        breaks=("meta.unknown-keys-tolerated",),
        says="Keys of vendors are refused.",
        patch={"meta_defect": _refuse(lambda key: key.startswith("com.example/"))},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="meta.trace-refused",
        breaks=("meta.trace-context-tolerated",),
        says="Trace context is refused.",
        patch={"meta_defect": _refuse(lambda key: key in TRACE)},
        transport="stdio",
        revisions=MODERN,
    ),
)
