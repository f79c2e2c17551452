from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcprove.core.lines import LineDecoder, LineTooLong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Cut = Callable[[bytes, Iterable[int]], list[bytes]]
    Delivery = Callable[[Any, bytes, bytes], list[Any]]

CASES = {
    "nothing": (b"", []),
    "one line": (b"a\n", [b"a"]),
    "two lines": (b"a\nbc\n", [b"a", b"bc"]),
    "empty lines": (b"\n\na\n\n", [b"", b"", b"a", b""]),
    "a carriage return before the newline is kept": (b"a\r\n", [b"a\r"]),
    "a carriage return alone ends nothing": (b"a\rb\n", [b"a\rb"]),
    "other line ends of Unicode end nothing": ("a\u2028b\u0085c\vd\fe\n".encode(), ["a\u2028b\u0085c\vd\fe".encode()]),
    "bytes that are not UTF-8": (b"\xff\xe4\xb8\n\x00\n", [b"\xff\xe4\xb8", b"\x00"]),
}


@pytest.mark.parametrize(("data", "expected"), CASES.values(), ids=CASES)
def test_lines_come_out_the_same_however_they_arrive(deliver: Delivery, data: bytes, expected: list[bytes]) -> None:
    assert deliver(LineDecoder(100), data, b"next\n") == expected


@given(
    data=st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", "世".encode(), b"a", b"\xff"])),
    places=st.sets(st.integers(0, 99)),
)
def test_cutting_changes_nothing(cut: Cut, data: list[bytes], places: set[int]) -> None:
    sent = b"".join(data)
    decoder = LineDecoder(1000)
    lines = [line for piece in cut(sent, places) for line in decoder.feed(piece)]
    assert sent.split(b"\n") == [*lines, decoder.rest]


def test_the_rest_is_what_no_newline_has_ended() -> None:
    decoder = LineDecoder(100)
    assert decoder.feed(b"a\nb") == [b"a"]
    assert decoder.feed(b"c") == []
    assert decoder.rest == b"bc"
    assert decoder.feed(b"\n") == [b"bc"]
    assert decoder.rest == b""


def test_a_line_of_just_the_limit_is_let_pass(deliver: Delivery) -> None:
    assert deliver(LineDecoder(4), b"1234\n", b"next\n") == [b"1234"]


@pytest.mark.parametrize("tail", [b"", b"\n", b"6\nb\n"])
def test_a_line_beyond_the_limit_is_refused_even_if_it_ends(tail: bytes) -> None:
    decoder = LineDecoder(4)
    with pytest.raises(LineTooLong, match="a line of over 4 bytes") as caught:
        decoder.feed(b"a\n12345" + tail)
    assert (caught.value.limit, caught.value.lines) == (4, [b"a"])
    assert decoder.rest.startswith(b"12345")


def test_of_a_line_beyond_the_limit_only_a_bounded_beginning_is_kept() -> None:
    decoder = LineDecoder(4)
    for piece in [b"1234567", b"89", b"0" * 1000]:
        with pytest.raises(LineTooLong):
            decoder.feed(piece)
        assert decoder.rest == b"12345"


def test_a_line_that_grows_beyond_the_limit_is_refused_at_once() -> None:
    decoder = LineDecoder(4)
    decoder.feed(b"123")
    decoder.feed(b"4")
    with pytest.raises(LineTooLong):
        decoder.feed(b"5")
    with pytest.raises(LineTooLong):
        decoder.feed(b"\n")
