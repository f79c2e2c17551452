"""The reference server over stdio, but one that turns to the legacy lineage when a message looks legacy, for good."""

from __future__ import annotations

import sys

from mcprove.core import jsonrpc
from mcprove.core.meta import CLIENT_CAPABILITIES, PROTOCOL_VERSION
from mcprove.spec.revisions import LEGACY, Lineage
from mcprove_reference.server import Server
from mcprove_reference.stdio import StdioFront


def looks_modern(line: bytes) -> bool:
    """Return whether a line carries the metadata of a modern request, or is no message at all."""
    try:
        message = jsonrpc.parse(line)
    except jsonrpc.NotJson:
        return True
    params = message.params if isinstance(message.params, dict) else {}
    metadata = params.get("_meta") if isinstance(params.get("_meta"), dict) else {}
    return CLIENT_CAPABILITIES in metadata and metadata.get(PROTOCOL_VERSION) not in {None, *LEGACY}


def main() -> None:
    """Serve until the end of input."""
    front = StdioFront(Server(None))
    for line in sys.stdin.buffer:
        if not looks_modern(line):
            front.server = Server(Lineage.LEGACY)
        front.write(sys.stdout.buffer, *(front.encode(message) for message in front.answer(line)))


main()
