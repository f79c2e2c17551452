"""Faults of Streamable HTTP."""

from mcprove.spec.revisions import LEGACY, MODERN
from mcprove_reference.faults.base import Fault
from mcprove_reference.replies import Reply

FAULTS = (
    Fault(
        id="http.any-origin",
        breaks=("http.origin-validated", "http.origin-invalid-403"),
        says="Pages of any origin are served.",
        patch={"check_origin": lambda _original, _self, _headers: True},
        transport="http",
    ),
    Fault(
        id="http.method-header-not-compared",
        breaks=("http.method-header-mismatch", "http.header-values-case-sensitive"),
        says="Mcp-Method may be anything.",
        patch={"method_defect": lambda original, _self, value, method: original(value and method, method)},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.notification-200",
        breaks=("http.notification-202",),
        says="An accepted notification is answered with 200 and an empty object.",
        patch={
            "answer_notification": lambda _original, _self: Reply(200, {"Content-Type": "application/json"}, (b"{}",))
        },
        transport="http",
    ),
    Fault(
        id="http.session-ids-counted",
        breaks=("http.session-id-unpredictable",),
        says="Session ids are consecutive numbers.",
        patch={"mint_id": lambda _original, self: str(len(self.open) + 1)},
        transport="http",
        revisions=LEGACY,
    ),
    Fault(
        id="http.stream-buffered",
        breaks=("http.sse-x-accel-buffering",),
        says="Streams lack X-Accel-Buffering.",
        patch={
            "respond_sse": lambda original, _self, events: Reply(
                200, {"Content-Type": "text/event-stream"}, original(events).chunks
            )
        },
        transport="http",
        revisions=MODERN,
        options={"answers": "sse"},
    ),
)
