"""The keys of _meta: the grammar of those that came, and that a server copes with those it does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import NotApplicable, Probe, requirement
from mcprove_suites.judging import everything_heard, expect_none
from mcprove_suites.metadata import (
    meta_keys,
    name_ends_defect,
    name_inside_defect,
    offending,
    order_defect,
    prefix_defect,
    reservation_defect,
    trace_defect,
)
from mcprove_suites.served import served_requests

if TYPE_CHECKING:
    from mcprove import Json

VENDOR: dict[str, Json] = {"com.example/mcprove": {"of": ["no", 1]}, "mcproveOwn": None, "com.example/": 0}
RESERVED: dict[str, Json] = {"io.modelcontextprotocol/mcproveUnknown": [1, None], "dev.mcp/mcprove": {"odd": True}}
TRACE: dict[str, Json] = {
    "traceparent": "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
    "tracestate": "vendor=t61rcWkgMzE,rojo=00f067aa0ba902b7",
    "baggage": "userId=alice,serverNode=DF%2028;note=x",
}
TRACE_KEYS = frozenset(TRACE)


@requirement("meta.key-prefix-syntax", last=True)
def test_prefixes_of_keys_are_well_formed(server: Probe) -> None:
    """Of every _meta key that came."""
    expect_none(offending(server, prefix_defect), "every prefix is dot-separated labels and a slash")


@requirement("meta.key-name-syntax", last=True)
def test_names_of_keys_are_well_formed(server: Probe) -> None:
    """Of every _meta key that came; a name may be empty."""
    expect_none(offending(server, name_ends_defect), "every name begins and ends with a letter or digit")


@requirement("meta.key-name-inner-chars", last=True)
def test_names_of_keys_have_only_some_characters(server: Probe) -> None:
    """Of every _meta key that came, between the ends of its name."""
    expect_none(offending(server, name_inside_defect), "names of letters, digits, hyphens, underscores and dots")


@requirement("meta.key-reverse-dns", last=True)
def test_prefixes_of_keys_are_reversed(server: Probe) -> None:
    """Only a prefix that is plainly a host name in its usual order is held against the server."""
    expect_none(offending(server, order_defect), "prefixes in reverse DNS order")


@requirement("meta.reserved-prefixes", last=True)
def test_uses_no_reserved_prefixes(server: Probe) -> None:
    """Reserved prefixes that no revision and no official extension uses."""
    wrong = offending(server, lambda key, _: reservation_defect(key, server.revision))
    expect_none(wrong, "no prefix that is reserved for MCP")


@requirement("meta.trace-context-format", last=True)
def test_trace_context_is_well_formed(modern: Probe) -> None:
    """Of everything that came with trace context."""
    heard = everything_heard(modern).heard
    if not any(key in TRACE_KEYS for item in heard for key, _ in meta_keys(item)):
        raise NotApplicable("the server sent no trace context")
    expect_none(offending(modern, trace_defect), "values in the forms of W3C")


@requirement("meta.reserved-values-no-assumption")
def test_copes_with_unknown_reserved_keys(server: Probe) -> None:
    """Keys below a reserved prefix that the revision does not define, with values of no particular form."""
    method, params = served_requests(server)[0]
    server.request(method, params, meta=RESERVED).expect_result("a result, as without the keys")


@requirement("meta.unknown-keys-tolerated")
def test_copes_with_keys_of_vendors(server: Probe) -> None:
    """Keys with and without a prefix, that mean nothing to the server."""
    method, params = served_requests(server)[0]
    server.request(method, params, meta=VENDOR).expect_result("a result, as without the keys")


@requirement("meta.trace-context-tolerated")
def test_copes_with_trace_context(modern: Probe) -> None:
    """All three keys, with values as W3C gives them."""
    method, params = served_requests(modern)[0]
    modern.request(method, params, meta=TRACE).expect_result("a result, as without trace context")
