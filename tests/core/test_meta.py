from __future__ import annotations

import pytest

from mcprove.core import meta

KEYS = [value for name, value in vars(meta).items() if name.isupper() and not name.startswith("_") and name != "PREFIX"]


@pytest.mark.parametrize(
    "key",
    [
        *KEYS,
        "progressToken",
        "traceparent",
        "a",
        "7",
        "a.b_c-d",
        "a--b",
        "com.example/key",
        "com.example/",
        "x/y",
        "a1.b-2.c/9",
        "",
    ],
)
def test_a_key_that_keeps_the_grammar_has_no_defect(key: str) -> None:
    assert meta.key_defect(key) is None


def test_every_defined_key_has_the_prefix() -> None:
    assert len(KEYS) == 6
    assert all(key.startswith("io.modelcontextprotocol/") for key in KEYS)


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("/key", ""),
        ("com..example/key", ""),
        (".com/key", ""),
        ("com./key", ""),
        ("1com/key", "1com"),
        ("-com/key", "-com"),
        ("com-/key", "com-"),
        ("com.exa_mple/key", "exa_mple"),
        ("com example/key", "com example"),
        ("cöm/key", "cöm"),
        ("com\n/key", "com\n"),
        ("https://example.com/key", "https:"),
    ],
)
def test_a_bad_label_is_named(key: str, label: str) -> None:
    expected = f"the label {label!r} is not letters, digits and inner hyphens after a first letter"
    assert meta.key_defect(key) == expected


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("_a", "_a"),
        ("a_", "a_"),
        ("-", "-"),
        ("a b", "a b"),
        ("a:b", "a:b"),
        ("ä", "ä"),
        ("a\n", "a\n"),
        ("com.example/.a", ".a"),
        ("com.example/a/b", "a/b"),
        ("$schema", "$schema"),
    ],
)
def test_a_bad_name_is_named(key: str, name: str) -> None:
    expected = f"the name {name!r} is not letters, digits and inner hyphens, underscores and dots"
    assert meta.key_defect(key) == expected
