"""Faults of pings."""

from typing import Any

from mcprove.core import jsonrpc
from mcprove.spec.revisions import NEWEST_LEGACY
from mcprove_reference.exchange import Outgoing
from mcprove_reference.faults.base import Fault


def _ping_with_params(original: Any, _self: Any, notifications: list[Outgoing], response: Outgoing) -> list[Outgoing]:
    ping = jsonrpc.request(f"ping-{response.get('id')}", "ping", {"count": 1})
    return [*original(notifications, response), *([ping] if response.get("result") == {} else [])]


FAULTS = (
    Fault(
        id="ping.pong",
        breaks=("ping.reply-empty",),
        says="A ping is answered with a word.",
        patch={"ping": lambda _original, _self: {"reply": "pong"}},
        transport="stdio",
        revisions=(NEWEST_LEGACY,),
    ),
    Fault(
        id="ping.with-params",
        breaks=("ping.no-params",),
        says="Each ping is returned by one with parameters.",
        patch={"deliver": _ping_with_params},
        transport="stdio",
        revisions=(NEWEST_LEGACY,),
    ),
)
