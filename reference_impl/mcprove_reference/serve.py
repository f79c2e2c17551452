"""``python -m mcprove_reference serve``: the reference server on stdio, or on HTTP with ``--http``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, NoReturn

from mcprove.spec.revisions import Lineage
from mcprove_reference.server import Server
from mcprove_reference.stdio import StdioFront

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcprove_reference.faults import Fault

USAGE_ERROR = 4


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: {message}\n")


def main(argv: Sequence[str]) -> int:
    """Serve until the end of input or a signal and return the exit status; 4 for a wrong use."""
    options = _parser().parse_args(argv)
    if options.list_faults:
        return _list_faults(options.format)
    try:
        fault = _find_fault(options.fault, "stdio" if options.http is None else "http")
    except LookupError as problem:
        print(f"mcprove_reference serve: {problem.args[0]}", file=sys.stderr)  # noqa: T201 - a usage message
        return USAGE_ERROR
    lineage = _lineage(options.lineage, fault)
    if options.http is None:
        return _serve_stdio(lineage, fault)
    from mcprove_reference import serve_http

    return serve_http.run(options.http, options.answers, lineage, fault)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="mcprove_reference serve", description="The reference server.")
    parser.add_argument("--http", metavar="PORT", type=int, help="serve Streamable HTTP (0 picks a port)")
    parser.add_argument("--answers", choices=("json", "sse"), default="json", help="how HTTP answers a request")
    parser.add_argument("--lineage", choices=[lineage.value for lineage in Lineage], help="speak one lineage only")
    parser.add_argument("--fault", metavar="ID", help="break one rule")
    parser.add_argument("--list-faults", action="store_true", help="list the faults and stop")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="of --list-faults")
    return parser


def _lineage(chosen: str | None, fault: Fault | None) -> Lineage | None:
    name = (fault.options.get("lineage") if fault else None) or chosen
    return Lineage(name) if name else None


def _serve_stdio(lineage: Lineage | None, fault: Fault | None) -> int:
    server = Server(lineage)
    front = StdioFront(server)
    if fault is not None:
        fault.apply((*server.parts(), front))
    try:
        front.run(sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()
    return 0


# The faults are imported on demand, so that the server starts fast without them.
def _find_fault(name: str | None, transport: str) -> Fault | None:
    if name is None:
        return None
    from mcprove_reference import faults

    fault = faults.ALL.get(name)
    if fault is None:
        raise LookupError(f"unknown fault: {name} (--list-faults names them)")
    if fault.transport not in {"any", transport}:
        raise LookupError(f"fault {name} shows only on {fault.transport}")
    return fault


def _list_faults(style: str) -> int:
    from mcprove_reference import faults

    rows = [fault.row() for fault in faults.ALL.values()]
    lines = [f"{row['id']}: {row['says']} [{', '.join(row['breaks'])}]" for row in rows]
    print(json.dumps(rows, indent=2) if style == "json" else "\n".join(lines))  # noqa: T201 - what was asked for
    return 0
