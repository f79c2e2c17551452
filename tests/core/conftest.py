"""Feeding a decoder in every way in which bytes can arrive."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Delivery = Callable[["Decoder", bytes, bytes], list[Any]]


class Decoder(Protocol):
    """What takes bytes as they come and returns what they complete."""

    def feed(self, data: bytes) -> list[Any]:
        """Return what the data completes."""


def whole(decoder: Decoder, data: bytes, trailing: bytes) -> list[Any]:
    return decoder.feed(data)


def byte_by_byte(decoder: Decoder, data: bytes, trailing: bytes) -> list[Any]:
    assert decoder.feed(b"") == []
    return [item for byte in data for item in decoder.feed(bytes([byte])) + decoder.feed(b"")]


def with_trailing_data(decoder: Decoder, data: bytes, trailing: bytes) -> list[Any]:
    *items, _ = decoder.feed(data + trailing)
    return items


@pytest.fixture(params=[whole, byte_by_byte, with_trailing_data], ids=lambda way: way.__name__)
def deliver(request: pytest.FixtureRequest) -> Delivery:
    """Return a function that feeds data and gives what came out; the trailing data completes one thing more."""
    way: Delivery = request.param
    return way


@pytest.fixture(scope="session")
def cut() -> Callable[[bytes, Iterable[int]], list[bytes]]:
    """Return a function that cuts data at the given places, wherever they are."""

    def pieces(data: bytes, places: Iterable[int]) -> list[bytes]:
        bounds = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
        return [data[start:end] for start, end in pairwise(bounds)]

    return pieces
