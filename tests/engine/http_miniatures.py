"""Tiny HTTP servers, one for each way in which an endpoint can be odd, broken or hostile: ``… NAME PORT``."""

from __future__ import annotations

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

LEGACY = ("2025-11-25", "2025-06-18", "2024-11-05")


class Miniature(BaseHTTPRequestHandler):
    """Speaks the legacy lineage without sessions and without any feature; subclasses depart from that."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *words: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        """Answer one message."""
        message = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        if not isinstance(message, dict) or "id" not in message:
            self.reply(202, "", b"")
        else:
            self.answer(message)

    def answer(self, request: dict[str, object]) -> None:
        """Answer one request."""
        self.reply_json(self.response_to(request))

    def response_to(self, request: dict[str, object]) -> dict[str, object]:
        """Return the response that is due."""
        known = {"initialize": self.agree, "ping": lambda _: {}}
        serve = known.get(str(request["method"]))
        if serve is None:
            return {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "unknown"}}
        return {"jsonrpc": "2.0", "id": request["id"], "result": serve(request)}

    def agree(self, request: dict[str, object]) -> dict[str, object]:
        """Return the result of ``initialize``."""
        asked = request["params"]["protocolVersion"]  # type: ignore[index]
        version = asked if asked in LEGACY else LEGACY[0]
        return {"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "miniature", "version": "1"}}

    def reply_json(self, value: object) -> None:
        """Send JSON."""
        self.reply(200, "application/json", json.dumps(value).encode())

    def reply(self, status: int, content_type: str, body: bytes, **headers: str) -> None:
        """Send a whole response."""
        self.send_response(status)
        for name, value in {"Content-Type": content_type, "Content-Length": str(len(body)), **headers}.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def stream(self, *chunks: bytes) -> None:
        """Send the beginning of an event stream, and leave it open."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for chunk in chunks:
            self.wfile.write(chunk)
            self.wfile.flush()


class Healthy(Miniature):
    """Keeps the protocol."""


class Redirects(Miniature):
    """Lives behind a redirect to another path of the same origin."""

    def do_POST(self) -> None:
        """Send whoever comes to the first path to the second."""
        if self.path == "/mcp/":
            super().do_POST()
        else:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.reply(307, "", b"", Location="/mcp/")


class RefusesAnOldHeader(Miniature):
    """Speaks 2024-11-05, but does not take the header that this revision does not have."""

    def do_POST(self) -> None:
        """Refuse by the header alone."""
        if self.headers.get("MCP-Protocol-Version") == "2024-11-05":
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.reply(400, "text/plain", b"unsupported version")
        else:
            super().do_POST()


class ExplainsInJson(Miniature):
    """Refuses other verbs by a status, and says why in JSON that is no message."""

    def do_GET(self) -> None:
        """Refuse."""
        self.reply(405, "application/json", b'{"status_code": 405, "detail": "Method Not Allowed"}')

    do_DELETE = do_GET  # noqa: N815 - the name is the base class's


class OneAtATime(Miniature):
    """Serves one connection until that is closed, and only then the next."""


class RedirectsAway(Miniature):
    """Sends everybody to another origin."""

    def do_POST(self) -> None:
        """Point elsewhere."""
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.reply(307, "", b"", Location="http://127.0.0.1:9/mcp")


class Streams(Miniature):
    """Answers by an event stream with every legal oddity in it."""

    def answer(self, request: dict[str, object]) -> None:
        """Send comments, a priming event and line ends of each kind around the response."""
        body = json.dumps(self.response_to(request)).encode()
        self.stream(b": hello\r\rid: 1\ndata:\n\n", b"event: message\r\ndata: " + body[:9], body[9:] + b"\r\n\r\n")


class PrimesByHeader(Miniature):
    """Opens streams by an event with an id only for clients whose version header tells that they know of it."""

    def answer(self, request: dict[str, object]) -> None:
        """Take a request without the header for one of an older client."""
        knows = self.headers.get("MCP-Protocol-Version") == "2025-11-25"
        prime = b"id: 1\ndata:\n\n" if knows else b""
        self.stream(prime, b"data: " + json.dumps(self.response_to(request)).encode() + b"\n\n")


class LeavesStreamsOpen(Miniature):
    """Answers by an event stream that it never ends."""

    def answer(self, request: dict[str, object]) -> None:
        """Send the response and wait."""
        self.stream(b"data: " + json.dumps(self.response_to(request)).encode() + b"\n\n")
        time.sleep(30)


class EndlessBody(Miniature):
    """Answers by a body without end."""

    def answer(self, request: dict[str, object]) -> None:
        """Write for ever."""
        self.stream()
        while True:
            self.wfile.write(b"x" * 1_000_000)


class ClosesInTheMiddle(Miniature):
    """Ends the connection within a body."""

    def answer(self, request: dict[str, object]) -> None:
        """Promise more than comes."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"jsonrpc"')
        self.close_connection = True


class Silent(Miniature):
    """Accepts connections, answers nothing."""

    def do_POST(self) -> None:
        """Wait."""
        time.sleep(60)


if __name__ == "__main__":
    kind = HTTPServer if sys.argv[1] == "OneAtATime" else ThreadingHTTPServer
    kind(("127.0.0.1", int(sys.argv[2])), globals()[sys.argv[1]]).serve_forever()
