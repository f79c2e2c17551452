"""Streamable HTTP: the endpoint, the statuses and media types of answers, and what becomes of notifications."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import Inconclusive, Kind, Lineage, NotApplicable, Probe, advise, expect, requirement, show
from mcprove.core import jsonrpc
from mcprove.core.errors import METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION
from mcprove_suites.endpoint import JSON_TYPE, SSE_TYPE, own_stream, processed
from mcprove_suites.openings import LONG_AGO
from mcprove_suites.served import LISTS, served_requests

if TYPE_CHECKING:
    from mcprove import Exchange, Json

NEVER_ISSUED = "mcprove-never-issued"
NOTIFICATIONS = (("notifications/cancelled", {"requestId": NEVER_ISSUED}), ("notifications/mcprove-unknown", None))
MALFORMED: tuple[dict[str, Json], ...] = (
    jsonrpc.notification("notifications/cancelled", "no object"),
    jsonrpc.notification("notifications/cancelled", 7),
)
MALFORMED_RESPONSES: tuple[dict[str, Json], ...] = (
    jsonrpc.result(NEVER_ISSUED, "no object"),
    {"jsonrpc": "2.0", "id": NEVER_ISSUED, "error": "no object"},
)
REMOVED: tuple[tuple[str, Json], ...] = (
    ("ping", None),
    ("logging/setLevel", {"level": "info"}),
    ("resources/subscribe", {"uri": "mcprove://no-such-resource"}),
    ("resources/unsubscribe", {"uri": "mcprove://no-such-resource"}),
)
# One request of each feature, by the capability that has to be declared for it.
GATED: dict[str, tuple[str, Json]] = {
    **{feature: (method, None) for feature, method in LISTS.items()},
    "completions": (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "mcprove"}, "argument": {"name": "x", "value": "x"}},
    ),
}


@requirement("http.single-endpoint")
def test_takes_every_method_at_one_place(server: Probe) -> None:
    """A request of each declared feature gets a JSON-RPC answer there, rather than a status for want of a place."""
    always = "server/discover" if server.lane.lineage is Lineage.MODERN else "ping"
    for method in (always, *(LISTS[name] for name in LISTS if name in server.capabilities)):
        answer = server.request(method)
        lost = answer.answer is None and answer.status in (404, 405, 501)
        expect(not lost, f"{method} is taken at the endpoint", answer)


@requirement("http.single-endpoint")
def test_knows_get_at_the_same_place(legacy: Probe) -> None:
    """GET is not unknown there; a server that offers no stream says so by 405."""
    opened = legacy.once(own_stream)
    expect(opened.status not in (404, 501), "GET is known at the endpoint", opened)


@requirement("http.accept-enforcement-unspecified")
def test_sends_what_is_accepted(legacy: Probe) -> None:
    """A client that takes one of the two types is refused, or is answered in that type."""
    for accepted in (JSON_TYPE, SSE_TYPE):
        answer = legacy.request("ping", headers={"Accept": accepted})
        fits = answer.http_refused or (answer.status is not None and answer.content_type == accepted)
        expect(fits, f"an HTTP error status or {accepted}", answer, actual=f"{answer.content_type or 'no answer'}")


@requirement("http.notification-202")
def test_accepts_a_notification_without_a_word(server: Probe) -> None:
    """Or refuses it by an error status: 2026-07-28 knows no notification of a client over HTTP."""
    for method, params in NOTIFICATIONS:
        expect_accepted(server.notify(method, params))


@requirement("http.notification-202")
def test_accepts_the_end_of_the_handshake(legacy: Probe) -> None:
    """Of each notifications/initialized that was sent in the lane."""
    told = [each for each in legacy.transcript.exchanges if each.label == "notifications/initialized"]
    if not told:
        raise Inconclusive("notifications/initialized was not sent")
    for each in told:
        expect_accepted(each)


@requirement("http.response-202")
def test_accepts_a_response_without_a_word(legacy: Probe) -> None:
    """Or refuses one to a request that it never sent."""
    for response in (jsonrpc.result(NEVER_ISSUED, {}), jsonrpc.error(NEVER_ISSUED, -32603, "internal error")):
        expect_accepted(legacy.send(response, fences=1))


@requirement("http.unacceptable-input-status")
def test_refuses_a_malformed_notification_by_its_status(server: Probe) -> None:
    """Unless it is accepted all the same: who does not look at the params need not refuse them."""
    for message in MALFORMED:
        expect_refused_by_status(server.send(message, fences=1))


@requirement("http.unacceptable-input-status")
def test_refuses_a_malformed_response_by_its_status(legacy: Probe) -> None:
    """Unless it is accepted, like any other response that nothing asked for."""
    for message in MALFORMED_RESPONSES:
        expect_refused_by_status(legacy.send(message, fences=1))


@requirement("http.unacceptable-input-body")
def test_gives_the_refusal_no_id(server: Probe) -> None:
    """What was refused has no id that an error could repeat; JSON-RPC's null for that is accepted."""
    messages = MALFORMED if server.lane.lineage is Lineage.MODERN else (*MALFORMED, *MALFORMED_RESPONSES)
    refused = [each for each in (server.send(message, fences=1) for message in messages) if each.error]
    if not refused:
        raise NotApplicable("no refusal had a JSON-RPC error for its body")
    for each in refused:
        expect_no_id(each)


@requirement("http.response-content-type", last=True)
def test_answers_in_one_of_two_types(server: Probe) -> None:
    """Each request that was answered with a status of success."""
    for each in processed(server):
        expect(each.content_type in (JSON_TYPE, SSE_TYPE), f"{JSON_TYPE} or {SSE_TYPE}", each, actual=typed(each))


@requirement("http.json-body-single-object", last=True)
def test_answers_with_one_object(server: Probe) -> None:
    """No array, no other kind of message, and nothing that is not JSON; the id is the matter of another rule."""
    sent = [each for each in processed(server) if each.content_type == JSON_TYPE and not each.ended]
    if not sent:
        raise NotApplicable("no answer came as application/json")
    for each in sent:
        one = [message.kind for message in each.messages]
        fits = one in ([Kind.RESULT], [Kind.ERROR], [Kind.OTHER])
        expect(fits, "one JSON object, the response", each, actual=show(each.body, 300) or "an empty body")


@requirement("http.unsupported-version-400")
def test_refuses_an_unknown_version_by_its_status(modern: Probe) -> None:
    """Header and body agree on the version, so that nothing else is wrong."""
    method, params = served_requests(modern)[0]
    answer = modern.request(method, params, version=LONG_AGO)
    answer.given_error(UNSUPPORTED_PROTOCOL_VERSION)
    answer.expect_status(400)


@requirement("http.unknown-method-404")
def test_refuses_an_unknown_method_by_its_status(modern: Probe) -> None:
    """By 404, and by the error that tells it from a place where there is no endpoint."""
    served_requests(modern)
    expect_unknown(modern.request("mcprove/no-such-method"))


@requirement("http.removed-methods-404")
def test_has_forgotten_removed_methods(modern: Probe) -> None:
    """A server of both lineages knows them in legacy requests only; on ``initialize`` the text is silent."""
    served_requests(modern)
    for method, params in REMOVED:
        expect_unknown(modern.request(method, params))


@requirement("http.capability-gated-404")
def test_has_no_methods_of_undeclared_features(modern: Probe) -> None:
    """What server/discover does not declare is not there; whether it could be there all the same is hardly said."""
    served_requests(modern)
    missing = [name for name in GATED if modern.capabilities.get(name) in (None, False)]
    if not missing:
        raise NotApplicable("the server declares every capability")
    for name in missing:
        answer = modern.request(*GATED[name])
        advise(not answer.served, f"{GATED[name][0]} is unknown, as {name} is not declared", answer)
        expect_unknown(answer)


def expect_accepted(told: Exchange) -> None:
    """Ask for 202 without a body, or an error status."""
    given_status(told)
    accepted = told.status == 202 and not told.body
    expect(told.http_refused or accepted, "status 202 and an empty body, or an HTTP error status", told)


def expect_refused_by_status(told: Exchange) -> None:
    """Ask for an error status, unless the message was accepted; an error in the body says that it was not."""
    given_status(told)
    accepted = told.status == 202 and told.error is None
    expect(told.http_refused or accepted, "an HTTP error status, or 202 if it is accepted", told)


def expect_unknown(answer: Exchange) -> None:
    """Ask for status 404 and the error of an unknown method."""
    answer.expect_status(404)
    answer.expect_error(METHOD_NOT_FOUND)


def expect_no_id(refusal: Exchange) -> None:
    """Ask that an error has no id, or null."""
    answer = refusal.answer
    named = answer is not None and answer.has_id and answer.id is not None
    expect(not named, "an error without an id", refusal)


def given_status(told: Exchange) -> None:
    """Go on only if HTTP was answered at all."""
    if told.status is None:
        raise Inconclusive(f"{told.label} got no HTTP response: {told.describe()}")


def typed(exchange: Exchange) -> str:
    """Return what an answer says of its type."""
    said = exchange.headers.get("content-type")
    return f"Content-Type {show(said, 100)}" if said else f"HTTP {exchange.status} without a Content-Type"
