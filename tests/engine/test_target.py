"""What the user says about a target, and what becomes of it."""

from __future__ import annotations

import sys

import pytest

from mcprove.target import Options, resolve
from mcprove.verdict import UsageError

RUN = sys.executable


def test_nothing_said_is_the_reference_server_over_both_transports() -> None:
    target = resolve(Options())
    assert target.stdio is not None
    assert target.http is not None
    assert target.http.launch is not None


def test_a_command_is_split_as_a_shell_would() -> None:
    target = resolve(Options(f"{RUN} 'a b' c"))
    assert target.stdio is not None
    assert target.stdio.argv == (RUN, "a b", "c")
    assert target.http is None


def test_a_free_port_is_put_into_url_and_launch() -> None:
    target = resolve(Options(url="http://127.0.0.1:{port}/mcp", launch=f"{RUN} serve.py {{port}}"))
    assert target.http is not None
    assert target.http.launch is not None
    assert target.http.url == f"http://127.0.0.1:{target.http.launch.argv[-1]}/mcp"


def test_a_variable_is_filled_in_and_redacted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", 's3"cret')
    target = resolve(Options(url="http://x/mcp", headers=["Authorization: Bearer ${TOKEN}"]))
    assert target.http is not None
    assert target.http.headers == {"Authorization": 'Bearer s3"cret'}
    assert target.http.shown_headers == {"Authorization": "Bearer ${TOKEN}"}
    assert target.redact('it is s3"cret or "s3\\"cret"') == 'it is ${TOKEN} or "${TOKEN}"'


@pytest.mark.parametrize("name", ["Authorization", "X-Api-Key", "Cookie"])
def test_a_header_that_is_a_secret_by_its_name_never_shows(name: str) -> None:
    target = resolve(Options(url="http://x/mcp", headers=[f"{name}: abcdef"]))
    assert target.http is not None
    assert target.http.shown_headers == {name: f"<{name}>"}
    assert target.redact("abcdef") == f"<{name}>"


def test_the_environment_of_the_process_is_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME_OF_DATA", "/data")
    target = resolve(Options(RUN, env=["DATA=${HOME_OF_DATA}/x", "PLAIN=y"]))
    assert target.stdio is not None
    assert target.stdio.env == {"DATA": "/data/x", "PLAIN": "y"}


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (Options("''"), "there is no command ''"),
        (Options("   "), "the command is empty"),
        (Options(url="http://"), "not an http or https address"),
        (Options(url="http://x:notaport/"), "not an http or https address"),
        (Options(RUN, headers=["A: b"]), "go with --server-url"),
        (Options(url="http://x", headers=["A: \x01"]), "characters that no header may have"),
        (Options(url="http://x", headers=["A b: c"]), "not of the form 'Name: value'"),
        (Options(RUN, fault="x"), "only the reference server has faults"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_option(said: Options, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        resolve(said)
