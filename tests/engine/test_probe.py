"""The probe, on the reference server over real pipes and sockets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mcprove import Exchange, Inconclusive, NotApplicable, Probe
from mcprove.core.errors import METHOD_NOT_FOUND
from mcprove.lane import ALL_LANES, Lane
from mcprove.spec.revisions import LEGACY, MODERN
from mcprove.target import Options, resolve
from mcprove.tester import Tester
from mcprove.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def tester() -> Iterator[Tester]:
    with Tester(resolve(Options()), timeout=10, start_timeout=30) as running:
        yield running


@pytest.fixture(params=ALL_LANES, ids=str)
def probe(request: pytest.FixtureRequest, tester: Tester) -> Probe:
    assert request.param in tester.survey.lanes
    return tester.probe(request.param)


def test_the_survey_tells_what_every_version_was_answered_with(tester: Tester) -> None:
    expected = {str(revision): str(revision) for revision in LEGACY}
    assert tester.survey.offered == {"stdio": expected, "http": expected}


def test_the_survey_survives_the_way_to_another_process(tester: Tester) -> None:
    found = tester.survey
    assert type(found).from_json(json.loads(json.dumps(found.to_json()))) == found


def test_a_request_is_answered_with_its_id(probe: Probe) -> None:
    exchange = probe.request("tools/list", id="é-1")
    assert exchange.answer is not None
    assert exchange.answer.id == "é-1"
    assert exchange.expect_result()["tools"]


def test_an_unknown_method_is_an_error(probe: Probe) -> None:
    exchange = probe.request("no/such/method")
    assert exchange.expect_error().code == METHOD_NOT_FOUND
    with pytest.raises(Violation, match="a result"):
        exchange.expect_result()
    with pytest.raises(Inconclusive):
        exchange.given_result()


def test_a_notification_is_followed_by_silence(probe: Probe) -> None:
    exchange = probe.notify("notifications/nobody-knows-this")
    exchange.expect_no_response()
    assert exchange.messages == []


def test_garbage_is_sent_as_it_is_and_survived(probe: Probe) -> None:
    exchange = probe.send(b"{nonsense")
    exchange.expect_survival()
    assert not exchange.served


def test_an_array_is_not_served(probe: Probe) -> None:
    ping = {"jsonrpc": "2.0", "id": 990, "method": "ping"}
    probe.send([ping], method="ping").expect_not_served("an array")


def test_another_connection_has_its_own_conversation(probe: Probe) -> None:
    with probe.again() as other:
        assert other.tools() == probe.tools()
        assert other.opening is not probe.opening


def test_a_scene_is_played_once(probe: Probe) -> None:
    played = []

    def scene(_: Probe) -> int:
        played.append(1)
        return len(played)

    assert (probe.once(scene), probe.once(scene), played) == (1, 1, [1])


def test_a_capability_that_is_not_declared_does_not_apply(probe: Probe) -> None:
    probe.need("tools")
    with pytest.raises(NotApplicable, match="experimental"):
        probe.need("experimental.flying")


def test_a_list_is_walked_to_its_end(probe: Probe) -> None:
    pages = probe.pages()
    assert len(pages) > 1
    assert "nextCursor" not in pages[-1].expect_result()


def repeated(exchange: Exchange) -> str:
    """Run the command that repeats an exchange; return what it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["sh", "-c", exchange.repeat()], capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}
    )
    return ran.stdout


@pytest.mark.parametrize("revision", [MODERN[0], *LEGACY], ids=str)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_command_that_repeats_brings_the_same_answer(transport: str, revision: str, tester: Tester) -> None:
    exchange = tester.probe(Lane.parse(f"{transport}-{revision}")).request("no/such/method")
    assert exchange.answer is not None
    assert exchange.answer.raw.decode() in repeated(exchange)
