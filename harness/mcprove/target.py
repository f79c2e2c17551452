"""What is under test: a command, a URL, or the reference server."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mcprove.text import Redactor
from mcprove.verdict import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_SENSITIVE = re.compile(r"authorization|cookie|token|key|secret|password", re.IGNORECASE)
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
REFERENCE = (sys.executable, "-m", "mcprove_reference", "serve")


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its environment (added to ours) and folder; ``display`` is safe to show."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    display: str = ""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A URL, the user's headers for it, and the command that serves it, if we are to start that."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    shown_headers: Mapping[str, str] = field(default_factory=dict)
    launch: Command | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A server under test: by command (stdio), by URL (HTTP), or both when both reach the same server."""

    stdio: Command | None
    http: Endpoint | None
    name: str
    secrets: Mapping[str, str] = field(default_factory=dict)

    @property
    def redact(self) -> Redactor:
        """What takes the user's secrets out of text."""
        return Redactor(self.secrets)

    def over(self, transports: Set[str]) -> Target:
        """Return the same target over some transports only."""
        return replace(
            self, stdio=self.stdio if "stdio" in transports else None, http=self.http if "http" in transports else None
        )

    def at(self, url: str) -> Target:
        """Return the same target with its URL already served there."""
        return replace(self, http=self.http and replace(self.http, url=url, launch=None))


@dataclass(frozen=True, slots=True)
class Options:
    """What the user said about the target, as it was said."""

    command: str | Sequence[str] | None = None
    url: str | None = None
    launch: str | None = None
    headers: Sequence[str] = ()
    env: Sequence[str] = ()
    cwd: str | None = None
    fault: str | None = None


def resolve(options: Options) -> Target:
    """Turn what the user said into a target; the reference server when nothing was said.

    Raises:
        UsageError: something said is not usable; the message names the option and what is wrong with it.

    """
    secrets: dict[str, str] = {}
    if not options.command and not options.url:
        _refuse_orphans(options)
        return _reference(options.fault)
    if options.fault:
        raise UsageError("--fault: only the reference server has faults; leave out --server-cmd and --server-url")
    env = _environment(options.env, secrets)
    cwd = _folder(options.cwd)
    stdio = _command("--server-cmd", options.command, env, cwd) if options.command else None
    http = _endpoint(options, env, cwd, secrets) if options.url else None
    if not http and (options.launch or options.headers):
        raise UsageError("--server-launch and --server-header go with --server-url")
    name = " and ".join(part for part in (stdio and stdio.display, http and http.url) if part)
    return Target(stdio, http, name, secrets)


def _refuse_orphans(options: Options) -> None:
    said = {"--server-launch": options.launch, "--server-header": options.headers, "--server-env": options.env,
            "--server-cwd": options.cwd}  # fmt: skip
    if orphans := [name for name, value in said.items() if value]:
        raise UsageError(f"{', '.join(orphans)}: there is no --server-cmd or --server-url to go with")


def _reference(fault: str | None) -> Target:
    transports: set[str] = set()
    if fault:
        from mcprove_reference.faults import ALL

        if fault not in ALL:
            raise UsageError(f"--fault: there is no fault {fault!r}; mcprove serve --list-faults shows them all")
        transports |= {ALL[fault].transport} - {"any"}
    extra = ("--fault", fault) if fault else ()
    shown = shlex.join(("mcprove", "serve", *extra))
    port = free_port()
    launch = Command((*REFERENCE, *extra, "--http", str(port)), display=f"{shown} --http {port}")
    endpoint = Endpoint(f"http://127.0.0.1:{port}/mcp", launch=launch)
    target = Target(Command((*REFERENCE, *extra), display=shown), endpoint, "the reference server")
    return target.over(transports) if transports else target


def _command(option: str, said: str | Sequence[str], env: Mapping[str, str], cwd: str | None) -> Command:
    try:
        argv = tuple(shlex.split(said)) if isinstance(said, str) else tuple(said)
    except ValueError as problem:
        raise UsageError(f"{option}: {problem}: {said}") from problem
    if not argv:
        raise UsageError(f"{option}: the command is empty")
    if not shutil.which(argv[0], path=env.get("PATH", os.environ.get("PATH"))) and not _runs_in(argv[0], cwd):
        raise UsageError(f"{option}: there is no command {argv[0]!r}")
    return Command(argv, env, cwd, shlex.join(argv))


def _runs_in(program: str, cwd: str | None) -> bool:
    return "/" in program and os.access(Path(cwd or ".") / program, os.X_OK)


def _endpoint(options: Options, env: Mapping[str, str], cwd: str | None, secrets: dict[str, str]) -> Endpoint:
    url, launched = options.url or "", options.launch
    if "{port}" in url or "{port}" in (launched or ""):
        port = str(free_port())
        url, launched = url.replace("{port}", port), launched and launched.replace("{port}", port)
    parts = urlsplit(url)
    try:
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(f"--server-url: not an http or https address: {options.url}")
    headers: dict[str, str] = {}
    shown: dict[str, str] = {}
    for line in options.headers:
        name, value, said = _header(line, secrets)
        headers[name], shown[name] = value, said
    launch = _command("--server-launch", launched, env, cwd) if launched else None
    return Endpoint(url, headers, shown, launch)


def _header(line: str, secrets: dict[str, str]) -> tuple[str, str, str]:
    name, colon, said = line.partition(":")
    name, said = name.strip(), said.strip()
    if not colon or not _HEADER_NAME.fullmatch(name):
        raise UsageError(f"--server-header: not of the form 'Name: value': {name!r}")
    value = expand("--server-header", said, secrets)
    if not value.isascii() or not value.isprintable():
        raise UsageError(f"--server-header: the value of {name} has characters that no header may have")
    if value == said and value and _SENSITIVE.search(name):
        secrets[value] = said = f"<{name}>"
    return name, value, said


def _environment(said: Sequence[str], secrets: dict[str, str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for line in said:
        name, equals, value = line.partition("=")
        if not equals or not name:
            raise UsageError(f"--server-env: not of the form NAME=value: {name!r}")
        pairs[name] = expand("--server-env", value, secrets)
        if pairs[name] == value and value and _SENSITIVE.search(name):
            secrets[value] = f"<{name}>"
    return pairs


def expand(option: str, text: str, secrets: dict[str, str]) -> str:
    """Put the environment's values in for ``${VAR}``, and note each as a secret.

    Raises:
        UsageError: a variable is not set.

    """

    def value_of(match: re.Match[str]) -> str:
        value = os.environ.get(match[1])
        if value is None:
            raise UsageError(f"{option}: the environment has no variable {match[1]}")
        if value:
            secrets[value] = match[0]
        return value

    return _VARIABLE.sub(value_of, text)


def _folder(said: str | None) -> str | None:
    if said and not Path(said).is_dir():
        raise UsageError(f"--server-cwd: there is no folder {said}")
    return said


def free_port() -> int:
    """Return a port of the loopback interface that nothing listens on now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
