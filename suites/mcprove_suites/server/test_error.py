"""Error responses: their shape and their ids, the codes that they use, and what has to be answered with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import MISSING, OMIT, Exchange, Kind, NotApplicable, Probe, advise, expect, requirement, show
from mcprove.core import errors, jsonrpc
from mcprove.core.errors import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR
from mcprove_suites.judging import (
    UNKNOWN,
    UNKNOWN_METHOD,
    Offence,
    answers,
    body_of,
    defects,
    expect_none,
    given_errors,
    is_well_formed,
    same_id,
)
from mcprove_suites.served import LISTS, served_requests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcprove import Json, Message

NOT_JSON = (b"mcprove says hello", b'{"jsonrpc": "2.0", "method": ', b"{'jsonrpc': '2.0'}", b'{"jsonrpc": "2.0",}')
INTEGERS = (-2, 2**32, 2**53 - 2)
STRINGS = ("2", "mcprove error " * 25, "où? 日本 😀", "true")
# What a request holds that makes it none, by what to call it.
MALFORMED: dict[str, dict[str, Json]] = {
    "no jsonrpc member": {"jsonrpc": OMIT},
    'jsonrpc "1.0"': {"jsonrpc": "1.0"},
    "no method": {"method": OMIT},
    "a method that is a number": {"method": 7},
}
# Params without which, or with which, no request of the method can be served.
BAD_PARAMS: dict[str, tuple[tuple[str, dict[str, Json]], ...]] = {
    "tools": (("tools/call", {}), ("tools/call", {"name": 7})),
    "prompts": (("prompts/get", {}), ("prompts/get", {"name": 7})),
    "resources": (("resources/read", {}), ("resources/read", {"uri": 7})),
}
# A request of each feature that a server may leave out.
COMPLETION: Json = {"ref": {"type": "ref/prompt", "name": "mcprove"}, "argument": {"name": "mcprove", "value": ""}}
FEATURES: dict[str, tuple[str, Json]] = {
    **{feature: (method, None) for feature, method in LISTS.items()},
    "completions": ("completion/complete", COMPLETION),
}
ODD_PARAMS: tuple[Json, ...] = ([], None, 7)
SENTENCE = 300
STACK = ("Traceback (most recent call last)", "\n    at ", '\n  File "')


@requirement("error.echoes-id")
def test_errors_echo_integer_ids(server: Probe) -> None:
    """The refusal of an unknown method has the id of its request."""
    for sent in INTEGERS:
        expect_echo(server.request(UNKNOWN_METHOD, id=sent), sent)


@requirement("error.echoes-id")
def test_errors_echo_string_ids(server: Probe) -> None:
    """A string stays the string that it was."""
    for sent in STRINGS:
        expect_echo(server.request(UNKNOWN_METHOD, id=sent), sent)


@requirement("error.echoes-id")
def test_errors_echo_ids_that_are_false(modern: Probe) -> None:
    """The ids 0 and "" are ids; in the legacy lineage no id may be used twice, and results have had these."""
    for sent in (0, ""):
        expect_echo(modern.request(UNKNOWN_METHOD, id=sent), sent)


@requirement("error.echoes-id")
def test_every_refusal_echoes_the_id(server: Probe) -> None:
    """So do refusals of other kinds; a tool that does not exist may also be told of by a result."""
    asked = [UNKNOWN[capability] for capability in UNKNOWN if capability in server.capabilities]
    tried = [(server.request(*request, id=f"mcprove {request[0]}"), f"mcprove {request[0]}") for request in asked]
    refused = [(answer, sent) for answer, sent in tried if answer.error]
    if not refused:
        raise NotApplicable("nothing of what can be asked for was refused")
    for answer, sent in refused:
        expect_echo(answer, sent)


@requirement("error.echoes-id", last=True)
def test_errors_have_no_other_ids(server: Probe) -> None:
    """No error has the id of another request; one without an id may stand for what could not be read."""
    wrong = [each for each in foreign_ids(server) if each.exchange and was_read(each.exchange)]
    expect_none(wrong, "every error has the id of its request")


@requirement("error.echoes-id", last=True)
def test_errors_invent_no_ids(server: Probe) -> None:
    """What is malformed, or refused by its headers, may leave its id unread; that hardly excuses another id."""
    expect_none(foreign_ids(server), "every error has the id of its request, or none", mild=True)


@requirement("error.unreadable-id-omitted")
def test_invents_no_id(modern: Probe) -> None:
    """The error for text that is not JSON has no id, or null as JSON-RPC has it."""
    refusal = modern.send(NOT_JSON[0])
    refusal.given_error()
    got = refusal.answer.id if refusal.answer else MISSING
    expect(got in (None, MISSING), "no id, or null", refusal, actual=f"id {show(got, 100)}")


@requirement("error.member-shape", last=True)
def test_errors_have_a_code_and_a_message(server: Probe) -> None:
    """The error of every error response is an object with both."""
    given_errors(server)
    no_code = [each for each in defects(server, "error-code") if not has_code(each.message)]
    expect_none(
        [*defects(server, "error-type", "error-message"), *no_code], "every error is an object with code and message"
    )


@requirement("error.integer-code", last=True)
def test_codes_are_integers(server: Probe) -> None:
    """Every code that came is an integer."""
    given_errors(server)
    wrong = [each for each in defects(server, "error-code") if has_code(each.message)]
    expect_none(wrong, "the code of every error is an integer")


@requirement("error.message-concise", last=True)
def test_messages_are_short_sentences(server: Probe) -> None:
    """Every message says something, in one line, and shows no stack; it may repeat what was sent."""
    given_errors(server)
    wrong = [
        Offence(f"a message that {defect}", answer, exchange)
        for exchange, answer in answers(server)
        if isinstance(answer.error_message, str) and (defect := rambles(answer.error_message, exchange))
    ]
    expect_none(wrong, "every message of an error is one short sentence")


@requirement("error.parse-error")
def test_answers_broken_json_with_a_parse_error(modern: Probe) -> None:
    """Over HTTP an error status without a JSON-RPC error will do as well: the page leaves the body open."""
    for text in NOT_JSON:
        expect_refusal(modern.send(text), PARSE_ERROR)


@requirement("error.broken-json-survived")
def test_survives_broken_json(legacy: Probe) -> None:
    """Silence will do, and so will any HTTP error; an error on stdio had better be the one for this."""
    for text in NOT_JSON:
        answer = legacy.send(text)
        answer.expect_not_served("what is not JSON")
        if answer.error and not answer.http_refused:
            answer.expect_error(PARSE_ERROR)


@requirement("error.invalid-request")
def test_answers_no_request_with_an_invalid_request_error(modern: Probe) -> None:
    """What was served is refused without its method or version; over HTTP a header then names another method too."""
    for request, name in malformed(modern):
        mismatch = (errors.HEADER_MISMATCH,) if modern.is_http and "method" in name else ()
        expect_refusal(modern.send(request, method=served_requests(modern)[0][0]), INVALID_REQUEST, *mismatch)


@requirement("error.invalid-request")
def test_answers_a_scalar_with_an_invalid_request_error(modern: Probe) -> None:
    """JSON that is no object is no request; over HTTP no header can repeat what is not there."""
    for scalar in ("mcprove", 7, True):
        mismatch = (errors.HEADER_MISMATCH,) if modern.is_http else ()
        expect_refusal(modern.send(jsonrpc.dump(scalar)), INVALID_REQUEST, *mismatch)


@requirement("error.invalid-request-refused")
def test_does_not_serve_what_is_no_request(legacy: Probe) -> None:
    """What was served is not served without its method or version."""
    for request, name in malformed(legacy):
        expect_invalid(legacy.send(request), f"a request with {name}")


@requirement("error.invalid-request-refused")
def test_survives_a_scalar(legacy: Probe) -> None:
    """JSON that is no object is refused or ignored."""
    for scalar in ("mcprove", 7, True, None):
        expect_invalid(legacy.send(jsonrpc.dump(scalar)), "JSON that is no object")


@requirement("error.invalid-request-refused")
def test_survives_params_of_a_wrong_type(legacy: Probe) -> None:
    """Params that are no object do no harm. A receiver may be lenient and take null, or an empty array, for none."""
    legacy.request("ping").given_result()
    for params in ODD_PARAMS:
        legacy.send(jsonrpc.request(f"mcprove-params-{params}", "ping", params)).expect_survival()
    expect_invalid(
        legacy.send(jsonrpc.request("mcprove-params-text", "ping", "bar")), "a request with params that are a text"
    )


@requirement("error.method-not-found")
def test_refuses_an_unknown_method(server: Probe) -> None:
    """A method that no revision has ever had."""
    served_requests(server)
    server.request(UNKNOWN_METHOD).expect_error(METHOD_NOT_FOUND)


@requirement("error.method-not-found")
def test_refuses_undeclared_features(modern: Probe) -> None:
    """The methods of features that are not declared are unknown; serving them is odd, yet harms nobody."""
    served_requests(modern)
    absent = [FEATURES[feature] for feature in FEATURES if feature not in modern.capabilities]
    if not absent:
        raise NotApplicable("the server declares every feature that it could be asked for in vain")
    for method, params in absent:
        answer = modern.request(method, params)
        advise(answer.error is not None and answer.error.code == METHOD_NOT_FOUND, "error -32601", answer)


@requirement("error.invalid-params")
def test_refuses_params_that_lack_what_is_needed(legacy: Probe) -> None:
    """Requests for one thing that do not say which, of every feature that is declared."""
    declared = [feature for feature in BAD_PARAMS if feature in legacy.capabilities]
    if not declared:
        raise NotApplicable("the server declares neither tools nor resources nor prompts")
    served_requests(legacy)
    for method, params in (each for feature in declared for each in BAD_PARAMS[feature]):
        legacy.request(method, params).expect_error(INVALID_PARAMS)


def foreign_ids(server: Probe) -> list[Offence]:
    """Return the errors whose id is neither that of what they answer nor absent nor null."""
    asked = [(exchange, answer, asked_id(exchange)) for exchange, answer in answers(server)]
    return [
        Offence(f"id {show(answer.id, 100)} for {show(sent, 100)}", answer, exchange)
        for exchange, answer, sent in asked
        if answer.kind is Kind.ERROR and sent is not MISSING and answer.id not in (None, MISSING)
        if not same_id(answer.id, sent)
    ]


def was_read(exchange: Exchange) -> bool:
    """Return whether a receiver surely read what it answered: no header made it refuse, and it is well-formed."""
    return not exchange.http_refused and is_well_formed(exchange)


def asked_id(exchange: Exchange) -> Json:
    """Return the id of what was sent where that is a request, well-formed or not, with an id that can be one."""
    body = body_of(exchange)
    sent = body.get("id", MISSING)
    return sent if "method" in body and isinstance(sent, str | int) and not isinstance(sent, bool) else MISSING


def expect_echo(answer: Exchange, sent: Json) -> None:
    """Ask that an error has the very id of its request; that an error comes is the matter of another rule."""
    answer.given_error()
    got = answer.answer.id if answer.answer else MISSING
    expect(same_id(got, sent), f"the id {show(sent, 60)} back", answer, actual=f"id {show(got, 60)}")


def expect_refusal(answer: Exchange, *codes: int) -> None:
    """Ask for an error of one of these codes; over HTTP an error status without any will do."""
    if answer.error or not answer.http_refused:
        answer.expect_error(*codes)
    answer.expect_survival()


def expect_invalid(answer: Exchange, what: str) -> None:
    """Ask that what is no message is not served; an error on stdio had better say why."""
    answer.expect_not_served(what)
    if answer.error and not answer.http_refused:
        answer.expect_error(INVALID_REQUEST, PARSE_ERROR, INVALID_PARAMS)


def malformed(probe: Probe) -> Iterator[tuple[dict[str, Json], str]]:
    """Yield a request that is served, each time with one thing wrong, and what that is."""
    twin = probe.request(*served_requests(probe)[0])
    twin.given_result()
    for name, change in MALFORMED.items():
        whole = {**body_of(twin), "id": f"mcprove {name}", **change}
        yield {member: value for member, value in whole.items() if value is not OMIT}, name


def has_code(message: Message) -> bool:
    """Return whether an error has a code, of whatever type."""
    return isinstance(message.error, dict) and "code" in message.error


def rambles(text: str, exchange: Exchange) -> str | None:
    """Return why a text is no short sentence, None where it may be one."""
    if not text.strip():
        return "is empty"
    if any(trace in text for trace in STACK):
        return "shows a stack"
    if "\n" in text.strip():
        return "has several lines"
    return f"has {len(text)} characters" if len(text) > SENTENCE + len(exchange.sent) else None
