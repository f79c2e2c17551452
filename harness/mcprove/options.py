"""The options of the pytest plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def declare(parser: pytest.Parser) -> None:
    """Declare the options that name a target and say how to judge it."""
    group = parser.getgroup("mcprove", "MCP conformance (mcprove)")
    group.addoption("--server-cmd", metavar="CMD", help="judge the MCP server that CMD starts, over stdio")
    group.addoption("--server-url", metavar="URL", help="judge the MCP server at URL, over Streamable HTTP")
    group.addoption("--server-launch", metavar="CMD", help="start CMD and wait until the port of --server-url is open; "
                    "{port} in both is replaced by a free port")  # fmt: skip
    group.addoption("--server-header", metavar="'K: V'", action="append", default=[], help="send this header to "
                    "--server-url; ${VAR} in it comes from the environment and never shows (repeatable)")  # fmt: skip
    group.addoption("--server-env", metavar="K=V", action="append", default=[], help="give the target's process this "
                    "variable; ${VAR} in it comes from the environment and never shows (repeatable)")  # fmt: skip
    group.addoption("--server-cwd", metavar="DIR", help="start the target's process in DIR")
    group.addoption("--allow-tool", metavar="NAME", action="append", default=[], help="let checks call this tool, "
                    "though it is neither marked read-only nor a diagnostic one (repeatable)")  # fmt: skip
    group.addoption("--fault", metavar="ID", help="judge the reference server with this fault")
    group.addoption("--lane", metavar="LANE", action="append", default=[], help="judge this lane only, such as "
                    "stdio-2025-11-25 (repeatable)")  # fmt: skip
    group.addoption(
        "--mcprove-timeout", metavar="S", type=float, default=10.0, help="seconds to wait for an answer (10)"
    )
    group.addoption("--mcprove-start-timeout", metavar="S", type=float, default=30.0, help="seconds to wait for the "
                    "target to start (30)")  # fmt: skip
    group.addoption("--mcprove-strict", action="store_true", help="let warnings fail the run")
    group.addoption("--mcprove-report", metavar="FILE", help="write every verdict to FILE, a JSON line each")
