from typing import Any

import pytest

from mcprove.core import jsonrpc, meta
from mcprove.spec.revisions import LEGACY, MODERN, Revision
from mcprove_reference.client_messages import Messages
from mcprove_reference.client_opening import Opening, State, Terms
from mcprove_reference.client_reading import Reader
from mcprove_reference.client_steps import (
    Answer,
    Ask,
    Broken,
    Done,
    Exit,
    NoAnswer,
    Restart,
    Silence,
    Tell,
    Unusable,
)

DISCOVERED = {
    "resultType": "complete",
    "supportedVersions": ["2027-01-01", "2026-07-28", "2025-11-25"],
    "capabilities": {"tools": {}},
    "_meta": {meta.SERVER_INFO: {"name": "s", "version": "1"}},
}
NEGOTIATED = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "s", "version": "1"},
}


def message(value: Any) -> jsonrpc.Message:
    return jsonrpc.parse(jsonrpc.dump(value))


def result(value: Any, status: int | None = None) -> Answer:
    return Answer(message(jsonrpc.result(1, value)), status)


def error(code: Any, data: Any = None, status: int | None = None) -> Answer:
    return Answer(message(jsonrpc.error(1, code, "no", jsonrpc.OMIT if data is None else data)), status)


def version_refused(*supported: Any, status: int | None = None) -> Answer:
    return error(-32022, {"supported": list(supported), "requested": "2026-07-28"}, status)


@pytest.fixture
def opening() -> Opening:
    opening = Opening(Messages(), Reader(), patience=30, probe_patience=5)
    opening.begin()
    return opening


def asked(step: Any) -> str:
    assert isinstance(step, Ask)
    return str(step.request["method"])


def test_begins_with_a_modern_probe_that_says_all_of_itself() -> None:
    step = Opening(Messages(), Reader(), patience=30, probe_patience=5).begin()
    assert isinstance(step, Ask)
    assert step.patience == 5
    assert step.request == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "server/discover",
        "params": {
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "mcprove-reference-client", "version": "0.1.0"},
            }
        },
    }


@pytest.mark.parametrize("status", [None, 200])
def test_a_discover_result_settles_the_newest_mutual_revision(opening: Opening, status: int | None) -> None:
    assert opening.on(result(DISCOVERED, status)) == Terms(Revision.R2026_07_28, "s 1", {"tools": {}})


def test_a_discover_result_without_result_type_counts_as_complete(opening: Opening) -> None:
    assert isinstance(opening.on(result({"supportedVersions": ["2026-07-28"]})), Terms)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (result({"supportedVersions": ["2099-01-01"]}), "no modern revision in common.*2099-01-01"),
        (result({"supportedVersions": ["2025-11-25"]}), "no modern revision in common.*2025-11-25"),
        (result({"supportedVersions": "2026-07-28"}), "no modern revision in common.*none"),
        (result({**DISCOVERED, "resultType": "x-unknown"}), "unknown type x-unknown"),
        (result({**DISCOVERED, "resultType": "input_required"}), "server/discover"),
        (version_refused("2099-01-01", status=400), "no modern revision in common.*2099-01-01"),
        (version_refused("2025-11-25", {}, 7), "no modern revision in common.*2025-11-25"),
        (error(-32022), "no modern revision in common"),
        (error(-32022, ["2026-07-28"]), "no modern revision in common"),
        (error(-32021, {"requiredCapabilities": {"roots": {}}}), "-32021"),
        (error(-32021, status=400), "-32021"),
        (error(-32600, status=401), "-32600"),
        (NoAnswer(401), "401"),
        (NoAnswer(403), "403"),
    ],
)
def test_gives_up_with_a_clear_message_and_without_initialize(opening: Opening, event: Any, said: str) -> None:
    with pytest.raises(Unusable, match=said):
        opening.on(event)


@pytest.mark.parametrize("event", [version_refused("2099-01-01", "2026-07-28"), error(-32020, status=400)])
def test_a_modern_error_makes_it_probe_once_more_and_only_once(opening: Opening, event: Any) -> None:
    again = opening.on(event)
    assert asked(again) == "server/discover"
    assert again.id == 2  # type: ignore[union-attr]
    with pytest.raises(Unusable, match="server/discover was answered with error -3202"):
        opening.on(event)


def test_a_repeated_probe_that_succeeds_is_modern(opening: Opening) -> None:
    opening.on(version_refused("2026-07-28", status=400))
    assert isinstance(opening.on(result(DISCOVERED)), Terms)


LEGACY_SIGNS = [
    *(error(code) for code in (-32601, -32602, -32600, -32603, -32000, -32001, -32004, 0, 4242, "E42", None, -32022.5)),
    *(error(-32601, status=status) for status in (200, 400, 404, 405, 422)),
    error(-32001, {"supported": ["2026-07-28"], "requested": "2026-07-28"}, 400),
    Answer(message({"jsonrpc": "2.0", "id": 1, "error": "no"}), 400),
    Answer(message({"jsonrpc": "2.0", "id": 1, "result": "no"})),
    result({}),
    result({"protocolVersion": "2026-07-28", "capabilities": {}}),
    *(NoAnswer(status) for status in (200, 202, 302, 400, 404, 405, 406, 415, 500)),
    Broken(),
    Silence(5),
]


@pytest.mark.parametrize("event", LEGACY_SIGNS, ids=str)
def test_anything_else_makes_it_initialize_with_the_newest_legacy_revision(opening: Opening, event: Any) -> None:
    step = opening.on(event)
    assert asked(step) == "initialize"
    assert step == Ask(
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "mcprove-reference-client", "version": "0.1.0"},
            },
        },
        patience=30,
    )


def test_a_process_that_exits_is_started_again_and_initialized(opening: Opening) -> None:
    assert opening.on(Exit("the server exited with status 1")) == Restart()
    assert asked(opening.on(Done())) == "initialize"


@pytest.mark.parametrize("chosen", LEGACY)
def test_accepts_each_legacy_revision_that_the_server_chooses(opening: Opening, chosen: Revision) -> None:
    opening.on(Silence(5))
    confirmation = opening.on(result({**NEGOTIATED, "protocolVersion": str(chosen)}))
    assert confirmation == Tell({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert opening.on(Done()) == Terms(chosen, "s 1", {"tools": {}})


@pytest.mark.parametrize("chosen", ["2025-03-26", "2026-07-28", "1.0", "", None, 20251125, []])
def test_disconnects_from_a_revision_that_it_does_not_speak(opening: Opening, chosen: Any) -> None:
    opening.on(Silence(5))
    with pytest.raises(Unusable, match="answered initialize with revision"):
        opening.on(result({**NEGOTIATED, "protocolVersion": chosen}))


@pytest.mark.parametrize(
    "event",
    [
        version_refused("2026-07-28"),
        error(-32602),
        NoAnswer(404),
        NoAnswer(401),
        Silence(30),
        Exit("the server exited with status 1"),
        Broken(),
    ],
    ids=str,
)
def test_a_server_that_does_not_initialize_either_cannot_be_used(opening: Opening, event: Any) -> None:
    opening.on(error(-32601))
    with pytest.raises(Unusable, match="the server does not open: initialize"):
        opening.on(event)


def test_a_server_that_says_nothing_of_itself_is_tolerated(opening: Opening) -> None:
    opening.on(error(-32601))
    opening.on(result({"protocolVersion": "2024-11-05"}))
    assert opening.on(Done()) == Terms(Revision.R2024_11_05, "unnamed", {})


def test_opens_again_without_a_probe(opening: Opening) -> None:
    modern = Terms(MODERN[0])
    assert opening.reopen(modern) == modern
    assert asked(opening.reopen(Terms(LEGACY[0]))) == "initialize"
    assert opening.state is State.INITIALIZED


def test_what_the_server_says_reaches_no_terminal_raw(opening: Opening) -> None:
    named = {"supportedVersions": ["2026-07-28"], "_meta": {meta.SERVER_INFO: {"name": "\x1b[31m\u202ered"}}}
    assert opening.on(result(named)) == Terms(Revision.R2026_07_28, r"\x1b[31m\u202ered", {})
