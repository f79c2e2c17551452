"""Notifications: no answer comes for any, whatever is in it, and the server's own have no id."""

from __future__ import annotations

from mcprove import MISSING, OMIT, Exchange, Json, Kind, Message, Probe, advise, expect, requirement, show
from mcprove.spec import methods
from mcprove.spec.validation import SchemaDefect, schema_defects
from mcprove_suites.judging import Offence, defects, everything_heard, expect_none, given_some

NO_REQUEST, NO_TOKEN = "mcprove-never-sent", "mcprove-never-given"
UNKNOWN = "notifications/mcprove/unknown"
# All of them are known to some revision, and harmless whenever they come.
KNOWN: tuple[tuple[str, Json], ...] = (
    ("notifications/cancelled", {"requestId": NO_REQUEST, "reason": "a request that was never sent"}),
    ("notifications/progress", {"progressToken": NO_TOKEN, "progress": 1}),
    ("notifications/roots/list_changed", None),
    ("notifications/roots/list_changed", OMIT),
    ("notifications/initialized", {}),
    ("notifications/initialized", OMIT),
)
MALFORMED: tuple[tuple[str, Json], ...] = (
    ("notifications/cancelled", OMIT),
    ("notifications/cancelled", {"requestId": {"id": 1}}),
    ("notifications/cancelled", {"requestId": None}),
    ("notifications/progress", {}),
    ("notifications/progress", {"progressToken": [], "progress": "much"}),
)
REQUESTS = ("tools/list", "ping", "server/discover")


@requirement("notif.no-response")
def test_answers_no_known_notification(server: Probe) -> None:
    """Also one of another revision, or about a request that never was."""
    for method, params in KNOWN:
        expect_silence(server.notify(method, params))


@requirement("notif.no-response")
def test_answers_no_unknown_notification(server: Probe) -> None:
    """With params and without."""
    for params in (OMIT, None, {"a": 1}):
        expect_silence(server.notify(UNKNOWN, params))


@requirement("notif.no-response")
def test_answers_no_malformed_notification(server: Probe) -> None:
    """Params that lack a member or have it of the wrong type bring no error; they are objects nevertheless."""
    for method, params in MALFORMED:
        expect_silence(server.notify(method, params))


@requirement("notif.no-response")
def test_answers_no_request_without_an_id(server: Probe) -> None:
    """To JSON-RPC it is a notification; to take it for a malformed request, and say so, is tolerated."""
    for method in REQUESTS:
        for params in (None, OMIT):
            sent = server.notify(method, params)
            expect(not sent.served, "no result for a request without an id", sent)
            sent.expect_survival()
            advise(not responses_to(sent), "no response to a request without an id", sent)


@requirement("notif.no-response", last=True)
def test_answers_no_notification_late(server: Probe) -> None:
    """A late response without an id is charged to what was sent before it, an error with less certainty."""
    expect_silence(server.notify(UNKNOWN))
    strays = [item for item in server.transcript.strays if item.exchange and was_notification(item.exchange)]
    late = [Offence("a late response", item.message, item.exchange) for item in strays if has_no_id(item.message.id)]
    for kind in (Kind.RESULT, Kind.ERROR):
        found = [each for each in late if each.message.kind is kind]
        expect_none(found, "no response to a notification", mild=kind is Kind.ERROR)


@requirement("notif.unknown-ignored")
def test_goes_on_after_an_unknown_notification(legacy: Probe) -> None:
    """What was served before is served after it; over HTTP the notification itself may be refused."""
    legacy.request("ping").given_result()
    legacy.notify(UNKNOWN, {"a": 1}).expect_survival()
    legacy.request("ping").expect_result("ping is served as before")


@requirement("notif.no-id", last=True)
def test_notifications_have_no_id(server: Probe) -> None:
    """Nothing that the server sent under the name of a notification has an id, be it null."""
    heard = [item.message for item in everything_heard(server).heard]
    named = [message for message in heard if message.method and message.method.startswith("notifications/")]
    given_some(named, "notifications")
    expect_none(defects(server, "notification-id"), "no notification has an id")


@requirement("notif.params-shape", last=True)
def test_notifications_are_well_formed(server: Probe) -> None:
    """What the server says of progress, logs and changes; its _meta belongs to another requirement."""
    heard = [item for item in everything_heard(server).heard if params_definition(item.message, server)]
    given_some([item.message for item in heard], "notifications that the revision defines")
    found = [
        Offence(f"params{defect.pointer} {defect.detail}", item.message, item.exchange)
        for item in heard
        for defect in misshapen_params(item.message, server)
    ]
    expect_none(found, "params of the shape that the revision gives")


def params_definition(message: Message, server: Probe) -> str | None:
    """Return the name of the schema that judges a notification's params, None where the revision has none."""
    known = message.kind is Kind.NOTIFICATION and isinstance(message.method, str)
    row = methods.method(str(message.method), server.revision) if known else None
    return row.params if row and row.kind is methods.MethodKind.NOTIFICATION else None


def misshapen_params(message: Message, server: Probe) -> list[SchemaDefect]:
    """Return how the params of a notification depart from their schema; that they are an object is judged elsewhere."""
    params = message.value.get("params", {})
    if not isinstance(params, dict):
        return []
    found = schema_defects(server.revision, params_definition(message, server) or "", params)
    return [defect for defect in found if not defect.pointer.startswith("/_meta")]


def expect_silence(sent: Exchange) -> None:
    """Ask that a notification is not answered, and that the server goes on."""
    found = responses_to(sent)
    expect(not found, "no response to a notification", sent, actual=show(found[0], 300) if found else None)
    sent.expect_survival()


def responses_to(sent: Exchange) -> list[bytes]:
    """Return what came in answer; a refusal by HTTP status may have an error as its body, and is no answer."""
    return [each.raw for each in sent.responses if each.kind is Kind.RESULT or not sent.http_refused]


def was_notification(exchange: Exchange) -> bool:
    """Return whether what was sent was a notification."""
    message = exchange.sent_message
    return message is not None and message.kind is Kind.NOTIFICATION


def has_no_id(value: Json) -> bool:
    """Return whether an id is absent or null."""
    return value is MISSING or value is None
