"""The catalogue, the checks and the faults fit together."""

from __future__ import annotations

import re

import pytest

from mcprove.listing import checks, faults
from mcprove.spec.catalogue import CatalogueError, Level, catalogue, read_area
from mcprove.spec.revisions import Revision
from mcprove_reference.faults import ALL

SLUG = re.compile(r"[a-z0-9]+(\.[a-z0-9]+(-[a-z0-9]+)*)+")


SOURCE = re.compile(rf"(modern|legacy):{SLUG.pattern}")


def test_ids_are_stable_slugs() -> None:
    assert [rule for rule in catalogue() if not SLUG.fullmatch(rule)] == []


def test_a_source_names_a_lineage_and_an_entry() -> None:
    sources = {source for rule in catalogue().values() for source in rule.sources}
    assert [source for source in sources if not SOURCE.fullmatch(source)] == []


def test_no_requirement_names_a_source_twice() -> None:
    assert [rule.id for rule in catalogue().values() if len(set(rule.sources)) < len(rule.sources)] == []


def test_every_requirement_is_checked_or_says_why_not() -> None:
    silent = [rule.id for rule in catalogue().values() if not rule.unchecked and rule.id not in checks()]
    assert silent == []


def test_no_requirement_is_checked_and_says_that_it_is_not() -> None:
    assert [rule.id for rule in catalogue().values() if rule.unchecked and rule.id in checks()] == []


def test_every_check_is_proved_by_a_fault() -> None:
    assert sorted(set(checks()) - set(faults())) == []


def test_every_fault_breaks_requirements_that_are_checked() -> None:
    assert sorted({rule for fault in ALL.values() for rule in fault.breaks} - set(checks())) == []


def test_a_requirement_says_one_sentence() -> None:
    assert [rule.id for rule in catalogue().values() if not rule.says.endswith(".") or "\n" in rule.says] == []


def test_a_level_may_differ_by_revision() -> None:
    rule = catalogue()["lifecycle.respect-negotiated-version"]
    assert rule.level_at(Revision.R2024_11_05) is Level.SHOULD
    assert rule.level_at(Revision.R2025_11_25) is Level.MUST


def test_a_link_leads_to_the_page_of_the_revision() -> None:
    rule = catalogue()["version.unsupported-error-code"]
    assert rule.link() == f"https://modelcontextprotocol.io/specification/2026-07-28/{rule.page}"


GOOD = """
[rule]
level = "MUST"
role = "server"
transport = "any"
revisions = ["2026-07-28"]
page = "basic"
says = "A sentence."
sources = ["modern:x.y"]
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('level = "MUST"', 'level = "OUGHT"'),
        ('level = "MUST"', ""),
        ('role = "server"', 'role = "judge"'),
        ('transport = "any"', 'transport = "pigeon"'),
        ('revisions = ["2026-07-28"]', 'revisions = ["2025-03-26"]'),
        ('revisions = ["2026-07-28"]', "revisions = []"),
        ('page = "basic"', 'page = "basic"\ncolour = "red"'),
        ('sources = ["modern:x.y"]', "sources = []"),
    ],
)
def test_a_mistake_in_the_catalogue_names_the_requirement(old: str, new: str) -> None:
    with pytest.raises(CatalogueError, match=r"area\.rule"):
        read_area("area", GOOD.replace(old, new))
