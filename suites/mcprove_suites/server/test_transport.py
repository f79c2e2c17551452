"""What holds for every transport: messages are encoded in UTF-8."""

from __future__ import annotations

from contextlib import suppress

from mcprove import Exchange, Inconclusive, Probe, expect, requirement, show
from mcprove.core.framing import carries_message
from mcprove_suites.judging import everything_heard
from mcprove_suites.served import served_requests
from mcprove_suites.streams import NOT_UTF8

BEYOND_ASCII = "mcprove été 日本 😀"


@requirement("transport.utf8", last=True)
def test_writes_utf8(server: Probe) -> None:
    """Every message that came, among them the answer to an id beyond ASCII; escapes are UTF-8 as well."""
    heard = everything_heard(server)
    with suppress(Inconclusive):
        method, params = served_requests(server)[0]
        server.request(method, params, id=BEYOND_ASCII)
    junk = [item for item in heard.junk if item.reason.startswith("not UTF-8") and carries_message(item.data)]
    wrong = [(item.exchange, item.data) for item in junk]
    wrong += [found for exchange in heard.exchanges for found in stream_defects(exchange)]
    exchange, shown = wrong[0] if wrong else (None, b"")
    expect(not wrong, "messages in UTF-8", exchange, actual=f"{show(shown, 300)} in one of {len(wrong)} such messages")


def stream_defects(exchange: Exchange) -> list[tuple[Exchange | None, bytes]]:
    """Return what is no UTF-8 in a stream."""
    return [(exchange, defect.excerpt) for defect in exchange.stream_defects if defect.detail == NOT_UTF8]
