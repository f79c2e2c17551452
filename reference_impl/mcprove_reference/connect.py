"""``python -m mcprove_reference connect``: the reference client, started on a command or a URL."""

from __future__ import annotations

import argparse
import shlex
import sys
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import anyio

from mcprove.core import jsonrpc
from mcprove_reference import client_drive
from mcprove_reference.client import PATIENCE, Client
from mcprove_reference.client_steps import Unusable
from mcprove_reference.client_tools import Visit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcprove_reference.client_drive import Driver
    from mcprove_reference.client_steps import Outgoing

USAGE_ERROR = 4


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: {message}\n")


def main(argv: Sequence[str]) -> int:
    """Visit a server and tell what was found; return 0, 1 if it could not be used, 4 for a wrong use."""
    parser = _build_parser()
    options = parser.parse_args(argv)
    if options.arguments is not None and options.tool is None:
        parser.error("--arguments goes with --tool")
    client = Client(patience=options.timeout, over_http=options.server_url is not None)
    visit = Visit(client, options.tool, options.arguments)
    driver = _choose_driver(client, options.server_cmd, options.server_url)
    try:
        report = anyio.run(partial(client_drive.run, visit.talk(), driver, _note))
    except Unusable as problem:
        _note(f"mcprove_reference connect: {problem}")
        return 1
    print("\n".join(report.lines()))  # noqa: T201 - what was asked for
    return 0


def _build_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="mcprove_reference connect", description="The reference client.")
    server = parser.add_mutually_exclusive_group(required=True)
    server.add_argument("--server-cmd", metavar="CMD", type=_command, help="the command that starts the server")
    server.add_argument("--server-url", metavar="URL", help="the MCP endpoint of the server")
    parser.add_argument("--tool", metavar="NAME", help="the tool to call (the first that needs no arguments)")
    parser.add_argument("--arguments", metavar="JSON", type=_json_object, help="the arguments of --tool")
    parser.add_argument(
        "--timeout", metavar="S", type=_seconds, default=PATIENCE, help="seconds for an answer (%(default)g)"
    )
    return parser


def _command(text: str) -> list[str]:
    words = shlex.split(text)
    if not words:
        raise ValueError("empty")
    return words


def _json_object(text: str) -> Outgoing:
    value = jsonrpc.parse(text.encode()).value
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError("not a span of time")
    return value


# Each driver is imported on demand, so that a server on stdio is reached without the HTTP library.
def _choose_driver(client: Client, command: Sequence[str] | None, url: str | None) -> Driver:
    if command is not None:
        from mcprove_reference.client_stdio import StdioDriver

        return StdioDriver(client, command)
    from mcprove_reference.client_http import HttpDriver

    assert url is not None
    return HttpDriver(client, url)


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - progress
