"""Whom a message on a shared channel belongs to."""

from __future__ import annotations

import pytest

from mcprove.core import jsonrpc
from mcprove.core.jsonrpc import MISSING, Message
from mcprove.exchange import Exchange
from mcprove.transcript import Transcript
from mcprove.transports.routing import Router, identity


def heard(value: object) -> Message:
    return jsonrpc.parse(jsonrpc.dump(value))


def result(request_id: object) -> Message:
    return heard({"jsonrpc": "2.0", "id": request_id, "result": {}})


NO_ID = heard({"jsonrpc": "2.0", "error": {"code": -32700, "message": "?"}})
NULL_ID = heard({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "?"}})
LOG = heard({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})


def request(request_id: object) -> Exchange:
    return Exchange("ping", b"", request_id=request_id)


@pytest.fixture
def router() -> Router:
    return Router(Transcript())


def test_answers_in_any_order_reach_their_requests(router: Router) -> None:
    first, second = request(1), request("a")
    events = [router.expect_answer(exchange) for exchange in (first, second)]
    router.route(result("a"))
    router.route(result(1))
    assert (first.answer, second.answer) == (result(1), result("a"))
    assert all(event.is_set() for event in events)


@pytest.mark.parametrize(("asked", "answered"), [(1, "1"), ("7", 7), (0, False)])
def test_an_id_of_another_type_still_answers_the_request(router: Router, asked: object, answered: object) -> None:
    exchange = request(asked)
    router.expect_answer(exchange)
    router.route(result(answered))
    assert exchange.answer is not None


def test_an_answer_to_a_notification_is_charged_to_it_while_the_fence_waits(router: Router) -> None:
    notification, fence = Exchange("notifications/x", b""), request(5)
    router.observe(notification)
    router.expect_answer(fence)
    router.route(NULL_ID)
    router.route(result(5))
    assert notification.messages == [NULL_ID]
    assert fence.answer == result(5)


def test_an_error_without_an_id_answers_the_only_request(router: Router) -> None:
    exchange = request(1)
    router.expect_answer(exchange)
    router.route(NO_ID)
    assert exchange.answer == NO_ID


def late_error(router: Router) -> tuple[Exchange, Exchange]:
    garbage, following = Exchange("message", b"{"), request(1)
    router.observe(garbage)
    router.stop_observing(garbage)
    router.expect_answer(following)
    router.route(NULL_ID)
    return garbage, following


def test_a_late_error_belongs_to_the_garbage_when_the_request_is_answered_too(router: Router) -> None:
    garbage, following = late_error(router)
    assert router.in_doubt(following)
    router.route(result(1))
    router.settle(following)
    assert following.messages == [result(1)]
    assert garbage.messages == [NULL_ID]


def test_a_late_error_belongs_to_the_request_when_nothing_else_comes(router: Router) -> None:
    garbage, following = late_error(router)
    router.settle(following)
    assert following.answer == NULL_ID
    assert garbage.messages == []


def test_a_second_answer_is_a_stray_of_the_first(router: Router) -> None:
    exchange = request(1)
    router.expect_answer(exchange)
    router.route(result(1))
    router.settle(exchange)
    router.route(result(1))
    assert [(stray.message, stray.exchange) for stray in router.transcript.strays] == [(result(1), exchange)]


def test_an_answer_that_comes_after_its_request_was_given_up_on_is_late_and_no_stray(router: Router) -> None:
    exchange = request(1)
    router.expect_answer(exchange)
    router.settle(exchange)
    router.route(result(1))
    assert router.transcript.strays == []
    assert [heard.exchange for heard in router.transcript.heard] == [exchange]


def test_a_response_that_nothing_asked_for_is_a_stray_of_what_was_observed_last(router: Router) -> None:
    notification = Exchange("notifications/x", b"")
    router.observe(notification)
    router.stop_observing(notification)
    router.route(NULL_ID)
    assert [stray.exchange for stray in router.transcript.strays] == [notification]


def test_a_notification_is_heard_in_the_course_of_the_latest_request(router: Router) -> None:
    first, second = request(1), request(2)
    router.expect_answer(first)
    router.expect_answer(second)
    router.route(LOG)
    assert (first.messages, second.messages) == ([], [LOG])


def test_the_end_of_the_connection_wakes_whoever_waits_now_and_later(router: Router) -> None:
    before = router.expect_answer(request(1))
    router.release()
    assert before.is_set()
    assert router.expect_answer(request(2)).is_set()


@pytest.mark.parametrize(("one", "other"), [(1, "1"), (1, True), (0, False), (0, None), (None, MISSING), ("", None)])
def test_ids_that_differ_in_type_are_different(one: object, other: object) -> None:
    assert identity(one) != identity(other)


def test_an_id_written_with_a_fraction_of_zero_is_the_same() -> None:
    assert identity(1) == identity(1.0)
