"""How the names of headers were spelled, which ASGI does not tell: for a server that minds it, against the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request


def headers_of(request: Request) -> Mapping[str, str]:
    """Return the headers of a request: as they were spelled if the protocol kept that, else found in any case."""
    state = request.scope.get("state") or {}
    kept: Mapping[str, str] = state.get("spelled", request.headers)
    return kept


class SpellingProtocol(H11Protocol):
    """Keeps the headers as they came in the state of each request."""

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
        own = dict(app_state)
        super().__init__(config, server_state, own, _loop)
        self.conn = _Spelling(own)


class _Spelling(h11.Connection):
    def __init__(self, state: dict[str, Any]) -> None:
        super().__init__(h11.SERVER)
        self._state = state

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            items = event.headers.raw_items()
            self._state["spelled"] = {name.decode("ascii"): value.decode("latin-1") for name, value in items}
        return event
