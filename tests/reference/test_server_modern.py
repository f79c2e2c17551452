from typing import Any

import pytest

from mcprove.core import meta
from mcprove.core.errors import INVALID_PARAMS, METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION
from mcprove_reference.modern import CACHEABLE

META = {meta.PROTOCOL_VERSION: "2026-07-28", meta.CLIENT_CAPABILITIES: {}}
METHODS = ["server/discover", "tools/list", "tools/call", "ping", "initialize", "x/unknown"]


def test_discovery_says_what_is_served(peer: Any) -> None:
    result = peer.modern("server/discover")["result"]
    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["capabilities"] == {"tools": {}, "resources": {}, "prompts": {}}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("version", ["1900-01-01", "2025-06-18", "2025-03-26", ""])
def test_an_unsupported_version_is_refused_whatever_the_method(peer: Any, method: str, version: str) -> None:
    error = peer.ask(method, {"_meta": {**META, meta.PROTOCOL_VERSION: version}})["error"]
    assert error["code"] == UNSUPPORTED_PROTOCOL_VERSION
    assert error["data"] == {"supported": ["2026-07-28"], "requested": version}


DEFECTIVE: list[Any] = [
    None,
    {},
    {"_meta": "text"},
    {"_meta": None},
    {"_meta": {}},
    {"_meta": {meta.PROTOCOL_VERSION: "2026-07-28"}},
    {"_meta": {meta.CLIENT_CAPABILITIES: {}}},
    {"_meta": {**META, meta.PROTOCOL_VERSION: 20260728}},
    {"_meta": {**META, meta.CLIENT_CAPABILITIES: []}},
]


@pytest.mark.parametrize("params", DEFECTIVE)
@pytest.mark.parametrize("method", ["server/discover", "tools/list", "tools/call", "x/unknown"])
def test_missing_metadata_is_invalid_params(peer: Any, method: str, params: Any) -> None:
    assert peer.ask(method, params)["error"]["code"] == INVALID_PARAMS


def test_nothing_is_remembered_of_earlier_requests(peer: Any) -> None:
    assert "result" in peer.modern("tools/list")
    assert peer.ask("tools/list")["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "resources/subscribe"])
def test_methods_that_are_gone_are_unknown(peer: Any, method: str) -> None:
    assert peer.modern(method)["error"]["code"] == METHOD_NOT_FOUND


@pytest.mark.parametrize("method", sorted(CACHEABLE))
def test_results_that_may_be_kept_say_so(peer: Any, method: str) -> None:
    result = peer.modern(method, uri="test://static-text")["result"]
    assert result["ttlMs"] >= 0
    assert result["cacheScope"] == "public"


@pytest.mark.parametrize("method", ["server/discover", "tools/list", "tools/call", "prompts/get"])
def test_each_result_has_its_type_and_the_server_in_it(peer: Any, method: str) -> None:
    name = "test_simple_prompt" if method == "prompts/get" else "test_simple_text"
    result = peer.modern(method, name=name)["result"]
    assert result["resultType"] == "complete"
    assert set(result["_meta"][meta.SERVER_INFO]) >= {"name", "version"}


def test_optional_and_foreign_metadata_is_tolerated(peer: Any) -> None:
    extra = {"com.example/x": 1, "traceparent": "00-" + "a" * 32 + "-" + "b" * 16 + "-01"}
    assert "result" in peer.ask("tools/list", {"_meta": {**META, **extra}})


def test_a_missing_resource_is_invalid_params(peer: Any) -> None:
    error = peer.modern("resources/read", uri="test://nothing")["error"]
    assert error["code"] == INVALID_PARAMS
    assert error["data"] == {"uri": "test://nothing"}
