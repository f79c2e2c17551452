from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from mcprove.core import jsonrpc
from mcprove.core.meta import CLIENT_CAPABILITIES, PROTOCOL_VERSION
from mcprove_reference.client import Client
from mcprove_reference.client_opening import Terms
from mcprove_reference.client_steps import (
    Answer,
    Ask,
    Broken,
    Done,
    Exit,
    NoAnswer,
    Restart,
    SessionGone,
    Silence,
    Tell,
    Unusable,
)
from mcprove_reference.client_tools import Report, Visit

Answerer = Callable[[dict[str, Any]], Any]
PLAIN = {"name": "plain", "inputSchema": {"type": "object"}}
NEEDY = {"name": "needy", "inputSchema": {"type": "object", "required": ["x"]}}


class _Server:
    """Answers the steps of a visit: by a result or an error for a method, or by the events listed for it."""

    def __init__(self, lineage: str = "modern", tools: Any = (PLAIN,), **scripts: list[Any]) -> None:
        self.lineage = lineage
        self.tools = list(tools)
        self.scripts = {name.replace("_", "/"): list(events) for name, events in scripts.items()}
        self.steps: list[Any] = []

    @property
    def methods(self) -> list[str]:
        messages = [step.request if isinstance(step, Ask) else step.message for step in self.steps if step != Restart()]
        return [message["method"] for message in messages]

    @property
    def requests(self) -> list[dict[str, Any]]:
        return [step.request for step in self.steps if isinstance(step, Ask)]

    def visit(self, client: Client | None = None, **options: Any) -> Report:
        talk = Visit(client or Client(), **options).talk()
        try:
            step = next(talk)
            while True:
                self.steps.append(step)
                step = talk.send(self.take(step))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def take(self, step: Any) -> Any:
        if not isinstance(step, Ask):
            return Done()
        method = str(step.request["method"])
        script = self.scripts.get(method)
        event = script.pop(0) if script else self.usual(method)
        return event if not isinstance(event, dict) else self.answer(step, event)

    def answer(self, step: Ask, event: dict[str, Any]) -> Answer:
        shape = jsonrpc.error(step.id, **event) if "code" in event else jsonrpc.result(step.id, event)
        return Answer(jsonrpc.parse(jsonrpc.dump(shape)))

    def usual(self, method: str) -> dict[str, Any]:
        if method == "server/discover" and self.lineage == "legacy":
            return error(-32601)
        results: dict[str, dict[str, Any]] = {
            "server/discover": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}},
            "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}},
            "tools/list": {"tools": self.tools},
            "tools/call": {"content": [{"type": "text", "text": "hi"}]},
        }
        return results[method]


def error(code: int, **data: Any) -> dict[str, Any]:
    return {"code": code, "message": "no", "data": data}


REFUSED = error(-32022, supported=["2026-07-28"], requested="2026-07-28")


@pytest.mark.parametrize(
    ("lineage", "methods"),
    [
        ("modern", ["server/discover", "tools/list", "tools/call"]),
        ("legacy", ["server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call"]),
    ],
)
def test_opens_lists_and_calls(lineage: str, methods: list[str]) -> None:
    server = _Server(lineage)
    report = server.visit()
    assert server.methods == methods
    assert report.tools == ("plain",)
    assert report.call == "plain: ok: hi"
    assert report.lines()[0] == f"lineage: {lineage}"


def test_every_modern_request_has_its_metadata_and_an_id_of_its_own() -> None:
    server = _Server()
    server.visit()
    assert [request["params"]["_meta"][PROTOCOL_VERSION] for request in server.requests] == ["2026-07-28"] * 3
    assert all(request["params"]["_meta"][CLIENT_CAPABILITIES] == {} for request in server.requests)
    assert len({request["id"] for request in server.requests}) == 3


def test_legacy_requests_have_no_metadata() -> None:
    server = _Server("legacy")
    server.visit()
    assert not any("_meta" in request.get("params", {}) for request in server.requests[1:])


def test_ids_may_be_of_any_kind() -> None:
    def ids() -> Iterator[str | int]:
        for number in count(-1):
            yield number
            yield f"é {number}"

    server = _Server()
    server.visit(Client(ids=ids()))
    assert [request["id"] for request in server.requests] == [-1, "é -1", 0]


# What can be mended in mid-flight.


def test_a_version_refused_in_mid_flight_is_negotiated_anew_once() -> None:
    server = _Server(tools_list=[REFUSED])
    assert server.visit().call == "plain: ok: hi"
    assert server.methods == ["server/discover", "tools/list", "tools/list", "tools/call"]


def test_a_version_refused_twice_is_an_error() -> None:
    server = _Server(tools_list=[REFUSED, REFUSED])
    with pytest.raises(Unusable, match=r"tools/list was answered with error -32022"):
        server.visit()
    assert server.methods == ["server/discover", "tools/list", "tools/list"]


def test_a_version_refused_in_mid_flight_without_another_in_common_is_an_error() -> None:
    with pytest.raises(Unusable, match="no modern revision in common"):
        _Server(tools_list=[error(-32022, supported=["2099-01-01"])]).visit()


def test_a_legacy_server_has_no_version_to_negotiate_in_mid_flight() -> None:
    server = _Server("legacy", tools_list=[REFUSED])
    with pytest.raises(Unusable, match="-32022"):
        server.visit()
    assert server.methods.count("tools/list") == 1


def test_a_modern_server_that_exits_is_started_again() -> None:
    server = _Server(tools_list=[Exit("the server exited with status 1")])
    server.visit()
    assert Restart() in server.steps
    assert server.methods == ["server/discover", "tools/list", "tools/list", "tools/call"]


def test_a_legacy_server_that_exits_is_started_and_initialized_again() -> None:
    server = _Server("legacy", tools_list=[Exit("the server exited with status 1")])
    server.visit()
    assert server.methods[3:] == [
        "tools/list",
        "initialize",
        "notifications/initialized",
        "tools/list",
        "tools/call",
    ]


def test_a_server_that_exits_each_time_cannot_be_used() -> None:
    gone = Exit("the server exited with status 1")
    with pytest.raises(Unusable, match="tools/list got no answer: the server exited with status 1"):
        _Server(tools_list=[gone, gone]).visit()


def test_a_session_that_is_gone_is_replaced_by_a_new_one() -> None:
    server = _Server("legacy", tools_call=[SessionGone()])
    assert server.visit().call == "plain: ok: hi"
    assert server.methods[4:] == ["tools/call", "initialize", "notifications/initialized", "tools/call"]


def test_a_modern_request_lost_with_its_stream_is_sent_under_a_new_id() -> None:
    server = _Server(tools_list=[Broken()])
    server.visit()
    assert [request["id"] for request in server.requests] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("lineage", "over_http", "cancelled"),
    [("modern", False, True), ("modern", True, False), ("legacy", False, True), ("legacy", True, True)],
)
def test_a_request_that_times_out_is_cancelled(lineage: str, over_http: bool, cancelled: bool) -> None:
    server = _Server(lineage, tools_list=[Silence(30)])
    with pytest.raises(Unusable, match="tools/list got no answer: no answer within 30 s"):
        server.visit(Client(over_http=over_http))
    told = [step.message for step in server.steps if isinstance(step, Tell)][-1:] if cancelled else []
    assert ("notifications/cancelled" in server.methods) is cancelled
    assert all(message["params"]["requestId"] == server.requests[-1]["id"] for message in told)


def test_neither_the_probe_nor_initialize_is_cancelled() -> None:
    server = _Server(server_discover=[Silence(5)], initialize=[Silence(30)])
    with pytest.raises(Unusable, match="initialize"):
        server.visit()
    assert server.methods == ["server/discover", "initialize"]


@pytest.mark.parametrize("event", [NoAnswer(500), NoAnswer(202), error(-32601), error(-32603)])
def test_other_failures_are_reported_at_once(event: Any) -> None:
    server = _Server(tools_list=[event])
    with pytest.raises(Unusable, match="tools/list was answered with"):
        server.visit()
    assert server.methods == ["server/discover", "tools/list"]


# Results.


@pytest.mark.parametrize("members", [{}, {"resultType": "complete"}])
def test_a_result_is_complete_unless_it_says_otherwise(members: Any) -> None:
    server = _Server(tools_call=[{"content": [], **members}])
    assert server.visit().call == "plain: ok: no content"


@pytest.mark.parametrize("kind", ["x-unknown", "task", "", 1, None])
def test_a_result_of_unknown_type_is_an_error(kind: Any) -> None:
    with pytest.raises(Unusable, match="unknown type"):
        _Server(tools_call=[{"content": [], "resultType": kind}]).visit()


def test_a_legacy_result_has_no_type() -> None:
    assert (
        _Server("legacy", tools_call=[{"content": [], "resultType": "x-unknown"}]).visit().call
        == "plain: ok: no content"
    )


def test_a_state_to_be_seen_again_is_sent_back_unchanged() -> None:
    state = "é\\u002F=="
    server = _Server(tools_call=[{"resultType": "input_required", "requestState": state}])
    assert server.visit().call == "plain: ok: hi"
    first, second = (request for request in server.requests if request["method"] == "tools/call")
    assert second["params"] == {**first["params"], "requestState": state}
    assert second["id"] != first["id"]


@pytest.mark.parametrize(
    "asked", [{"inputRequests": {"k": {"method": "roots/list"}}, "requestState": "s"}, {}, {"requestState": 7}]
)
def test_input_that_it_did_not_offer_to_give_is_refused(asked: Any) -> None:
    with pytest.raises(Unusable, match="wants input"):
        _Server(tools_call=[{"resultType": "input_required", **asked}]).visit()


def test_rounds_without_end_come_to_one() -> None:
    with pytest.raises(Unusable, match="another round"):
        _Server(tools_call=[{"resultType": "input_required", "requestState": "s"}] * 20).visit()


def test_a_tool_that_fails_is_an_outcome_and_an_error_is_not() -> None:
    failed = {"content": [{"type": "text", "text": "\x1bbad"}, {"type": "image"}], "isError": True}
    assert _Server(tools_call=[failed]).visit().call == r"plain: failed: \x1bbad; [image]"
    with pytest.raises(Unusable, match=r"tools/call was answered with error -32602 \(invalid params\): no"):
        _Server(tools_call=[error(-32602)]).visit()


# Lists.


def test_follows_every_cursor_even_an_empty_one() -> None:
    pages = [{"tools": [NEEDY], "nextCursor": "a"}, {"tools": [], "nextCursor": ""}, {"tools": [PLAIN]}]
    server = _Server(tools_list=pages)
    assert server.visit().tools == ("needy", "plain")
    assert [request["params"].get("cursor") for request in server.requests[1:4]] == [None, "a", ""]


def test_a_list_without_end_is_an_error() -> None:
    with pytest.raises(Unusable, match="goes on after 1000 pages"):
        _Server(tools_list=[{"tools": [], "nextCursor": ""}] * 2000).visit()


def test_lists_no_tools_where_none_are_declared() -> None:
    server = _Server(server_discover=[{"supportedVersions": ["2026-07-28"], "capabilities": {}}])
    assert server.visit().call == "none, as there is no tool"
    assert server.methods == ["server/discover"]


def test_entries_that_cannot_be_called_are_skipped() -> None:
    assert _Server(tools=[7, {}, {"name": 1}, {**PLAIN, "x-new": True}]).visit().tools == ("plain",)


def test_a_list_that_is_none_is_an_error() -> None:
    with pytest.raises(Unusable, match="without a list"):
        _Server(tools_list=[{"resultType": "complete"}]).visit()


# The call.


def test_calls_the_first_tool_that_needs_no_arguments() -> None:
    assert _Server(tools=[NEEDY, PLAIN]).visit().call == "plain: ok: hi"
    assert _Server(tools=[NEEDY]).visit().call == "none, as every tool needs arguments"


def test_calls_the_tool_that_is_wanted() -> None:
    server = _Server(tools=[PLAIN, NEEDY])
    assert server.visit(wanted="needy", arguments={"x": 1}).call == "needy: ok: hi"
    assert server.requests[-1]["params"]["arguments"] == {"x": 1}


def test_calls_no_tool_that_is_not_listed() -> None:
    with pytest.raises(Unusable, match="no tool of the name Plain"):
        _Server().visit(wanted="Plain")


MARKED = {
    "name": "marked",
    "inputSchema": {"type": "object", "properties": {"r": {"type": "string", "x-mcp-header": "Region"}}},
}


def test_repeats_marked_arguments_over_http_only() -> None:
    for over_http, headers in ((True, {"Mcp-Param-Region": "eu"}), (False, {})):
        server = _Server(tools=[MARKED])
        server.visit(Client(over_http=over_http), wanted="marked", arguments={"r": "eu"})
        assert server.steps[-1].headers == headers


def test_lists_the_tools_anew_when_the_headers_are_refused() -> None:
    old = {"name": "marked", "inputSchema": {"type": "object"}}
    server = _Server(tools=[MARKED], tools_list=[{"tools": [old]}], tools_call=[error(-32020)])
    server.visit(Client(over_http=True), wanted="marked", arguments={"r": "eu"})
    assert server.methods == ["server/discover", "tools/list", "tools/call", "tools/list", "tools/call"]
    assert server.steps[-1].headers == {"Mcp-Param-Region": "eu"}


def test_an_invalid_mark_costs_a_tool_and_no_other() -> None:
    invalid = {"name": "bad", "inputSchema": {"type": "object", "x-mcp-header": "R"}}
    assert _Server(tools=[invalid, PLAIN]).visit(Client(over_http=True)).tools == ("plain",)
    assert _Server(tools=[invalid, PLAIN]).visit(Client()).tools == ("bad", "plain")


def test_terms_are_what_the_report_shows() -> None:
    report = _Server("legacy").visit()
    assert report.lines() == [
        "lineage: legacy",
        "revision: 2025-11-25",
        "server: unnamed",
        "tools: plain",
        "call: plain: ok: hi",
    ]
    assert isinstance(report.terms, Terms)
