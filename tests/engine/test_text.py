"""Text from a target, made safe to show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcprove.text import Redactor, clip, show, visible


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain é 漢 😀", "plain é 漢 😀"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("\x00\r\n\t", "\\x00\\r\\n\\t"),
        ("\u2028", "\\u2028"),
        ("\\x1b", "\\x1b"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_escaped(raw: str, shown: str) -> None:
    assert visible(raw) == shown


@given(st.text())
def test_no_text_whatever_brings_a_control_character(text: str) -> None:
    assert all(
        char.isprintable() or char == "\u00ad" for char in visible(text) if ord(char) < 0x20 or ord(char) == 0x7F
    )


@given(st.one_of(st.text(), st.binary(), st.dictionaries(st.text(), st.text())), st.integers(10, 100))
def test_a_shown_value_is_bounded_and_of_one_line(value: object, limit: int) -> None:
    shown = show(value, limit)
    assert "\n" not in shown
    assert len(shown) <= limit + len("… (99999999 more characters)")


def test_clipping_says_how_much_was_left_out() -> None:
    assert clip("abcdef", 4) == "abcd… (2 more characters)"


def test_longer_secrets_are_taken_out_first() -> None:
    redact = Redactor({"abc": "<short>", "abcdef": "<long>"})
    assert redact("abcdef abc") == "<long> <short>"
