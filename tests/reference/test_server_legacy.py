from typing import Any

import pytest

from mcprove.core.errors import INVALID_PARAMS, RESOURCE_NOT_FOUND
from mcprove.spec.revisions import LEGACY


@pytest.mark.parametrize("version", LEGACY)
def test_initialize_echoes_a_revision_that_is_spoken(peer: Any, version: str) -> None:
    result = peer.initialize(version)["result"]
    assert result["protocolVersion"] == version
    assert set(result["serverInfo"]) >= {"name", "version"}
    assert result["capabilities"] == {"tools": {}, "resources": {}, "prompts": {}}


@pytest.mark.parametrize("version", ["2025-03-26", "2026-07-28", "1999-01-01", "2099-12-31", "1.0.0", ""])
def test_initialize_offers_the_newest_revision_otherwise(peer: Any, version: str) -> None:
    assert peer.initialize(version)["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize(
    "params",
    [None, {}, {"protocolVersion": 1, "capabilities": {}, "clientInfo": {}}, {"protocolVersion": "2025-11-25"}],
)
def test_a_malformed_initialize_opens_nothing(peer: Any, params: Any) -> None:
    assert peer.ask("initialize", params)["error"]["code"] == INVALID_PARAMS
    assert peer.session.revision is None


def test_ping_is_answered_before_and_after_the_handshake(peer: Any) -> None:
    assert peer.ask("ping")["result"] == {}
    peer.initialize()
    assert peer.ask("ping", {})["result"] == {}


@pytest.mark.parametrize("method", ["tools/list", "tools/call", "x/unknown"])
def test_other_requests_wait_for_the_handshake(peer: Any, method: str) -> None:
    assert "error" in peer.ask(method)
    peer.initialize()
    assert peer.ask("tools/list")["result"]["tools"]


def test_legacy_results_have_nothing_modern(peer: Any) -> None:
    peer.initialize()
    result = peer.ask("tools/list")["result"]
    assert set(result) == {"tools", "nextCursor"}


def test_a_missing_resource_has_its_own_code(peer: Any) -> None:
    peer.initialize()
    assert peer.ask("resources/read", {"uri": "test://nothing"})["error"]["code"] == RESOURCE_NOT_FOUND
