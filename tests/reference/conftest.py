"""A conversation with a server of its own, without any I/O."""

import json
from typing import Any

import pytest

from mcprove.core import meta
from mcprove_reference.exchange import Session
from mcprove_reference.server import Server

META = {meta.PROTOCOL_VERSION: "2026-07-28", meta.CLIENT_CAPABILITIES: {}}


class Peer:
    """Sends messages to a server of its own and hears what it answers."""

    def __init__(self) -> None:
        self.server = Server()
        self.session = Session()

    def send(self, message: Any) -> list[dict[str, Any]]:
        """Send a message, or bytes as they are, and return all that is answered."""
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.server.receive(data, self.session)

    def ask(self, method: str, params: Any = None, request_id: Any = 1) -> dict[str, Any]:
        """Send a request and return its response."""
        request = {"jsonrpc": "2.0", "id": request_id, "method": method}
        *_, response = self.send(request if params is None else {**request, "params": params})
        return response

    def modern(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a modern request and return its response."""
        return self.ask(method, {"_meta": META, **params})

    def initialize(self, version: str = "2025-11-25") -> dict[str, Any]:
        """Open a legacy conversation and return the response."""
        hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
        return self.ask("initialize", hello)


@pytest.fixture
def peer() -> Peer:
    return Peer()


@pytest.fixture
def other_peer() -> Peer:
    return Peer()
