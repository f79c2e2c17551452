"""The _meta of requests and results: what has to be there, what may be, and the grammar of its keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import OMIT, Exchange, Inconclusive, Kind, NotApplicable, Probe, expect, requirement, show
from mcprove.core import jsonrpc, meta
from mcprove.core.errors import HEADER_MISMATCH, INVALID_PARAMS, MISSING_CLIENT_CAPABILITY
from mcprove.spec.validation import schema_defects
from mcprove_suites.judging import (
    Offence,
    answers,
    body_of,
    expect_none,
    may_be_legacy,
    modern_answers,
)
from mcprove_suites.served import served_requests

if TYPE_CHECKING:
    from mcprove import Json

REQUIRED = (meta.PROTOCOL_VERSION, meta.CLIENT_CAPABILITIES)
NOTHING: dict[str, Json] = dict.fromkeys((*REQUIRED, meta.CLIENT_INFO), OMIT)
ODD_OBJECTS: tuple[Json, ...] = ([], "none", None, True)
SOMEBODY: Json = {"name": "somebody-else", "version": "0.0.1"}
# The capability of a client that each request to it needs.
INPUT = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}


@requirement("meta.missing-meta")
def test_refuses_a_request_without_params(modern: Probe) -> None:
    """Modern requests always have params, as these hold the metadata."""
    method = plain_request(modern)
    expect_malformed(modern, modern.request(method, OMIT), version_is_gone=True)


@requirement("meta.missing-meta")
def test_refuses_params_without_meta(modern: Probe) -> None:
    """Params are there, and have no _meta."""
    method = plain_request(modern)
    expect_malformed(modern, modern.request(method, {"mcproveExtra": 1}, meta=NOTHING), version_is_gone=True)


@requirement("meta.missing-protocol-version")
def test_refuses_meta_without_a_version(modern: Probe) -> None:
    """Everything else is there; over HTTP the header then repeats what the body lacks."""
    method = plain_request(modern)
    answer = modern.request(method, meta={meta.PROTOCOL_VERSION: OMIT})
    expect_malformed(modern, answer, version_is_gone=True)


@requirement("meta.missing-client-capabilities")
def test_refuses_meta_without_capabilities(modern: Probe) -> None:
    """A client without capabilities says so by an empty object, not by silence."""
    method = plain_request(modern)
    expect_malformed(modern, modern.request(method, meta={meta.CLIENT_CAPABILITIES: OMIT}))


@requirement("meta.missing-field-every-method")
def test_refuses_incomplete_meta_for_every_method(modern: Probe) -> None:
    """What is refused for one method is refused for each that is served with all of it."""
    first, *others = served_requests(modern)
    modern.request(*first, meta={meta.CLIENT_CAPABILITIES: OMIT}).given_error()
    if not others:
        raise NotApplicable("the server was seen to serve one method only")
    for method, params in others:
        expect_malformed(modern, modern.request(method, params, meta={meta.CLIENT_CAPABILITIES: OMIT}))


@requirement("meta.missing-field-http-400")
def test_refuses_incomplete_meta_with_status_400(modern: Probe) -> None:
    """Each field that is required, left out alone."""
    method = plain_request(modern)
    for field in REQUIRED:
        answer = modern.request(method, meta={field: OMIT})
        if answer.served:
            raise Inconclusive(f"a request without {field} is served")
        answer.expect_status(400)


@requirement("meta.wrong-typed-field")
def test_refuses_fields_of_a_wrong_type(modern: Probe) -> None:
    """Whatever the code: the page gives one for what is missing, and none for this."""
    method = plain_request(modern)
    for wrong in ODD_OBJECTS:
        refused(modern.request(method, meta={meta.CLIENT_CAPABILITIES: wrong}), f"capabilities {show(wrong)}")


@requirement("meta.wrong-typed-field")
def test_refuses_meta_of_a_wrong_type(modern: Probe) -> None:
    """A version that is no string, and a _meta that is no object; a legacy server may look at neither."""
    method = plain_request(modern)
    if may_be_legacy(modern):
        raise NotApplicable("on stdio this server may take it for a legacy request")
    for number, wrong in enumerate(("none", [], 7)):
        request = jsonrpc.request(f"mcprove meta {number}", method, {"_meta": wrong})
        refused(modern.send(request), f"_meta {show(wrong)}")
    refused(modern.request(method, meta={meta.PROTOCOL_VERSION: 20260728}), "a version that is a number")


@requirement("meta.client-info-optional")
def test_serves_a_client_without_a_name(modern: Probe) -> None:
    """The same request is served with clientInfo."""
    method = plain_request(modern)
    modern.request(method, meta={meta.CLIENT_INFO: OMIT}).expect_result("a result, also without clientInfo")


@requirement("meta.server-info", last=True)
def test_results_name_the_server(modern: Probe) -> None:
    """Every result that answers a modern request says whose it is."""
    results = [(exchange, answer) for exchange, answer in modern_answers(modern) if isinstance(answer.result, dict)]
    if not results:
        raise Inconclusive("no request was answered with a result")
    nameless = [
        Offence("no serverInfo with name and version", answer, exchange)
        for exchange, answer in results
        if not is_name((exchange.result or {}).get("_meta"))
    ]
    expect_none(nameless, "every result names the server in _meta")


@requirement("meta.info-no-behaviour-change")
def test_serves_every_client_alike(modern: Probe) -> None:
    """The same request by another client is answered alike; an answer that changes by itself shows nothing."""
    method = plain_request(modern)
    before, again = (modern.request(method).given_result() for _ in range(2))
    other = modern.request(method, meta={meta.CLIENT_INFO: SOMEBODY})
    if not before == again == modern.request(method).given_result():
        raise Inconclusive(f"the answers to {method} differ by themselves")
    expect(other.result == before, "the answer that another client gets", other)


@requirement("meta.no-undeclared-capability-use", last=True)
def test_asks_only_for_what_is_declared(modern: Probe) -> None:
    """What a server asks for in an input_required result the request has declared, but for extensions."""
    asked = [(exchange, kind) for exchange, _ in modern_answers(modern) for kind in inputs_of(exchange)]
    if not asked:
        raise NotApplicable("the server asked the client for nothing")
    undeclared = [
        Offence(f"{kind} without {INPUT[kind]}", exchange.answer, exchange)
        for exchange, kind in asked
        if kind in INPUT and exchange.answer and INPUT[kind] not in declared(exchange)
    ]
    expect_none(undeclared, "input only by capabilities that the request declares")


@requirement("meta.missing-capability-data", last=True)
def test_names_the_missing_capabilities(modern: Probe) -> None:
    """The data of every -32021 holds ClientCapabilities, at least one, by the key requiredCapabilities."""
    wrong = [
        Offence(f"requiredCapabilities {show(needed, 100)}", exchange.answer, exchange)
        for exchange in capability_errors(modern)
        if exchange.answer
        and exchange.error
        and not is_capabilities(modern, needed := exchange.error.field("requiredCapabilities"))
    ]
    expect_none(wrong, "data.requiredCapabilities names the missing capabilities")


@requirement("meta.missing-capability-http-400", last=True)
def test_missing_capability_is_status_400(modern: Probe) -> None:
    """The status of every -32021 is 400."""
    for exchange in capability_errors(modern):
        exchange.expect_status(400)


def plain_request(modern: Probe) -> str:
    """Return a method that is served without arguments when the metadata is complete: the twin of a refusal."""
    method = served_requests(modern)[0][0]
    modern.request(method).given_result()
    return method


def expect_malformed(modern: Probe, answer: Exchange, *, version_is_gone: bool = False) -> None:
    """Ask for the refusal of incomplete metadata.

    Without a version a dual-era server on stdio may take the request for a legacy one, whose rules leave open what
    becomes of it, and over HTTP the header no longer repeats the body.
    """
    if version_is_gone and may_be_legacy(modern) and (answer.error is None or answer.error.code != INVALID_PARAMS):
        raise NotApplicable("on stdio this server may take it for a legacy request")
    answer.expect_error(INVALID_PARAMS, *((HEADER_MISMATCH,) if version_is_gone and modern.is_http else ()))


def refused(answer: Exchange, what: str) -> None:
    """Ask for an error of any code; over HTTP an error status will do."""
    answer.expect_not_served(what)
    if not answer.http_refused:
        answer.expect_error()


def is_name(metadata: Json) -> bool:
    """Return whether a _meta has a serverInfo with name and version."""
    info = metadata.get(meta.SERVER_INFO) if isinstance(metadata, dict) else None
    return isinstance(info, dict) and all(isinstance(info.get(member), str) for member in ("name", "version"))


def inputs_of(exchange: Exchange) -> list[str]:
    """Return the methods of the requests in an input_required result."""
    requests = (exchange.result or {}).get("inputRequests")
    entries = list(requests.values()) if isinstance(requests, dict) else []
    return [str(entry.get("method")) for entry in entries if isinstance(entry, dict)]


def declared(exchange: Exchange) -> dict[str, Json]:
    """Return the capabilities that a request declares."""
    params = body_of(exchange).get("params")
    metadata = params.get("_meta") if isinstance(params, dict) else None
    capabilities = metadata.get(meta.CLIENT_CAPABILITIES) if isinstance(metadata, dict) else None
    return capabilities if isinstance(capabilities, dict) else {}


def capability_errors(modern: Probe) -> list[Exchange]:
    """Return every exchange that was answered with -32021; there may be none."""
    found = [
        exchange
        for exchange, answer in answers(modern)
        if answer.kind is Kind.ERROR and answer.error_code == MISSING_CLIENT_CAPABILITY
    ]
    if not found:
        raise NotApplicable("nothing was refused for want of a capability")
    return found


def is_capabilities(modern: Probe, value: Json) -> bool:
    """Return whether a value is an object of client capabilities, not empty."""
    return isinstance(value, dict) and bool(value) and not schema_defects(modern.revision, "ClientCapabilities", value)
