"""Faults of arrays, which are no messages."""

import sys
from typing import Any

from mcprove.core import jsonrpc
from mcprove.core.jsonrpc import Message
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY, Revision
from mcprove_reference.exchange import Outgoing, Session
from mcprove_reference.faults.base import Fault


def _serve_members(_original: Any, self: Any, message: Message, session: Session) -> list[Outgoing]:
    return [reply for member in message.value for reply in self.receive(jsonrpc.dump(member), session)]


def _answer_in_array(original: Any, self: Any, message: Message, session: Session) -> list[Any]:
    return [_serve_members(original, self, message, session)]


def _open_from_array(original: Any, self: Any, message: Message, session: Session) -> list[Outgoing]:
    opens = any(isinstance(member, dict) and member.get("method") == "initialize" for member in message.value)
    return _serve_members(original, self, message, session) if opens else list(original(message, session))


FAULTS = (
    Fault(
        id="batch.members-served",
        breaks=("batch.refused", "batch.initialize-never-batched"),
        says="The members of an array are served one by one.",
        patch={"refuse_batch": _serve_members},
        transport="stdio",
        revisions=(NEWEST_LEGACY,),
    ),
    Fault(
        id="batch.members-served-modern",
        breaks=("batch.refused",),
        says="The members of an array are served, each in an event.",
        patch={"refuse_batch": _serve_members},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="batch.answered-in-array",
        breaks=("batch.refused", "batch.server-sends-single"),
        says="An array is answered by an array.",
        patch={"refuse_batch": _answer_in_array},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="batch.refused-in-array",
        breaks=("batch.server-sends-single",),
        says="An array is refused, though by an array.",
        patch={"refuse_batch": lambda original, _self, message, session: [original(message, session)]},
        transport="stdio",
        revisions=(NEWEST_LEGACY,),
    ),
    Fault(
        id="batch.fatal",
        breaks=("batch.refused",),
        says="An array ends the server.",
        patch={"refuse_batch": lambda *_: sys.exit(1)},
        transport="stdio",
        revisions=MODERN,
    ),
    Fault(
        id="batch.opens-session",
        breaks=("batch.initialize-never-batched",),
        says="An array that holds initialize is served.",
        patch={"refuse_batch": _open_from_array},
        transport="stdio",
        revisions=(NEWEST_LEGACY,),
    ),
    Fault(
        id="batch.members-served-oldest",
        breaks=("batch.unspecified-in-2024-11-05",),
        says="The members of an array are served in 2024-11-05, which is silent on that.",
        patch={"refuse_batch": _serve_members},
        transport="stdio",
        revisions=(Revision.R2024_11_05,),
    ),
)
