"""Faults of a server that remembers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from mcprove.core import meta
from mcprove.core.errors import INTERNAL_ERROR, INVALID_PARAMS, UNSUPPORTED_PROTOCOL_VERSION
from mcprove.spec.revisions import MODERN
from mcprove_reference.exchange import Refusal, params_of
from mcprove_reference.faults.base import Fault

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Message
    from mcprove_reference.exchange import Call, Params, Result


def _stay_refused(original: Any, self: Any, request: Message, call: Call) -> Result:
    """Refuse the request that follows one of an unsupported version."""
    try:
        result: Result = original(request, call)
    except Refusal as refusal:
        self.refused = refusal.code == UNSUPPORTED_PROTOCOL_VERSION
        raise
    if vars(self).pop("refused", False):
        raise Refusal(INTERNAL_ERROR, "the version was refused")
    return result


def _one_client(original: Any, self: Any, request: Message, call: Call) -> Result:
    """Serve only the client that was named first."""
    metadata = params_of(request).get("_meta")
    client = metadata.get(meta.CLIENT_INFO) if isinstance(metadata, dict) else None
    if client is not None and client != vars(self).setdefault("client", client):
        raise Refusal(INVALID_PARAMS, "another client is being served")
    result: Result = original(request, call)
    return result


def _list(original: Any, self: Any, params: Params, call: Call) -> Result:
    self.listed = True
    result: Result = original(params, call)
    return result


def _call_what_was_listed(original: Any, self: Any, params: Params, call: Call) -> Result:
    if not vars(self).get("listed"):
        raise Refusal(INVALID_PARAMS, "the tools were not listed yet")
    result: Result = original(params, call)
    return result


FAULTS = (
    Fault(
        id="stateless.refusal-remembered",
        breaks=("stateless.no-prior-context",),
        says="The request after one of an unsupported version is refused as well.",
        patch={"serve_modern": _stay_refused},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="stateless.one-client",
        breaks=("stateless.many-conversations", "meta.info-no-behaviour-change"),
        says="A process serves only the client that it heard first.",
        patch={"serve_modern": _one_client},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="stateless.cursor-of-the-process",
        breaks=("stateless.no-connection-affinity",),
        says="A cursor holds only in the process that gave it.",
        patch={"cursor_after": lambda original, _self, key: f"{os.getpid()}-{original(key)}"},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="stateless.call-needs-list",
        breaks=("stateless.no-connection-affinity",),
        says="A process calls no tool before it has listed them.",
        patch={"list_tools": _list, "call_tool": _call_what_was_listed},
        transport="stdio",
        revisions=MODERN,
    ),
)
