"""How a message is dressed in each lineage: metadata in the body, and over HTTP the headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.core import headers as names
from mcprove.core import meta as keys
from mcprove.core.jsonrpc import OMIT, Json
from mcprove.spec.revisions import MODERN, PUBLISHED, Lineage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove.core.jsonrpc import Message
    from mcprove.spec.revisions import Revision

CLIENT_INFO: dict[str, Json] = {"name": "mcprove", "version": "1"}
BASE_HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def dress_params(revision: Revision, params: Json, meta: Mapping[str, Json] | None, version: str) -> Json:
    """Return the params of a request with the ``_meta`` that the lineage asks for.

    ``meta`` adds or replaces keys; a key of value `OMIT` is left out. Params that are no object stay as they are.
    Spec: basic#meta.
    """
    if params is OMIT or not (params is None or isinstance(params, dict)):
        return params
    own: dict[str, Json] = {}
    if revision.lineage is Lineage.MODERN:
        own = {keys.PROTOCOL_VERSION: version, keys.CLIENT_CAPABILITIES: {}, keys.CLIENT_INFO: CLIENT_INFO}
    wanted = {key: value for key, value in {**own, **(meta or {})}.items() if value is not OMIT}
    if wanted:
        return {**(params or {}), "_meta": wanted}
    return OMIT if params is None else params


def dress_headers(revision: Revision, method: str | None, params: Json, version: str) -> dict[str, str]:
    """Return the HTTP headers that the lineage asks for. Spec: basic/transports/streamable-http."""
    headers = {**BASE_HEADERS, names.PROTOCOL_VERSION: version}
    if revision.lineage is Lineage.MODERN and method is not None:
        headers[names.METHOD] = names.encode_value(method)
        if (name := names.name_of(method, params)) is not None:
            headers[names.NAME] = names.encode_value(name)
    return headers


def change(headers: Mapping[str, str], changes: Mapping[str, str | None]) -> dict[str, str]:
    """Return headers with some replaced, in whatever letter case, and those of value None left out."""
    touched = {name.lower() for name in changes}
    kept = {name: value for name, value in headers.items() if name.lower() not in touched}
    return {**kept, **{name: value for name, value in changes.items() if value is not None}}


def looks_modern(message: Message | None) -> bool:
    """Return whether a message has the metadata of a modern request, if only for a version that is not offered."""
    params = message.params if message else None
    metadata = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(metadata, dict) or not isinstance(metadata.get(keys.CLIENT_CAPABILITIES), dict):
        return False
    version = metadata.get(keys.PROTOCOL_VERSION)
    return isinstance(version, str) and version not in PUBLISHED - {*MODERN}
