"""Tiny servers, one for each way in which a target can be hostile or broken: ``python miniatures.py NAME``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

LEGACY = ("2025-11-25", "2025-06-18", "2024-11-05")


def answer(request: dict[str, object], result: object) -> None:
    """Write a result for a request."""
    write(json.dumps({"jsonrpc": "2.0", "id": request.get("id"), "result": result}, ensure_ascii=False))


def write(line: str) -> None:
    """Write one line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def initialize(request: dict[str, object]) -> None:
    """Agree to whatever legacy version is asked for."""
    asked = dict(request["params"])["protocolVersion"]  # type: ignore[call-overload]
    version = asked if asked in LEGACY else LEGACY[0]
    info = {"name": "miniature", "version": "1"}
    answer(request, {"protocolVersion": version, "capabilities": {}, "serverInfo": info})


def requests():  # type: ignore[no-untyped-def]
    """Yield every request that comes in."""
    for line in sys.stdin:
        message = json.loads(line)
        if isinstance(message, dict) and "id" in message and "method" in message:
            yield message


def serve(**replies: object) -> None:
    """Serve the handshake and ping, and call ``replies[method]`` for the rest."""
    for request in requests():
        method = str(request["method"])
        if method == "initialize":
            initialize(request)
        elif method == "ping":
            answer(request, {})
        elif method in replies:
            replies[method](request)  # type: ignore[operator]
        else:
            error = {"code": -32601, "message": "unknown"}
            write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}))


def healthy() -> None:
    """Keep the protocol, with no feature at all."""
    serve()


def exits() -> None:
    """End at once."""
    sys.stderr.write("cannot find its configuration\n")
    sys.exit(3)


def silent() -> None:
    """Read everything, answer nothing."""
    for _ in sys.stdin:
        pass


def mute_on_discover() -> None:
    """Speak the legacy lineage, and ignore a method from before the handshake."""
    serve(**{"server/discover": lambda request: None})


def dies_on_discover() -> None:
    """Speak the legacy lineage, and exit on anything before the handshake."""
    serve(**{"server/discover": lambda request: sys.exit(1), "tools/list": lambda request: sys.exit(1)})


def floods() -> None:
    """Write lines for ever."""
    while True:
        write('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}')


def endless_line() -> None:
    """Write 100 MB without a newline."""
    for _ in range(100):
        os.write(1, b"x" * 1_000_000)
    time.sleep(60)


def invalid_utf8() -> None:
    """Write bytes that are no text before anything else."""
    os.write(1, b"\xff\xfe\xfa\n")
    serve()


def closes_in_the_middle() -> None:
    """Begin an answer and exit."""
    sys.stdin.readline()
    os.write(1, b'{"jsonrpc":"2.0","id":')
    sys.exit(0)


def answers_late() -> None:
    """Answer the handshake, and everything else too late."""
    for request in requests():
        if request["method"] == "initialize":
            initialize(request)
        else:
            time.sleep(5)


def content_length() -> None:
    """Frame each answer as the Language Server Protocol does."""
    for request in requests():
        body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {}})
        os.write(1, f"Content-Length: {len(body)}\r\n\r\n{body}".encode())


def pretty_printed() -> None:
    """Spread each answer over several lines."""
    for request in requests():
        write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {}}, indent=2))


def grandchild() -> None:
    """Leave a child behind that holds the pipes, and tell its number."""
    child = subprocess.Popen(["sleep", "120"])
    if "CHILDREN" in os.environ:
        with Path(os.environ["CHILDREN"]).open("a", encoding="ascii") as told:
            told.write(f"{child.pid}\n")
    serve()


def tells_its_environment() -> None:
    """Answer ping with a secret from its environment instead of an empty result."""
    for request in requests():
        if request["method"] == "initialize":
            initialize(request)
        else:
            answer(request, {"token": os.environ["API_TOKEN"]})


def colourful() -> None:
    """Answer ping with escape sequences and characters that turn the direction of text."""
    for request in requests():
        if request["method"] == "initialize":
            initialize(request)
        else:
            answer(request, {"x": "\x1b[31mred\u202e"})


if __name__ == "__main__":
    globals()[sys.argv[1]]()
