from __future__ import annotations

import copy
import pickle
import sys
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcprove.core import jsonrpc
from mcprove.core.jsonrpc import MISSING, OMIT, Kind, NotJson, parse
from mcprove_fixtures import content, load

VALID = load("jsonrpc/valid.jsonl")
DEFECTS = load("jsonrpc/defects.jsonl")
NOT_JSON = load("jsonrpc/not_json.jsonl")

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(), values, max_size=4),
    max_leaves=20,
)
PROPERTIES = ("method", "params", "result", "error", "error_code", "error_message", "error_data")


def name(case: dict[str, Any]) -> str:
    return str(case["case"])


@pytest.mark.parametrize("case", VALID, ids=name)
def test_a_valid_message_has_no_defect(case: dict[str, Any]) -> None:
    message = parse(content(case, "message"))
    assert (message.kind, message.defects) == (Kind(case["kind"]), ())


@pytest.mark.parametrize("case", DEFECTS, ids=name)
def test_every_defect_is_found_and_nothing_else(case: dict[str, Any]) -> None:
    message = parse(content(case, "message"))
    found = [[defect.rule, defect.pointer, defect.detail] for defect in message.defects]
    assert (message.kind, found) == (Kind(case["kind"]), case["defects"])


@pytest.mark.parametrize("case", NOT_JSON, ids=name)
def test_what_is_not_json_is_refused_with_a_reason_and_a_place(case: dict[str, Any]) -> None:
    with pytest.raises(NotJson) as caught:
        parse(content(case, "message"))
    assert (caught.value.reason, caught.value.offset) == (case["reason"], case["offset"])
    place = "" if case["offset"] is None else f" (byte {case['offset']})"
    assert str(caught.value) == f"{case['reason']}{place}"


@pytest.mark.parametrize("case", [*VALID, *DEFECTS], ids=name)
def test_a_message_keeps_its_bytes(case: dict[str, Any]) -> None:
    assert parse(content(case, "message")).raw == content(case, "message")


@pytest.mark.parametrize("case", VALID, ids=name)
def test_no_message_can_be_cut_short_anywhere(case: dict[str, Any]) -> None:
    data = content(case, "message").rstrip()
    for end in range(len(data)):
        with pytest.raises(NotJson):
            parse(data[:end])


@pytest.mark.parametrize("case", VALID, ids=name)
def test_white_space_may_trail_and_nothing_else(case: dict[str, Any]) -> None:
    data = content(case, "message")
    assert parse(data).value == parse(data + b" \r\n\t").value
    with pytest.raises(NotJson, match="extra data"):
        parse(data + data)


@given(VALUES, st.sampled_from([Kind.RESULT, Kind.REQUEST]))
def test_what_is_dumped_is_what_is_parsed(value: Any, kind: Kind) -> None:
    built = {
        Kind.RESULT: jsonrpc.result(1, {"value": value}),
        Kind.REQUEST: jsonrpc.request("a", "tools/call", {"value": value}),
    }[kind]
    data = jsonrpc.dump(built)
    message = parse(data)
    assert b"\n" not in data
    assert b"\r" not in data
    assert (message.value, message.kind, message.defects) == (built, kind, ())


@given(
    st.binary() | st.lists(st.sampled_from([b"{", b"}", b"[", b"]", b'"id"', b":", b",", b"1", b"null"])).map(b"".join)
)
def test_any_bytes_are_a_message_or_not_json(data: bytes) -> None:
    try:
        place = len(parse(data).raw)
    except NotJson as fault:
        place = fault.offset or 0
    assert 0 <= place <= len(data)


@pytest.mark.parametrize("pair", [("[", "]"), ('{"a":', "}")], ids=["arrays", "objects"])
def test_nesting_is_let_pass_up_to_the_limit(pair: tuple[str, str]) -> None:
    def nested(depth: int) -> bytes:
        return (pair[0] * (depth - 1) + "[]" + pair[1] * (depth - 1)).encode()

    parse(nested(128))
    parse(nested(3), max_depth=3)
    with pytest.raises(NotJson, match="nested deeper than 128 levels"):
        parse(nested(129))
    with pytest.raises(NotJson, match="nested deeper than 3 levels"):
        parse(nested(4), max_depth=3)
    with pytest.raises(NotJson, match="nested"):
        parse(nested(200_000))


def test_a_scalar_has_no_depth() -> None:
    assert parse(b'"hello"', max_depth=0).kind is Kind.OTHER


def test_a_number_beyond_a_double_reads_as_the_largest() -> None:
    digits = "9" * 5000
    message = parse(f'{{"result":[1e999,-1e999,{digits},-{digits}]}}'.encode())
    largest = sys.float_info.max
    assert message.result == [largest, -largest, largest, -largest]
    assert message.value == parse(jsonrpc.dump(message.value)).value


def test_repeated_keys_are_told_up_to_a_limit() -> None:
    message = parse(b"[" + b",".join([b'{"a":1,"a":2,"b":1,"b":2}'] * 11) + b"]")
    found = [defect.pointer for defect in message.defects if defect.rule == "duplicate-key"]
    assert found == [f"/{index}/{key}" for index in range(10) for key in "ab"]


def test_a_long_key_is_not_copied_for_all_that_it_holds() -> None:
    key = "k" * 1_000_000
    tracemalloc.start()
    try:
        message = parse(f'{{"{key}":[{",".join(["[]"] * 300)}],"a":1,"a":2}}'.encode())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [defect.pointer for defect in message.defects if defect.rule == "duplicate-key"] == ["/a"]
    assert peak < 50_000_000


def test_the_last_of_equal_keys_wins() -> None:
    message = parse(b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}')
    assert message.id == 2


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_lacks_is_not_dumped(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        jsonrpc.dump({"a": number})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": [1, "世\u2028"]}, '{"a":[1,"世\u2028"]}'.encode()),
        ("a\r\nb", b'"a\\r\\nb"'),
        ("\ud800", b'"\\ud800"'),
    ],
)
def test_a_dump_is_compact_and_escapes_only_what_it_must(value: object, expected: bytes) -> None:
    assert jsonrpc.dump(value) == expected


@pytest.mark.parametrize("data", [b"[]", b"null", b"1", b'"a"', b"{}", b'{"method":1}', b'{"error":[]}'])
def test_properties_read_any_message_without_fail(data: bytes) -> None:
    message = parse(data)
    found = {getattr(message, name) for name in PROPERTIES if name != "error"}
    assert (found, message.id, message.has_id) == ({None}, MISSING, False)


def test_properties_read_a_request() -> None:
    message = parse(b'{"jsonrpc":"2.0","id":null,"method":"ping","params":[1]}')
    assert (message.id, message.has_id, message.method, message.params) == (None, True, "ping", [1])


def test_properties_read_an_error() -> None:
    message = parse(b'{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"m","data":{"x":2}}}')
    assert (message.error_code, message.error_message, message.error_data) == (1, "m", {"x": 2})
    assert message.error == {"code": 1, "message": "m", "data": {"x": 2}}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"id":1,"result":{}}', True),
        (b'{"id":1,"error":{}}', True),
        (b"[]", True),
        (b'{"id":1,"method":"ping"}', False),
        (b'{"method":"ping"}', False),
        (b"{}", False),
    ],
)
def test_what_can_be_an_answer_is_a_response(data: bytes, expected: bool) -> None:
    assert parse(data).is_response == expected


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (jsonrpc.request(1, "ping"), {"jsonrpc": "2.0", "id": 1, "method": "ping"}),
        (jsonrpc.request(None, "ping", None), {"jsonrpc": "2.0", "id": None, "method": "ping", "params": None}),
        (jsonrpc.request(OMIT, "ping", {}), {"jsonrpc": "2.0", "method": "ping", "params": {}}),
        (jsonrpc.notification("a/b"), {"jsonrpc": "2.0", "method": "a/b"}),
        (jsonrpc.notification("a/b", {"c": 1}), {"jsonrpc": "2.0", "method": "a/b", "params": {"c": 1}}),
        (jsonrpc.result("a", {}), {"jsonrpc": "2.0", "id": "a", "result": {}}),
        (jsonrpc.error(1, 2, "m"), {"jsonrpc": "2.0", "id": 1, "error": {"code": 2, "message": "m"}}),
        (jsonrpc.error(OMIT, 2, "m"), {"jsonrpc": "2.0", "error": {"code": 2, "message": "m"}}),
        (
            jsonrpc.error(None, 2, "m", None),
            {"jsonrpc": "2.0", "id": None, "error": {"code": 2, "message": "m", "data": None}},
        ),
    ],
)
def test_a_message_is_built_of_what_is_given(built: object, expected: object) -> None:
    assert built == expected


@pytest.mark.parametrize("marker", [MISSING, OMIT], ids=repr)
def test_a_marker_stays_itself_when_copied(marker: object) -> None:
    assert copy.deepcopy(marker) is marker
    assert pickle.loads(pickle.dumps(marker)) is marker


def test_markers_say_what_they_are() -> None:
    assert [repr(MISSING), repr(OMIT)] == ["MISSING", "OMIT"]
