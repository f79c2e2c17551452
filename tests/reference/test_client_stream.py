import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcprove_reference.client_stream import AnswerStream

ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'
STREAMS = {
    "LF": b"data: " + ANSWER + b"\n\n",
    "CRLF": b"data: " + ANSWER + b"\r\n\r\n",
    "CR": b"data: " + ANSWER + b"\r\r",
    "mixed ends": b"event: message\rdata: " + ANSWER + b"\r\n\n",
    "no space": b"data:" + ANSWER + b"\n\n",
    "BOM": b"\xef\xbb\xbfdata: " + ANSWER + b"\n\n",
    "event type": b"event: message\ndata: " + ANSWER + b"\n\n",
    "comment": b": keep-alive\n\n:\r\ndata: " + ANSWER + b"\n\n",
    "several data lines": b'data: {"jsonrpc":"2.0",\ndata: "id":1,\ndata: "result":{}}\n\n',
    "priming event": b"id: 1\nretry: 1500\ndata:\n\nid: 2\ndata: " + ANSWER + b"\n\n",
    "retry alone": b"retry: 1500\n\ndata: " + ANSWER + b"\n\n",
    "other type": b"event: ping\ndata: ping\n\ndata: " + ANSWER + b"\n\n",
    "other JSON": b'data: {"type":"heartbeat"}\n\ndata: ' + ANSWER + b"\n\n",
    "no JSON": b"data: hello\n\ndata: " + ANSWER + b"\n\n",
    "unknown field": b"colour: red\ndata: " + ANSWER + b"\n\n",
    "notification first": b'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\ndata: ' + ANSWER + b"\n\n",
}


@pytest.mark.parametrize("text", STREAMS.values(), ids=STREAMS.keys())
def test_the_response_is_found_in_every_legal_form(text: bytes) -> None:
    *_, last = AnswerStream().feed(text + b":\n")
    assert (last.id, last.result) == (1, {})


@given(st.sampled_from(sorted(STREAMS)), st.data())
def test_the_response_is_found_however_the_stream_is_cut(name: str, data: st.DataObject) -> None:
    text = STREAMS[name] + b":\n"
    cut = data.draw(st.integers(0, len(text)))
    stream = AnswerStream()
    *_, last = [*stream.feed(text[:cut]), *stream.feed(text[cut:])]
    assert (last.id, last.result) == (1, {})


def test_the_id_and_the_delay_are_kept_for_a_resumption() -> None:
    stream = AnswerStream()
    stream.feed(b"id: a\nretry: 1500\ndata:\n\n")
    assert (stream.last_event_id, stream.retry) == ("a", 1.5)


def test_what_a_lost_connection_left_unfinished_is_forgotten() -> None:
    stream = AnswerStream()
    assert stream.feed(b'id: a\ndata: {}\n\ndata: {"half') != []
    stream.reconnect()
    (message,) = stream.feed(b"data: " + ANSWER + b"\n\n")
    assert message.id == 1
    assert stream.last_event_id == "a"
