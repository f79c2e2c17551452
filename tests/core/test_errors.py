from __future__ import annotations

import pytest

from mcprove.core import errors


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (errors.METHOD_NOT_FOUND, "-32601 (method not found)"),
        (errors.UNSUPPORTED_PROTOCOL_VERSION, "-32022 (unsupported protocol version)"),
        (-32601.0, "-32601.0"),
        (7, "7"),
        ("-32601", "'-32601'"),
        (None, "None"),
        ([], "[]"),
    ],
)
def test_a_code_is_described_by_its_name_where_it_has_one(code: object, expected: str) -> None:
    assert errors.describe(code) == expected


def test_every_code_has_a_name() -> None:
    codes = {value for name, value in vars(errors).items() if name.isupper() and isinstance(value, int)}
    assert set(errors.NAMES) == codes
