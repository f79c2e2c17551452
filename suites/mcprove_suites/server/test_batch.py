"""Arrays of messages: a part of 2025-03-26 alone, refused in every revision that is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import Exchange, Kind, Message, Probe, advise, expect, requirement
from mcprove.core import jsonrpc
from mcprove.spec.revisions import BATCHING_REVISION
from mcprove_suites.judging import Offence, body_of, everything_heard, expect_none
from mcprove_suites.served import served_requests

if TYPE_CHECKING:
    from mcprove import Heard, Json

CANCELLED = jsonrpc.notification("notifications/cancelled", {"requestId": "mcprove-never-sent"})


@requirement("batch.refused")
def test_runs_no_request_of_an_array(server: Probe) -> None:
    """The same request is served by itself; an array of one, and of two, may be refused or met with silence."""
    for count in (1, 2):
        expect_refused(send_array(server, *requests(server, "only", count)))


@requirement("batch.refused")
def test_runs_no_request_among_notifications(server: Probe) -> None:
    """A notification before the request changes nothing."""
    expect_refused(send_array(server, CANCELLED, *requests(server, "mixed", 1)))


@requirement("batch.refused")
def test_survives_an_array_of_notifications(server: Probe) -> None:
    """Nobody sees what becomes of a notification, but a result is none of it."""
    for count in (1, 2):
        expect_refused(send_array(server, *[CANCELLED] * count))


@requirement("batch.refused")
def test_survives_an_empty_array(server: Probe) -> None:
    """An array without members is no message either."""
    expect_refused(send_array(server))


@requirement("batch.refused", last=True)
def test_serves_no_member_of_an_array_late(server: Probe) -> None:
    """No result came for a member of an array after all."""
    everything_heard(server)
    late = [item for item in server.transcript.strays if item.exchange and was_array(item.exchange)]
    served = [Offence("a late result", *pair(item)) for item in late if item.message.kind is Kind.RESULT]
    expect_none(served, "no member of an array is served")


@requirement("batch.server-sends-single", last=True)
def test_sends_one_message_at_a_time(server: Probe) -> None:
    """Nothing that the server sent was an array, not even in answer to one."""
    heard = everything_heard(server).heard
    arrays = [Offence("an array", *pair(item)) for item in heard if item.message.kind is Kind.BATCH]
    expect_none(arrays, "one message at a time")


@requirement("batch.initialize-never-batched")
def test_opens_no_session_from_an_array(legacy: Probe) -> None:
    """The same initialize opens one when it comes alone; a session id beside a refusal is no open session."""
    with legacy.virgin() as fresh:
        opening = body_of(legacy.opening) if legacy.opening else {}
        tried = fresh.send([{**opening, "id": "mcprove-array"}], method="initialize")
        fresh.initialize(legacy.revision).given_result()
    opened = tried.served or (not tried.http_refused and "mcp-session-id" in tried.headers)
    expect(not opened, "no session from an array", tried)


@requirement("batch.unspecified-in-2024-11-05")
def test_tells_whether_arrays_are_served(legacy: Probe) -> None:
    """The revision says nothing of arrays; that a server takes them, or dies of one, is worth knowing."""
    tried = send_array(legacy, *requests(legacy, "only", 2))
    expect(not tried.served, f"arrays refused, as in all revisions but {BATCHING_REVISION}", tried)
    tried.expect_survival()


def requests(server: Probe, label: str, count: int) -> list[Json]:
    """Return requests that are served, each by itself, with ids of their own."""
    name, params = served_requests(server)[0]
    twin = server.request(name, params)
    twin.given_result()
    return [{**body_of(twin), "id": f"mcprove-array-{label}-{count}-{n}"} for n in range(count)]


def send_array(server: Probe, *members: Json) -> Exchange:
    """Send an array; over HTTP with the headers that a request in it would have."""
    return server.send(list(members), method=served_requests(server)[0][0])


def expect_refused(exchange: Exchange) -> None:
    """Ask that no member is served; over HTTP silence is odd, as a body which is not taken has its status."""
    exchange.expect_not_served("an array")
    accepted = exchange.status is not None and not exchange.http_refused and not exchange.messages
    advise(not accepted, "an HTTP error status or an error", exchange)


def was_array(exchange: Exchange) -> bool:
    """Return whether what was sent was an array."""
    message = exchange.sent_message
    return message is not None and message.kind is Kind.BATCH


def pair(item: Heard) -> tuple[Message, Exchange | None]:
    """Return what an offence is shown by."""
    return item.message, item.exchange
