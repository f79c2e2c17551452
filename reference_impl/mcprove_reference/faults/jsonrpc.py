"""Faults of the envelope, and of the answers to what is no message."""

from typing import Any, NoReturn

from mcprove.core.errors import INTERNAL_ERROR
from mcprove.core.jsonrpc import dump
from mcprove_reference.exchange import Refusal
from mcprove_reference.faults.base import Fault


def _internal_error(_original: Any, _self: Any, _method: str) -> NoReturn:
    raise Refusal(INTERNAL_ERROR, "something went wrong")


FAULTS = (
    Fault(
        id="jsonrpc.id-as-string",
        breaks=("jsonrpc.result-echoes-id", "jsonrpc.response-same-id"),
        says="The id of each response is a string.",
        patch={"response_id": lambda original, _self, request: str(original(request))},
    ),
    Fault(
        id="jsonrpc.notification-answered",
        breaks=("notif.no-response", "jsonrpc.notification-no-reply"),
        says="Each notification is answered with an empty result.",
        patch={"on_notification": lambda _original, _self, _message: [{"jsonrpc": "2.0", "id": 0, "result": {}}]},
    ),
    Fault(
        id="jsonrpc.unknown-method-internal",
        breaks=("error.method-not-found", "jsonrpc.unknown-method-32601"),
        says="An unknown method is answered with -32603.",
        patch={"unknown_method": _internal_error},
    ),
    Fault(
        id="jsonrpc.batch-run",
        breaks=("batch.rejected-stdio", "batch.rejected-http"),
        says="The elements of an array are run.",
        patch={
            "refuse_batch": lambda _original, self, message, session: [
                answer for element in message.value for answer in self.receive(dump(element), session)
            ]
        },
    ),
)
