from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcprove.core.headers import HeaderFault, decode_value, encode_value, name_of

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))

ENCODED = {
    "plain": ("eu-west", "eu-west"),
    "empty": ("", ""),
    "a space inside": ("a b", "a b"),
    "every visible character": ("".join(map(chr, range(0x21, 0x7F))), "".join(map(chr, range(0x21, 0x7F)))),
    "beyond ASCII": ("Grüße", "=?base64?R3LDvMOfZQ==?="),
    "a space before": (" a", "=?base64?IGE=?="),
    "a space after": ("a ", "=?base64?YSA=?="),
    "only a space": (" ", "=?base64?IA==?="),
    "a tab": ("a\tb", "=?base64?YQli?="),
    "a line end": ("a\r\nb", "=?base64?YQ0KYg==?="),
    "a line end after": ("a\n", "=?base64?YQo=?="),
    "NUL": ("\0", "=?base64?AA==?="),
    "DEL": ("\x7f", "=?base64?fw==?="),
    "what looks like the sentinel": ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
    "the markers with nothing between": ("=?base64??=", "=?base64?PT9iYXNlNjQ/Pz0=?="),
    "markers that share a question mark": ("=?base64?=", "=?base64?PT9iYXNlNjQ/PQ==?="),
    "the sentinel in capitals": ("=?BASE64?YQ==?=", "=?BASE64?YQ==?="),
    "an opening alone": ("=?base64?YQ==", "=?base64?YQ=="),
}


@pytest.mark.parametrize(("text", "value"), ENCODED.values(), ids=ENCODED)
def test_a_text_has_one_encoding_that_decodes_to_it(text: str, value: str) -> None:
    assert encode_value(text) == value
    assert decode_value(value) == text


@given(TEXTS)
def test_any_text_survives_the_journey(text: str) -> None:
    value = encode_value(text)
    assert value.isascii()
    assert value.isprintable()
    assert decode_value(f" \t{value}\t ") == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?base64?YQ==?=", "a"),
        ("=?base64??=", ""),
        ("=?base64?=", "=?base64?="),
        ("=?Base64?YQ==?=", "=?Base64?YQ==?="),
        ("=?base64?YQ==?= ", "a"),
        ("=?base64?YQ==?=x", "=?base64?YQ==?=x"),
        ("=?utf-8?B?YQ==?=", "=?utf-8?B?YQ==?="),
        ("a\tb", "a\tb"),
    ],
)
def test_only_the_exact_sentinel_is_decoded(value: str, text: str) -> None:
    assert decode_value(value) == text


@pytest.mark.parametrize(
    "payload", ["YQ", "YQ=", "YQ===", "Y", "YWJj=", "Y Q==", "Y-_=", "!!!!", "YQ==YQ==", "=", "a?=", "%59Q=="]
)
def test_a_payload_that_is_not_padded_base64_is_a_fault(payload: str) -> None:
    with pytest.raises(HeaderFault, match="is not padded standard Base64"):
        decode_value(f"=?base64?{payload}?=")


def test_a_lone_surrogate_travels_in_no_header() -> None:
    with pytest.raises(HeaderFault, match=r"the lone surrogate '\\ud800' has no UTF-8"):
        encode_value("a\ud800")


@pytest.mark.parametrize("payload", ["/w==", "5Lg=", "7aCA"])
def test_a_payload_that_is_not_utf_8_is_a_fault(payload: str) -> None:
    with pytest.raises(HeaderFault, match="is not Base64 of UTF-8"):
        decode_value(f"=?base64?{payload}?=")


@pytest.mark.parametrize("value", ["é", "a\x00b", "a\nb", "\x7f", "=?base64?é?=", "\xa0a", "a\r"])
def test_an_illegal_character_is_a_fault(value: str) -> None:
    with pytest.raises(HeaderFault, match="is illegal in a header value"):
        decode_value(value)


def test_a_fault_names_the_character_in_ascii() -> None:
    with pytest.raises(HeaderFault, match=r"'\\u4e16' is illegal"):
        decode_value("世")


@pytest.mark.parametrize(
    ("method", "params", "expected"),
    [
        ("tools/call", {"name": "add", "uri": "x:y"}, "add"),
        ("prompts/get", {"name": "greet"}, "greet"),
        ("resources/read", {"uri": "file:///a", "name": "a"}, "file:///a"),
        ("tools/call", {"name": ""}, ""),
        ("tools/call", {"uri": "x:y"}, None),
        ("tools/call", {"name": 5}, None),
        ("tools/call", None, None),
        ("tools/call", ["name"], None),
        ("tools/list", {"name": "add"}, None),
        ("completion/complete", {"name": "add"}, None),
    ],
)
def test_the_name_of_a_request_is_what_the_method_says(method: str, params: object, expected: str | None) -> None:
    assert name_of(method, params) == expected
