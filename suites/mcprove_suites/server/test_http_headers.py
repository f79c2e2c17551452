"""Streamable HTTP in 2026-07-28: the headers that repeat the body, and what they must not be trusted with."""

from __future__ import annotations

from base64 import b64encode

from mcprove import Exchange, Inconclusive, Json, NotApplicable, Probe, advise, expect, requirement
from mcprove.core import headers, meta
from mcprove.core.errors import HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION
from mcprove.spec.revisions import NEWEST_LEGACY
from mcprove_suites.endpoint import (
    NOT_THE_NAME,
    named_request,
    named_requests,
    refused_faults,
    without_early_clients,
)
from mcprove_suites.openings import LONG_AGO
from mcprove_suites.served import LISTS, served_requests

MIRRORS = (headers.PROTOCOL_VERSION, headers.METHOD, headers.NAME)
BROKEN_NAMES = ("=?base64?%%%?=", "=?base64?dGVzdA?dGVzdA==?=", "été")


@requirement("http.version-header-mismatch")
def test_refuses_two_versions_in_one_request(modern: Probe) -> None:
    """Where the body's version is unknown as well, the order of the two refusals is open; the code then only warns."""
    for version in (LONG_AGO, NEWEST_LEGACY):
        answer = with_body_version(modern, version)
        error = answer.expect_error(HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION)
        answer.expect_status(400)
        advise(error.code == HEADER_MISMATCH, f"error {HEADER_MISMATCH}, as header and body differ", error)


@requirement("http.version-header-missing")
def test_refuses_a_request_without_the_version_header(modern: Probe) -> None:
    """With status 400 and the error for headers."""
    without_early_clients(modern)
    answer = changed(modern, headers.PROTOCOL_VERSION, None)
    answer.expect_error(HEADER_MISMATCH)
    answer.expect_status(400)


@requirement("http.method-header-mismatch")
def test_refuses_another_method_in_the_header(modern: Probe) -> None:
    """The header names a method that exists, but is not that of the body."""
    method, _ = served_requests(modern)[0]
    other = "server/discover" if method != "server/discover" else "tools/list"
    changed(modern, headers.METHOD, other).expect_not_served("a request whose Mcp-Method is another method")


@requirement("http.method-header-missing")
def test_refuses_a_request_without_the_method_header(modern: Probe) -> None:
    """The same request is served with it."""
    changed(modern, headers.METHOD, None).expect_not_served("a request without Mcp-Method")


@requirement("http.name-header-mismatch-tools")
def test_does_not_call_a_tool_under_another_name(modern: Probe) -> None:
    """The tool is one that is known to change nothing, lest it is called all the same."""
    renamed(modern, "tools/call", NOT_THE_NAME).expect_not_served("a call whose Mcp-Name is not the tool's")


@requirement("http.name-header-mismatch-prompts")
def test_does_not_give_a_prompt_under_another_name(modern: Probe) -> None:
    """The prompt is given under its own name."""
    renamed(modern, "prompts/get", NOT_THE_NAME).expect_not_served("prompts/get whose Mcp-Name is not the prompt's")


@requirement("http.name-header-mismatch-resources")
def test_does_not_read_a_resource_under_another_name(modern: Probe) -> None:
    """The resource is read under its own URI."""
    answer = renamed(modern, "resources/read", "mcprove://not-the-uri")
    answer.expect_not_served("resources/read whose Mcp-Name is not the URI")


@requirement("http.name-header-missing")
def test_refuses_a_request_without_the_name_header(modern: Probe) -> None:
    """Each method that needs the header, as far as the server was seen to serve it."""
    for method, _ in named_requests(modern):
        renamed(modern, method, None).expect_not_served(f"{method} without Mcp-Name")


@requirement("http.name-header-not-required-elsewhere")
def test_asks_no_other_method_for_a_name(modern: Probe) -> None:
    """Discovery and the lists of declared features go without Mcp-Name."""
    for method in ("server/discover", *(LISTS[name] for name in LISTS if name in modern.capabilities)):
        answer = modern.request(method)
        if answer.error is None:
            answer.given_result()
        asked = answer.error is not None and answer.error.code == HEADER_MISMATCH
        expect(not asked, f"{method} is served without Mcp-Name", answer)


@requirement("http.name-header-invalid-chars")
def test_refuses_a_broken_name_header(modern: Probe) -> None:
    """Base64 that is none between the marks of the encoding, and a character that no header may have."""
    for method, _ in named_requests(modern):
        for value in BROKEN_NAMES:
            renamed(modern, method, value).expect_not_served(f"{method} with a broken Mcp-Name")


@requirement("http.name-header-invalid-chars")
def test_refuses_sloppy_base64(modern: Probe) -> None:
    """The right name, with a character inside that is not of the alphabet: some decoders skip it unseen."""
    for method, params in named_requests(modern):
        payload = b64encode(str(headers.name_of(method, params)).encode()).decode()
        answer = renamed(modern, method, f"=?base64?{payload[:2]}%{payload[2:]}?=")
        advise(not answer.served, f"{method} is refused when the Base64 of its Mcp-Name is invalid", answer)


@requirement("http.name-header-decoded")
def test_decodes_the_name_header(modern: Probe) -> None:
    """A name may be encoded without need; it is compared once it is decoded."""
    for method, params in named_requests(modern):
        payload = b64encode(str(headers.name_of(method, params)).encode()).decode()
        answer = renamed(modern, method, f"=?base64?{payload}?=")
        answer.expect_result(f"a result for {method} whose Mcp-Name is the encoded name")


@requirement("http.header-failure-400")
def test_refuses_faults_in_headers_by_status_400(modern: Probe) -> None:
    """As far as they are refused: that they have to be is for other rules."""
    for refused in refused_faults(modern):
        refused.expect_status(400)


@requirement("http.header-failure-32020")
def test_refuses_faults_in_headers_by_their_code(modern: Probe) -> None:
    """As far as they are refused, and by no other code: nothing else is wrong with the requests."""
    for refused in refused_faults(modern):
        refused.expect_error(HEADER_MISMATCH)


@requirement("http.header-names-case-insensitive")
def test_knows_header_names_in_any_case(modern: Probe) -> None:
    """All in lower case, all in upper case, and with the two swapped."""
    method, params = (named_with_all_headers(modern) or served_requests(modern))[0]
    twin = modern.request(method, params)
    twin.given_result()
    mirrors = {name: twin.sent_headers[name] for name in MIRRORS if name in twin.sent_headers}
    for spell in (str.lower, str.upper, str.swapcase):
        spelled = {spell(name): value for name, value in mirrors.items()}
        answer = modern.request(method, params, headers=spelled)
        answer.expect_result(f"a result under the headers {', '.join(spelled)}")


@requirement("http.header-values-case-sensitive")
def test_tells_upper_from_lower_case_in_a_method(modern: Probe) -> None:
    """The method in upper case is another method."""
    method, _ = served_requests(modern)[0]
    changed(modern, headers.METHOD, method.upper()).expect_not_served("a request whose Mcp-Method is in upper case")


@requirement("http.header-values-case-sensitive")
def test_tells_upper_from_lower_case_in_a_name(modern: Probe) -> None:
    """A name with its cases swapped is another name."""
    for method, params in named_requests(modern):
        name = str(headers.name_of(method, params))
        if (other := headers.encode_value(name.swapcase())) != headers.encode_value(name):
            renamed(modern, method, other).expect_not_served(f"{method} whose Mcp-Name is in another case")


def changed(modern: Probe, header: str, value: str | None) -> Exchange:
    """Send a request that is served, and then again with one header changed or left out."""
    method, params = served_requests(modern)[0]
    modern.request(method, params).given_result()
    return modern.request(method, params, headers={header: value})


def renamed(modern: Probe, method: str, value: str | None) -> Exchange:
    """Send a request that is served under its name, and then again with Mcp-Name changed or left out."""
    params = named_request(modern, method)
    modern.request(method, params).given_result()
    return modern.request(method, params, headers={headers.NAME: value})


def with_body_version(modern: Probe, version: str) -> Exchange:
    """Send a request that is served, and then again with another version in its metadata alone."""
    method, params = served_requests(modern)[0]
    modern.request(method, params).given_result()
    return modern.request(method, params, meta={meta.PROTOCOL_VERSION: version})


def named_with_all_headers(modern: Probe) -> list[tuple[str, dict[str, Json]]]:
    """Return the requests that have an Mcp-Name header, none where the server serves none."""
    try:
        return named_requests(modern)
    except (Inconclusive, NotApplicable):
        return []
