"""Faults of the caching hints."""

from typing import Any

from mcprove.core.jsonrpc import Json
from mcprove.spec.revisions import MODERN
from mcprove_reference.faults.base import Fault


def _bare(method: str, breaks: str, hint: str) -> Fault:
    """Return the fault that results of a method lack a hint."""

    def patch(original: Any, _self: Any, asked: str) -> Any:
        return {name: value for name, value in original(asked).items() if asked != method or name != hint}

    return Fault(
        id=f"cache.no-{'ttl' if hint == 'ttlMs' else 'scope'}-on-{method.replace('/', '-')}",
        breaks=(breaks,),
        says=f"A result of {method} has no {hint}.",
        patch={"cache_hints": patch},
        transport="stdio",
        revisions=MODERN,
    )


def _hints(name: str, breaks: str, says: str, **changes: Json) -> Fault:
    """Return the fault that hints have other values."""
    return Fault(
        id=f"cache.{name}",
        breaks=(breaks,),
        says=says,
        patch={"cache_hints": lambda original, _self, method: {**original(method), **changes}},
        transport="stdio",
        revisions=MODERN,
    )


def _private_at_last(original: Any, _self: Any, method: str, result: Any) -> Any:
    given = original(method, result)
    last = method == "tools/list" and "nextCursor" not in result
    return {**given, "cacheScope": "private"} if last else given


FAULTS = (
    _bare("server/discover", "cache.hints-discover", "ttlMs"),
    _bare("tools/list", "cache.hints-tools-list", "cacheScope"),
    _bare("prompts/list", "cache.hints-prompts-list", "ttlMs"),
    _bare("resources/list", "cache.hints-resources-list", "cacheScope"),
    _bare("resources/templates/list", "cache.hints-templates-list", "ttlMs"),
    _bare("resources/read", "cache.hints-resources-read", "cacheScope"),
    _hints("ttl-fraction", "cache.ttl-integer", "ttlMs has a fraction.", ttlMs=0.5),
    _hints("ttl-as-text", "cache.ttl-integer", "ttlMs is a text.", ttlMs="60000"),
    _hints("ttl-negative", "cache.ttl-nonnegative", "ttlMs is below zero.", ttlMs=-1),
    _hints("scope-unknown", "cache.scope-values", "cacheScope is another word.", cacheScope="shared"),
    Fault(
        id="cache.scope-differs-by-page",
        breaks=("cache.same-scope-all-pages",),
        says="The last page of the tools is private, the others are public.",
        patch={"modern_result": _private_at_last},
        transport="stdio",
        revisions=MODERN,
    ),
)
