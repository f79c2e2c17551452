"""The small commands around a run: list, explain, and what is said of mistakes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

KEYS = [
    *("id", "level", "role", "transport", "revisions", "says", "link", "needs"),
    *("checks", "faults", "unchecked", "sources"),
]


def call(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "mcprove.cli", *words], capture_output=True, text=True, check=False)


def test_list_gives_an_object_for_each_requirement() -> None:
    rules = json.loads(call("list", "--format", "json").stdout)
    assert all(list(rule) == KEYS for rule in rules)
    assert len({rule["id"] for rule in rules}) == len(rules)


def test_list_knows_the_level_of_each_revision_where_it_differs() -> None:
    rules = {rule["id"]: rule for rule in json.loads(call("list", "--format", "json").stdout)}
    assert rules["lifecycle.respect-negotiated-version"]["level"]["2024-11-05"] == "SHOULD"


@pytest.mark.parametrize(
    ("words", "fits"),
    [
        (["--role", "client"], lambda rule: rule["role"] in ("client", "both")),
        (["--revision", "2024-11-05"], lambda rule: "2024-11-05" in rule["revisions"]),
    ],
)
def test_list_selects(words: list[str], fits) -> None:
    rules = json.loads(call("list", "--format", "json", *words).stdout)
    assert rules
    assert all(fits(rule) for rule in rules)


def test_explain_shows_one_requirement_for_people() -> None:
    shown = call("explain", "version.unsupported-error-code").stdout
    assert shown.startswith("version.unsupported-error-code\n")
    assert "https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["explain", "no.such"], "there is no requirement 'no.such'"),
        (["fly"], "there is no command 'fly'"),
        (["list", "--role", "judge"], "invalid choice: 'judge'"),
    ],
)
def test_mistakes_are_usage_errors(words: list[str], said: str) -> None:
    ended = call(*words)
    assert ended.returncode == 4
    assert said in ended.stderr


@pytest.mark.parametrize(
    "words", [["--help"], ["run", "--help"], ["list", "--help"], ["serve", "--help"], ["--version"]]
)
def test_help_goes_to_standard_output(words: list[str]) -> None:
    ended = call(*words)
    assert ended.returncode == 0
    assert "mcprove" in ended.stdout
