"""The ``mcprove`` command: a thin front on pytest, and small ways to look at the catalogue."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RUN_USAGE = "mcprove run [URL | -- CMD ARG…] [options]"
RUN_HELP = f"""usage: {RUN_USAGE}

Judge an MCP server; the reference server when none is named.

  URL                    the server at this address, over Streamable HTTP
  -- CMD ARG…            the server that this command starts, over stdio
  --server-cmd CMD       the same, as one string
  --server-url URL       the same as URL
  --server-launch CMD    start CMD and wait until the port of the URL is open;
                         {{port}} in both is replaced by a free port
  --server-header 'K: V' send this header; ${{VAR}} comes from the environment and never shows
  --server-env K=V       give the started process this variable; ${{VAR}} as above
  --server-cwd DIR       start the process in DIR
  --fault ID             the reference server with this fault
  --allow-tool NAME      let checks call this tool, though it is neither marked
                         read-only nor a diagnostic one (repeatable)
  --lane LANE            this lane only, such as stdio-2025-11-25 (repeatable)
  --mcprove-timeout S    seconds to wait for an answer (10)
  --mcprove-strict       let warnings fail the run
  --mcprove-report FILE  write every verdict to FILE, a JSON line each

Every other option goes to pytest: -n 2, -k WORD, --junitxml FILE, -x, …
Exit status: 0 no violation, 1 violations, 4 usage, 5 nothing could be judged."""

USAGE = """usage: mcprove COMMAND …

  run        judge a server
  list       show the requirements
  explain    show one requirement and what checks it
  serve      run the reference server
  connect    run the reference client
  --version  show the version

mcprove COMMAND --help tells more."""


# What keeps a run apart from any pytest configuration that lies around, and light: no check asserts, none is random.
APART = (
    *("-c", os.devnull, "--noconftest", "--import-mode=importlib", "--assert=plain"),
    *("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-o", "console_output_style=classic"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    command, rest = (words[0], words[1:]) if words else ("--help", [])
    if command in ("--help", "-h"):
        print(USAGE)
        return 0
    if command == "--version":
        from mcprove import __version__

        print(f"mcprove {__version__}")
        return 0
    if command not in COMMANDS:
        print(f"mcprove: there is no command {command!r}\n\n{USAGE}", file=sys.stderr)
        return 4
    try:
        return COMMANDS[command](rest)
    except BrokenPipeError:
        # Whoever reads the output has seen enough; Python would complain once more when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def run(words: list[str]) -> int:
    """Judge a server through pytest, apart from any configuration that lies around."""
    import pytest

    from mcprove.session import FRONT, suites_folder

    if words and words[0] in ("--help", "-h"):
        print(RUN_HELP)
        return 0
    options = _options(words)
    if options is None:
        print(f"mcprove run: name the target once\nusage: {RUN_USAGE}", file=sys.stderr)
        return 4
    suites = suites_folder()
    return int(pytest.main([*APART, "--rootdir", str(suites), "-q", "-p", FRONT, *options, str(suites)]))


def _options(words: list[str]) -> list[str] | None:
    """Turn ``URL`` and ``-- CMD ARG…`` into options; None when the target is named twice."""
    import shlex

    command: list[str] = []
    if "--" in words:
        cut = words.index("--")
        words, command = words[:cut], words[cut + 1 :]
    urls = [word for word in words if word.startswith(("http://", "https://")) and not _is_value(words, word)]
    rest = [word for word in words if word not in urls]
    if len(urls) + bool(command) > 1:
        return None
    named = [f"--server-url={url}" for url in urls]
    return [*named, *([f"--server-cmd={shlex.join(command)}"] if command else []), *rest]


def _is_value(words: list[str], word: str) -> bool:
    before = words[words.index(word) - 1] if words.index(word) else ""
    return before.startswith("-") and "=" not in before


def show_list(words: list[str]) -> int:
    """Show the requirements."""
    from mcprove.listing import as_json, as_text, select

    parser = argparse.ArgumentParser("mcprove list", description="Show the requirements, and what checks them.")
    parser.add_argument("--role", choices=["server", "client"])
    parser.add_argument("--revision", choices=_revisions())
    parser.add_argument("--format", choices=["text", "json"], default="text")
    options = _parse(parser, words)
    chosen = select(options.role, options.revision)
    print(as_json(chosen) if options.format == "json" else as_text(chosen))
    return 0


def explain(words: list[str]) -> int:
    """Show one requirement."""
    from mcprove.listing import as_page
    from mcprove.spec.catalogue import catalogue

    parser = argparse.ArgumentParser("mcprove explain", description="Show one requirement, and what checks it.")
    parser.add_argument("id", metavar="ID")
    options = _parse(parser, words)
    rule = catalogue().get(options.id)
    if rule is None:
        print(
            f"mcprove explain: there is no requirement {options.id!r}; mcprove list shows them all",
            file=sys.stderr,
        )
        return 4
    print(as_page(rule))
    return 0


def serve(words: list[str]) -> int:
    """Run the reference server."""
    from mcprove_reference.serve import main as serve_main

    return serve_main(words)


def connect(words: list[str]) -> int:
    """Run the reference client."""
    from mcprove_reference.connect import main as connect_main

    return connect_main(words)


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "run": run,
    "list": show_list,
    "explain": explain,
    "serve": serve,
    "connect": connect,
}


def _revisions() -> list[str]:
    from mcprove.spec.revisions import Revision

    return [str(revision) for revision in Revision]


def _parse(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    try:
        return parser.parse_args(words)
    except SystemExit as stop:
        # argparse leaves with 2 on a mistake; the usage status of this tool is 4.
        raise SystemExit(4 if stop.code else 0) from None


if __name__ == "__main__":
    sys.exit(main())
