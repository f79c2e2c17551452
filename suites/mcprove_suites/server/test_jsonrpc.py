"""The JSON-RPC envelope: ids come back as they were sent, and every message has the members of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import MISSING, OMIT, Kind, Message, Probe, expect, requirement, show
from mcprove.core import headers, jsonrpc
from mcprove_suites.judging import (
    Offence,
    answers,
    defects,
    everything_heard,
    expect_none,
    given_some,
    is_request,
    same_id,
)
from mcprove_suites.served import served_requests

if TYPE_CHECKING:
    from mcprove import Exchange, Heard, Json

# Small positive integers are the ids of all other requests, which the closing check sees to.
INTEGERS = (0, -1, 2**31, 2**53 - 1)
STRINGS = ("", "1", "null", "mcprove " * 40, "été 日本 😀", 'a "quoted" \\ \n line')


@requirement("jsonrpc.result-echoes-id")
def test_echoes_integer_ids(server: Probe) -> None:
    """A result has the id of its request; 1 and 1.0 are one number to JSON, 1 and "1" are not the same."""
    for sent in INTEGERS:
        expect_echo(server, sent)


@requirement("jsonrpc.result-echoes-id")
def test_echoes_string_ids(server: Probe) -> None:
    """A string stays the string that it was, be it empty, long, like a number or beyond ASCII."""
    for sent in STRINGS:
        expect_echo(server, sent)


@requirement("jsonrpc.result-echoes-id", last=True)
def test_results_have_the_ids_of_their_requests(server: Probe) -> None:
    """Of everything that was answered with a result."""
    results = [(exchange, answer) for exchange, answer in answers(server) if answer.kind is Kind.RESULT]
    wrong = [
        Offence(f"id {show(answer.id, 100)} for {show(exchange.request_id, 100)}", answer, exchange)
        for exchange, answer in results
        if exchange.request_id is not MISSING and not same_id(answer.id, exchange.request_id)
    ]
    expect_none(wrong, "every result has the id of its request")


@requirement("jsonrpc.envelope", last=True)
def test_messages_are_json_rpc(server: Probe) -> None:
    """Whatever came is a request, a notification or a response of version 2.0; arrays are no matter of this rule."""
    objects = [each for each in defects(server, "jsonrpc", "kind", "method-type") if not lacks_both(each.message)]
    expect_none(objects, "every message is a JSON-RPC 2.0 request, notification or response")


@requirement("jsonrpc.envelope", last=True)
def test_messages_are_plain_json(server: Probe) -> None:
    """JSON-RPC is silent on byte order marks and repeated keys; RFC 8259 is not, and readers differ."""
    expect_none(defects(server, "bom", "duplicate-key"), "messages without a byte order mark, each key once", mild=True)


@requirement("jsonrpc.result-member", last=True)
def test_results_are_objects(server: Probe) -> None:
    """Every result that came is an object."""
    expect_none(defects(server, "result-type"), "every result is an object")


@requirement("jsonrpc.result-xor-error", last=True)
def test_responses_have_a_result_or_an_error(server: Probe) -> None:
    """No response has both of them, and none has neither."""
    neither = [each for each in defects(server, "kind") if lacks_both(each.message)]
    expect_none([*defects(server, "result-and-error"), *neither], "every response has a result or else an error")


@requirement("jsonrpc.request-id-required", last=True)
def test_requests_have_ids(server: Probe) -> None:
    """The server's own requests have ids that are strings or integers; null is the matter of another rule."""
    given_some(requests_heard(server), "requests")
    wrong = [each for each in defects(server, "id-type") if each.message.kind is Kind.REQUEST]
    missing = [
        Offence("no id", item.message, item.exchange)
        for item in requests_heard(server)
        if item.message.kind is Kind.NOTIFICATION
    ]
    expect_none([*wrong, *missing], "every request has an id that is a string or an integer")


@requirement("jsonrpc.request-id-not-null", last=True)
def test_requests_have_no_null_ids(server: Probe) -> None:
    """No request of the server has the id null."""
    given_some(requests_heard(server), "requests")
    expect_none(
        [each for each in defects(server, "id-null") if each.message.kind is Kind.REQUEST], "no request has the id null"
    )


@requirement("jsonrpc.request-id-unique", last=True)
def test_requests_have_new_ids(legacy: Probe) -> None:
    """Within a process, or a session of HTTP, and from one ``initialize`` to the next no id of the server repeats."""
    given_some(requests_heard(legacy), "requests")
    seen: dict[object, set[object]] = {}
    repeated = []
    for item in legacy.transcript.heard:
        if item.exchange is None or (session := session_of(item.exchange)) is None:
            continue
        if item.message.kind is Kind.RESULT and item.exchange.label == "initialize":
            seen[session] = set()
        elif item.message.kind is Kind.REQUEST and is_id(item.message.id):
            if (key := show(item.message.id)) in seen.setdefault(session, set()):
                repeated.append(Offence(f"id {show(item.message.id, 100)} again", item.message, item.exchange))
            seen[session].add(key)
    expect_none(repeated, "no request of the server has an id that was used before")


@requirement("jsonrpc.null-id-request-refused")
def test_does_not_serve_a_null_id(legacy: Probe) -> None:
    """The same ping is served with an id; with null it may be refused, or taken for a notification."""
    legacy.request("ping").given_result()
    legacy.send(jsonrpc.request(None, "ping")).expect_not_served("a request whose id is null")


@requirement("jsonrpc.params-object", last=True)
def test_params_are_objects(server: Probe) -> None:
    """The params of everything that the server sent on its own account are an object."""
    heard = everything_heard(server).heard
    given_some([item for item in heard if item.message.kind in (Kind.REQUEST, Kind.NOTIFICATION)], "notifications")
    expect_none(defects(server, "params-type"), "params, where there are any, are an object")


@requirement("jsonrpc.params-object")
def test_serves_a_request_without_params(legacy: Probe) -> None:
    """Params may be left out where none are needed: what is served with an empty object is served without."""
    name = served_requests(legacy)[0][0]
    legacy.request(name, {}).given_result()
    legacy.request(name, OMIT).expect_result("a result, also without params")


@requirement("jsonrpc.unknown-response-ignored")
def test_survives_an_unknown_result(legacy: Probe) -> None:
    """A result that nobody asked for does no harm; over HTTP it may be accepted or refused."""
    legacy.request("ping").given_result()
    legacy.send(jsonrpc.result("mcprove-never-issued", {})).expect_survival()
    legacy.request("ping").expect_result("ping is served as before")


@requirement("jsonrpc.unknown-response-ignored")
def test_survives_an_unknown_error(legacy: Probe) -> None:
    """An error that nobody asked for does no harm either."""
    legacy.request("ping").given_result()
    legacy.send(jsonrpc.error("mcprove-never-issued", -32603, "internal error")).expect_survival()
    legacy.request("ping").expect_result("ping is served as before")


def expect_echo(server: Probe, sent: Json) -> None:
    """Ask that a request with this id is served, and that its result has the very same id."""
    name, params = served_requests(server)[0]
    answer = server.request(name, params, id=sent)
    answer.expect_result(f"a result for the id {show(sent, 60)}")
    got = answer.answer.id if answer.answer else MISSING
    expect(same_id(got, sent), f"the id {show(sent, 60)} back", answer, actual=f"id {show(got, 60)}")


def lacks_both(message: Message) -> bool:
    """Return whether a message is a response but for its result or error: an object with an id and no method."""
    return message.kind is Kind.OTHER and message.has_id


def requests_heard(probe: Probe) -> list[Heard]:
    """Return the requests that the server sent, those without an id included."""
    return [item for item in everything_heard(probe).heard if is_request(item.message)]


def is_id(value: Json) -> bool:
    """Return whether a value can be an id at all; one that cannot is the matter of other rules."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def session_of(exchange: Exchange) -> object:
    """Return what tells the session of an exchange: the process, or the id over HTTP; None when it has none."""
    return exchange.process or exchange.sent_headers.get(headers.SESSION_ID)
