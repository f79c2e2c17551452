"""Streamable HTTP: who may reach a server on this machine. Pages of other origins may not, nor other machines."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mcprove import Kind, NotApplicable, Probe, expect, requirement
from mcprove_suites.endpoint import SSE_TYPE, on_loopback
from mcprove_suites.served import served_requests
from mcprove_suites.server.test_http_status import expect_no_id

if TYPE_CHECKING:
    from mcprove import Exchange

FOREIGN = "http://mcprove-foreign.example"


@requirement("http.origin-validated")
def test_does_not_serve_a_foreign_page(server: Probe) -> None:
    """What is served without an Origin is refused, by whatever means, to a page from somewhere else."""
    foreign(server).expect_not_served("a request of a foreign page")


@requirement("http.origin-validated")
def test_opens_no_stream_for_a_foreign_page(legacy: Probe) -> None:
    """Nor is GET served; 405, where there is no such stream, is a refusal like any other."""
    on_loopback(legacy)
    opened = legacy.http("GET", headers={"Accept": SSE_TYPE, "Content-Type": None, "Origin": FOREIGN})
    expect(opened.http_refused, "an HTTP error status for a foreign page", opened)


@requirement("http.origin-invalid-403")
def test_refuses_a_foreign_page_by_403(server: Probe) -> None:
    """And by no other status."""
    foreign(server).expect_status(403)


@requirement("http.origin-error-body")
def test_gives_the_refusal_no_id(server: Probe) -> None:
    """If its body is JSON-RPC at all; null, by which JSON-RPC says that there is no id, is accepted."""
    refused = foreign(server)
    if refused.answer is None or refused.answer.kind is not Kind.ERROR:
        raise NotApplicable("the refusal of a foreign page is no JSON-RPC error")
    expect_no_id(refused)


@requirement("http.origin-absent-or-valid-accepted")
def test_serves_its_own_page(modern: Probe) -> None:
    """The same request is served without an Origin."""
    on_loopback(modern)
    method, params = served_requests(modern)[0]
    place = urlsplit(modern.survey.url or "")
    own = f"{place.scheme}://{place.netloc}"
    modern.request(method, params).given_result()
    modern.request(method, params, headers={"Origin": own}).expect_result(f"a result for the server's own origin {own}")


@requirement("http.bind-localhost")
def test_listens_on_loopback_only(server: Probe) -> None:
    """A server that is reached by the loopback address is not reached by another address of the machine."""
    on_loopback(server)
    address = server.exposure()
    expect(address is None, "no connection but by the loopback address", actual=f"a connection to {address}")


def foreign(server: Probe) -> Exchange:
    """Send, as a foreign page, what the server was just seen to serve."""
    on_loopback(server)
    method, params = served_requests(server)[0]
    server.request(method, params).given_result()
    return server.request(method, params, headers={"Origin": FOREIGN})
