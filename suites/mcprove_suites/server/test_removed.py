"""What 2026-07-28 dropped: its methods are unknown, and its notifications are not sent."""

from __future__ import annotations

from mcprove import Kind, Probe, requirement
from mcprove.core.errors import METHOD_NOT_FOUND
from mcprove_suites.declared import is_foreign
from mcprove_suites.judging import Offence, everything_heard, expect_none
from mcprove_suites.served import served_requests

NOWHERE = {"uri": "mcprove://no-such-resource"}


@requirement("removed.server-methods")
def test_knows_no_ping(modern: Probe) -> None:
    """A request that declares this revision is answered by its rules, also by a server of both lineages."""
    expect_unknown(modern, "ping")


@requirement("removed.server-methods")
def test_knows_no_log_level(modern: Probe) -> None:
    """The level is set for each request now."""
    expect_unknown(modern, "logging/setLevel", {"level": "info"})


@requirement("removed.server-methods")
def test_knows_no_subscription_of_single_resources(modern: Probe) -> None:
    """Subscriptions are opened by a method of their own."""
    expect_unknown(modern, "resources/subscribe", NOWHERE)
    expect_unknown(modern, "resources/unsubscribe", NOWHERE)


@requirement("removed.server-legacy-notifications", last=True)
def test_sends_no_notification_of_an_earlier_revision(modern: Probe) -> None:
    """A notification that no revision knows may belong to an extension."""
    heard = [item for item in everything_heard(modern).heard if item.message.kind is Kind.NOTIFICATION]
    old = [item for item in heard if is_foreign(item.message, modern.revision)]
    offences = [Offence(f"{item.message.method}, which was dropped", item.message, item.exchange) for item in old]
    expect_none(offences, f"only notifications that {modern.revision} has")


def expect_unknown(modern: Probe, method: str, params: dict[str, str] | None = None) -> None:
    """Ask that a method is not found, where others are served in the same way."""
    served, twin = served_requests(modern)[0]
    modern.request(served, twin).given_result()
    modern.request(method, params).expect_error(METHOD_NOT_FOUND)
