from __future__ import annotations

import json

import pytest

from mcprove.core.framing import carries_message, explain, spread

MESSAGE = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "a"}], "nextCursor": "b"}}
INDENTED = json.dumps(MESSAGE, indent=2).encode().split(b"\n")
TORN = [b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"one', b'two"}}']
HEADED = [b"Content-Length: 42\r", b"\r", b'{"jsonrpc":"2.0","id":1,"result":{}}Content-Length: 42\r']

CASES = {
    "nothing": ([], []),
    "text": ([b"Server started", b"{ready}", b"}"], []),
    "an indented message": (INDENTED, [range(len(INDENTED))]),
    "two of them among text": (
        [b"hello", *INDENTED, b"", *INDENTED],
        [range(1, 1 + len(INDENTED)), range(2 + len(INDENTED), 2 + 2 * len(INDENTED))],
    ),
    "a newline in a string": (TORN, [range(2)]),
    "an indented message whose scalars were taken for messages": ([b"{", b'"a": [', b"]", b"}"], [range(4)]),
    "braces that are never closed": ([b"{"] * 3, []),
    "several lines that are no message": ([b'{"a":', b"1}"], []),
}


@pytest.mark.parametrize(("lines", "expected"), CASES.values(), ids=CASES)
def test_messages_over_several_lines_are_found(lines: list[bytes], expected: list[range]) -> None:
    assert spread(lines) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (HEADED, "Content-Length headers, the framing of the Language Server Protocol"),
        (INDENTED, "messages spread over several lines"),
        ([b"Server started"], None),
    ],
)
def test_the_cause_is_named_where_it_shows(lines: list[bytes], expected: str | None) -> None:
    assert explain(lines) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ('{"jsonrpc":"2.0","method":"é"}'.encode("latin-1"), True),
        ('{"jsonrpc":"2.0","method":"é"}'.encode(), True),
        (b'{"level":"info"}', False),
        (b"\xff\xfe\xfa", False),
    ],
)
def test_a_message_is_known_in_any_encoding(data: bytes, expected: bool) -> None:
    assert carries_message(data) is expected
