"""The catalogue as a list: for people, and as JSON with the checks and faults of each requirement."""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcprove.spec.catalogue import Requirement, catalogue
from mcprove.spec.revisions import Revision

if TYPE_CHECKING:
    from collections.abc import Mapping


def select(role: str | None, revision: str | None) -> list[Requirement]:
    """Return the requirements of a role and a revision; all when neither is given."""
    return [
        rule
        for rule in catalogue().values()
        if role in (None, rule.role) or rule.role == "both"
        if revision is None or Revision(revision) in rule.revisions
    ]


@cache
def checks() -> Mapping[str, list[str]]:
    """Return the node ids of the checks of each requirement, read from the text of the suites without running them."""
    import mcprove_suites

    root = Path(mcprove_suites.__path__[0])
    found: dict[str, list[str]] = {}
    for path in sorted(root.rglob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (rule := _bound(node)):
                found.setdefault(rule, []).append(f"{path.relative_to(root).as_posix()}::{node.name}")
    return found


def _bound(function: ast.FunctionDef) -> str | None:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "requirement":
            return str(ast.literal_eval(decorator.args[0]))
    return None


@cache
def faults() -> Mapping[str, list[str]]:
    """Return the ids of the faults that break each requirement."""
    from mcprove_reference.faults import ALL

    found: dict[str, list[str]] = {}
    for fault in ALL.values():
        for rule in fault.breaks:
            found.setdefault(rule, []).append(fault.id)
    return found


def as_data(rule: Requirement) -> dict[str, Any]:
    """Return a requirement as plain data, the level by revision where it differs."""
    levels = {str(revision): str(rule.level_at(revision)) for revision in rule.revisions}
    return {
        "id": rule.id,
        "level": str(rule.level) if len(set(levels.values())) == 1 else levels,
        "role": rule.role,
        "transport": rule.transport,
        "revisions": [str(revision) for revision in rule.revisions],
        "says": rule.says,
        "link": rule.link(),
        "needs": rule.needs,
        "checks": checks().get(rule.id, []),
        "faults": faults().get(rule.id, []),
        "unchecked": rule.unchecked,
        "sources": list(rule.sources),
    }


def as_json(rules: list[Requirement]) -> str:
    """Return requirements as a JSON array."""
    return json.dumps([as_data(rule) for rule in rules], indent=2, ensure_ascii=False)


def as_text(rules: list[Requirement]) -> str:
    """Return requirements as aligned lines: whether it is checked, level, id, wording."""
    width = max((len(rule.id) for rule in rules), default=0)
    lines = [
        f"{'✓' if checks().get(rule.id) else ' '} {rule.level:<10} {rule.id:<{width}}  {rule.says}" for rule in rules
    ]
    checked = sum(bool(checks().get(rule.id)) for rule in rules)
    return "\n".join([*lines, f"{len(rules)} requirements, {checked} with a check"])


def as_page(rule: Requirement) -> str:
    """Return all that is known of a requirement, for people."""
    data = as_data(rule)
    level = data["level"] if isinstance(data["level"], str) else ", ".join(f"{r} {v}" for r, v in data["level"].items())
    rows = [
        ("level", level),
        ("role", data["role"]),
        ("transport", data["transport"]),
        ("revisions", ", ".join(data["revisions"])),
        ("needs", data["needs"]),
        ("spec", data["link"]),
        ("unchecked", data["unchecked"]),
        *(("check", check) for check in data["checks"]),
        *(("fault", fault) for fault in data["faults"]),
        *(("source", source) for source in data["sources"]),
    ]
    return "\n".join([rule.id, f"  {rule.says}", *(f"  {name:<9}  {value}" for name, value in rows if value)])
