"""Faults of a modern server that keeps what its revision dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcprove.core import jsonrpc
from mcprove.spec.revisions import MODERN
from mcprove_reference.faults.base import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove_reference.exchange import Handler, Outgoing
    from mcprove_reference.faults.base import Patch

CHANGED: Outgoing = jsonrpc.notification("notifications/roots/list_changed")


def _keep(method: str) -> Patch:
    """Return a patch of ``modern_methods`` that adds a method which does nothing."""

    def methods(original: Any, _self: Any) -> Mapping[str, Handler]:
        return {**original(), method: lambda _params, _call: {}}

    return methods


def _announce(original: Any, _self: Any, notifications: list[Outgoing], response: Outgoing) -> list[Outgoing]:
    listed = "tools" in response.get("result", {})
    return [*([CHANGED] if listed else []), *original(notifications, response)]


FAULTS = (
    Fault(
        id="removed.ping-kept",
        breaks=("removed.server-methods",),
        says="A ping is answered.",
        patch={"modern_methods": _keep("ping")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="removed.log-level-kept",
        breaks=("removed.server-methods",),
        says="The log level can be set for a connection.",
        patch={"modern_methods": _keep("logging/setLevel")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="removed.subscribe-kept",
        breaks=("removed.server-methods",),
        says="A single resource can be subscribed to.",
        patch={"modern_methods": _keep("resources/subscribe")},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="removed.announces-roots",
        breaks=("removed.server-legacy-notifications",),
        says="A notification of an earlier revision comes before each list of tools.",
        patch={"deliver": _announce},
        transport="stdio",
        revisions=MODERN,
    ),
)
