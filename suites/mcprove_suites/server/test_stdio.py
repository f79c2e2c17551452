"""The stdio transport: a message a line, nothing else on stdout, and an end when the input ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcprove import Kind, Lineage, Message, NotApplicable, Probe, advise, expect, requirement, show
from mcprove.core import meta
from mcprove.core.framing import carries_message, explain, spread
from mcprove_suites.judging import Offence, everything_heard, expect_none, given_some
from mcprove_suites.openings import second_connection

if TYPE_CHECKING:
    from mcprove import Exchange, Junk

PATIENCE = 3.0


@dataclass(frozen=True, slots=True)
class Ending:
    """What came of the end of input: the seconds until the exit, if there was one, and lines that are no messages."""

    took: float | None
    last: Exchange
    junk: list[Junk]


@requirement("stdio.one-message-per-line", last=True)
def test_writes_each_message_on_one_line(server: Probe) -> None:
    """No message was spread over several lines: neither indented nor with a raw newline in a string."""
    junk = everything_written(server)
    runs = spread([item.data for item in junk])
    first = [item.data for item in junk[runs[0].start : runs[0].stop]] if runs else []
    actual = f"{len(runs)} over several, the first over {len(first)}: {show(b' '.join(first), 300)}"
    expect(not runs, "each message on one line", junk[runs[0].start].exchange if runs else None, actual=actual)


@requirement("stdio.one-message-per-line", last=True)
def test_ends_lines_by_a_bare_newline(server: Probe) -> None:
    """A carriage return before the newline is white space to JSON, and only odd."""
    heard = everything_heard(server).heard
    returned = [item for item in heard if item.message.raw.endswith(b"\r")]
    offences = [Offence("a line that ends in CR LF", item.message, item.exchange) for item in returned]
    expect_none(offences, "lines that end in a newline alone", mild=True)


@requirement("stdio.one-message-per-line", last=True)
def test_ends_its_last_message_by_a_newline(server: Probe) -> None:
    """A message that is written as the server exits is a line like any other."""
    ending = server.once(end_of_input)
    if ending.took is None:
        raise NotApplicable("the server does not exit at the end of its input")
    torn = [item for item in ending.junk if carries_message(item.data)]
    expect(not torn, "a newline after the last message", ending.last, actual=show(torn[0].data) if torn else None)


@requirement("stdio.stdout-only-mcp", last=True)
def test_writes_nothing_but_messages(server: Probe) -> None:
    """From its start to its end; messages that are only framed or encoded wrongly are the matter of other rules."""
    junk = everything_written(server)
    lines = [item.data for item in junk]
    framed = {index for run in spread(lines) for index in run}
    foreign = [item for index, item in enumerate(junk) if index not in framed and is_foreign(item)]
    cause = explain(lines)
    actual = f"{show(foreign[0].data, 200)}{f' ({cause})' if cause else ''}, {len(foreign)} lines" if foreign else None
    expect(not foreign, "only messages on stdout", foreign[0].exchange if foreign else None, actual=actual)


@requirement("stdio.stdout-only-mcp", last=True)
def test_writes_no_other_objects(server: Probe) -> None:
    """An object that has nothing of JSON-RPC, like a line of a log, is no message, though it is JSON."""
    heard = everything_heard(server).heard
    logs = [Offence("no message", item.message, item.exchange) for item in heard if is_other(item.message)]
    expect_none(logs, "only messages on stdout")


@requirement("stdio.stdout-only-mcp", last=True)
def test_writes_no_blank_lines(server: Probe) -> None:
    """Most readers skip a line without anything on it."""
    blank = [item for item in everything_written(server) if not item.data.strip()]
    advise(not blank, "no blank lines", blank[0].exchange if blank else None, actual=f"{len(blank)} blank lines")


@requirement("stdio.server-exits-on-eof", last=True)
def test_exits_at_the_end_of_its_input(server: Probe) -> None:
    """Without a signal, though not at once."""
    ending = server.once(end_of_input)
    ending.last.given_result()
    waited = f"a process that goes on for {PATIENCE:g} s"
    expect(ending.took is not None, "an exit at the end of input", ending.last, actual=waited)


@requirement("stdio.no-server-requests", last=True)
def test_writes_no_requests(modern: Probe) -> None:
    """A notification that has an id is the matter of another rule."""
    heard = everything_heard(modern).heard
    asked = [item for item in heard if item.message.kind is Kind.REQUEST and not is_named_notification(item.message)]
    expect_none([Offence("a request", item.message, item.exchange) for item in asked], "no requests of the server")


@requirement("stdio.server-message-kinds", last=True)
def test_notifies_only_about_requests_in_flight(modern: Probe) -> None:
    """Those of a subscription name it; while anything is unanswered it may be about that."""
    heard = [item for item in everything_heard(modern).heard if item.message.kind is Kind.NOTIFICATION]
    given_some(heard, "notifications")
    if any(is_unanswered(exchange) for exchange in modern.transcript.exchanges):
        raise NotApplicable("a request was left unanswered, which a notification may be about")
    idle = [item for item in heard if item.exchange is None and not is_of_subscription(item.message)]
    offences = [Offence("a notification while no request was in flight", item.message, None) for item in idle]
    expect_none(offences, "notifications about requests in flight only")


def end_of_input(server: Probe) -> Ending:
    """In a conversation in progress have one request answered, and close the input."""
    other = second_connection(server)
    last = other.request("server/discover" if other.lane.lineage is Lineage.MODERN else "ping")
    already = len(server.transcript.junk)
    took = other.end_input(PATIENCE)
    return Ending(took, last, server.transcript.junk[already:])


def everything_written(server: Probe) -> list[Junk]:
    """Return each line that was no message; one that was cut off, by its length or by the end, is not judged here."""
    everything_heard(server)
    ending = server.once(end_of_input)
    whole = [item for item in server.transcript.junk if item.reason.startswith(("not JSON", "not UTF-8"))]
    return whole if ending.took is None else [*whole, *(item for item in ending.junk if item not in whole)]


def is_foreign(item: Junk) -> bool:
    """Return whether a line is neither blank nor a message in another encoding or without its newline."""
    return bool(item.data.strip()) and not carries_message(item.data)


def is_other(message: Message) -> bool:
    """Return whether a value shares nothing with a message."""
    marks = {"jsonrpc", "id", "method", "result", "error"}
    return message.kind is Kind.OTHER and not (isinstance(message.value, dict) and marks & message.value.keys())


def is_named_notification(message: Message) -> bool:
    """Return whether a method is that of a notification by its name."""
    return message.method is not None and message.method.startswith("notifications/")


def is_of_subscription(message: Message) -> bool:
    """Return whether a notification names the subscription that it belongs to, or cancels one."""
    metadata = message.params.get("_meta") if isinstance(message.params, dict) else None
    named = isinstance(metadata, dict) and meta.SUBSCRIPTION_ID in metadata
    return named or message.method == "notifications/cancelled"


def is_unanswered(exchange: Exchange) -> bool:
    """Return whether what was sent was a sound request that got no answer."""
    message = exchange.sent_message
    sound = message is not None and message.kind is Kind.REQUEST and not message.defects
    return sound and exchange.answer is None
