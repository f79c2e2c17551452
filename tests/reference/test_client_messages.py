from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcprove.core import jsonrpc
from mcprove.spec.revisions import Lineage, Revision
from mcprove_reference.client import Client
from mcprove_reference.client_messages import Inbox, Messages

IDS = st.one_of(st.integers(), st.text(), st.integers().map(str))


def message(value: Any) -> jsonrpc.Message:
    return jsonrpc.parse(jsonrpc.dump(value))


def response(request_id: Any, number: int = 0) -> jsonrpc.Message:
    return message(jsonrpc.result(request_id, {"number": number}))


@given(st.lists(IDS, unique=True).flatmap(lambda ids: st.tuples(st.just(ids), st.permutations(range(len(ids))))))
def test_answers_find_their_requests_in_whatever_order(case: tuple[list[Any], list[int]]) -> None:
    ids, order = case
    inbox = Inbox()
    for request_id in ids:
        inbox.expect(request_id)
    for index in order:
        inbox.file_response(response(ids[index], index))
    answers = [inbox.take(request_id) for request_id in ids]
    assert [answer.result["number"] for answer in answers if answer is not None] == list(range(len(ids)))


@pytest.mark.parametrize(
    "stray",
    [
        response("1"),
        response(2),
        response(None),
        response(True),
        response([1]),
        message({"jsonrpc": "2.0", "result": {}}),
        message({"jsonrpc": "2.0", "error": {"code": -32600, "message": "no"}}),
        message({"jsonrpc": "2.0", "id": 1, "method": "ping"}),
        message([jsonrpc.result(1, {})]),
        message({"id": 1}),
        message("1"),
    ],
    ids=lambda stray: stray.raw.decode(),
)
def test_what_nobody_waits_for_is_dropped(stray: jsonrpc.Message) -> None:
    inbox = Inbox()
    inbox.expect(1)
    inbox.file_response(stray)
    assert inbox.take(1) is None
    inbox.file_response(response(1))
    assert inbox.take(1) is not None


def test_the_second_answer_to_a_request_is_dropped() -> None:
    inbox = Inbox()
    inbox.expect(1)
    inbox.file_response(response(1, 1))
    inbox.file_response(response(1, 2))
    answer = inbox.take(1)
    assert answer is not None
    assert answer.result["number"] == 1
    assert inbox.take(1) is None


def test_a_late_answer_is_dropped() -> None:
    inbox = Inbox()
    inbox.expect(1)
    inbox.give_up(1)
    inbox.file_response(response(1))
    assert inbox.take(1) is None
    assert not inbox.answers


def legacy_client() -> Client:
    client = Client()
    client.opening.initialize()
    assert client.lineage is Lineage.LEGACY
    return client


@pytest.mark.parametrize("request_id", [1, "1", -5, "é"])
def test_a_legacy_server_is_answered_under_its_own_id(request_id: Any) -> None:
    client = legacy_client()
    assert client.hear(message(jsonrpc.request(request_id, "ping"))) == jsonrpc.result(request_id, {})
    refusal = client.hear(message(jsonrpc.request(request_id, "roots/list")))
    assert refusal is not None
    assert (refusal["id"], refusal["error"]["code"]) == (request_id, -32601)


def test_a_modern_server_is_never_answered() -> None:
    assert Client().hear(message(jsonrpc.request(1, "ping"))) is None


@pytest.mark.parametrize("client", [Client(), legacy_client()])
@pytest.mark.parametrize("method", ["notifications/progress", "notifications/message", "notifications/unheard-of"])
def test_notifications_are_tolerated_and_never_answered(client: Client, method: str) -> None:
    assert client.hear(message(jsonrpc.notification(method, {}))) is None


def test_a_legacy_request_without_params_has_none() -> None:
    assert Messages().build_request(Revision.R2025_06_18, "tools/list", {}) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/list",
    }
