"""Faults of the encoding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcprove.spec.revisions import NEWEST_LEGACY
from mcprove_reference.faults.base import Fault

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Json
    from mcprove_reference.exchange import Call, Outgoing


def _in_latin_1(original: Any, _self: Any, message: Outgoing) -> bytes:
    if "method" not in message:
        return bytes(original(message))
    return json.dumps(message, ensure_ascii=False).encode("latin-1") + b"\n"


def _report_in_french(original: Any, _self: Any, call: Call, step: Json) -> None:
    original(call, step)
    for notification in call.notifications:
        notification["params"]["message"] = f"étape {step}"


FAULTS = (
    Fault(
        id="transport.latin-1",
        breaks=("transport.utf8",),
        says="Notifications are encoded in Latin-1.",
        patch={"encode": _in_latin_1, "report_progress": _report_in_french},
        transport="stdio",
        revisions=(NEWEST_LEGACY,),
    ),
)
