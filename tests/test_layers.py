"""Imports point one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import mcprove
import mcprove_reference
import mcprove_reports
import mcprove_suites

OURS = ("mcprove", "mcprove_suites", "mcprove_fixtures", "mcprove_reference", "mcprove_reports")
ROOTS = {
    package.__name__: Path(package.__path__[0])
    for package in (mcprove, mcprove_suites, mcprove_reference, mcprove_reports)
}
PUBLIC = {"mcprove", "mcprove.core", "mcprove.spec"}


def imports(path: Path) -> set[str]:
    """Return the modules of ours that a file imports, wherever in it."""
    tree = ast.parse(path.read_text("utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name for name in names if name.partition(".")[0] in OURS}


def layer(folder: Path) -> set[str]:
    return {name for path in folder.rglob("*.py") for name in imports(path)}


def below(names: set[str], *allowed: str) -> set[str]:
    """Return the names that are in none of the allowed packages."""
    return {name for name in names if not any(name == top or name.startswith(f"{top}.") for top in allowed)}


def test_core_imports_nothing_of_ours_but_itself() -> None:
    assert below(layer(ROOTS["mcprove"] / "core"), "mcprove.core") == set()


def test_spec_imports_core_only() -> None:
    assert below(layer(ROOTS["mcprove"] / "spec"), "mcprove.core", "mcprove.spec") == set()


def test_suites_import_public_names_only() -> None:
    foreign = below(layer(ROOTS["mcprove_suites"]), "mcprove.core", "mcprove.spec", "mcprove_suites")
    assert foreign <= {"mcprove"}


def test_the_reference_pair_imports_core_and_spec_only() -> None:
    assert below(layer(ROOTS["mcprove_reference"]), "mcprove.core", "mcprove.spec", "mcprove_reference") == set()


def test_reports_import_nothing_of_the_engine() -> None:
    assert below(layer(ROOTS["mcprove_reports"]), "mcprove_reports") == set()


@pytest.mark.parametrize("package", ["mcprove_suites", "mcprove_reports"])
def test_the_engine_loads_the_outer_layers_late(package: str) -> None:
    files = [path for path in ROOTS["mcprove"].rglob("*.py") if _at_top(path, package)]
    assert files == []


def _at_top(path: Path, package: str) -> bool:
    body = ast.parse(path.read_text("utf-8")).body
    return any(isinstance(node, ast.ImportFrom) and str(node.module).startswith(package) for node in body)


def test_the_plugin_costs_an_unrelated_run_no_import() -> None:
    code = "import sys, pytest; b = set(sys.modules); import mcprove.plugin; print(*sorted(set(sys.modules) - b))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == ["mcprove", "mcprove.options", "mcprove.plugin", "mcprove.session"]
