"""Caching hints: which results have them, and what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import Exchange, Inconclusive, NotApplicable, Probe, expect, requirement, show
from mcprove.spec.methods import METHODS
from mcprove_suites.listed import heard
from mcprove_suites.walks import pages_of, walks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcprove import Json

HINTS = ("ttlMs", "cacheScope")
CACHEABLE = sorted({row.name for row in METHODS if row.cacheable})


@requirement("cache.hints-discover")
def test_hints_on_discover(modern: Probe) -> None:
    """The answer to server/discover has both hints."""
    expect_hints([modern.request("server/discover")])


@requirement("cache.hints-tools-list")
def test_hints_on_tools(modern: Probe) -> None:
    """Every page of the tools has both hints."""
    expect_hints(pages(modern, "tools", "tools/list"))


@requirement("cache.hints-prompts-list")
def test_hints_on_prompts(modern: Probe) -> None:
    """Every page of the prompts has both hints."""
    expect_hints(pages(modern, "prompts", "prompts/list"))


@requirement("cache.hints-resources-list")
def test_hints_on_resources(modern: Probe) -> None:
    """Every page of the resources has both hints."""
    expect_hints(pages(modern, "resources", "resources/list"))


@requirement("cache.hints-templates-list")
def test_hints_on_templates(modern: Probe) -> None:
    """Every page of the templates has both hints; whether each server with resources has templates is left open."""
    modern.need("resources")
    if "resources/templates/list" not in walks(modern):
        raise NotApplicable("the server does not serve resources/templates/list")
    expect_hints(pages(modern, "resources", "resources/templates/list"))


@requirement("cache.hints-resources-read")
def test_hints_on_a_resource(modern: Probe) -> None:
    """What is read from the first resource has both hints."""
    listed = pages(modern, "resources", "resources/list")[0].given_result().get("resources")
    uris = (
        [entry["uri"] for entry in listed if isinstance(entry, dict) and "uri" in entry]
        if isinstance(listed, list)
        else []
    )
    if not uris:
        raise NotApplicable("the server lists no resource")
    expect_hints([modern.request("resources/read", {"uri": uris[0]})])


@requirement("cache.ttl-integer", last=True)
def test_counts_whole_milliseconds(modern: Probe) -> None:
    """A number without a fraction, however it is written."""
    for shown, ttl in hinted(modern, "ttlMs"):
        whole = type(ttl) is int or (isinstance(ttl, float) and ttl.is_integer())
        expect(whole, "a whole number in ttlMs", shown, actual=f"ttlMs {show(ttl)}")


@requirement("cache.ttl-nonnegative", last=True)
def test_counts_from_zero(modern: Probe) -> None:
    """The time is not over before it has begun."""
    for shown, ttl in hinted(modern, "ttlMs"):
        negative = isinstance(ttl, int | float) and ttl < 0
        expect(not negative, "zero or more in ttlMs", shown, actual=f"ttlMs {show(ttl)}")


@requirement("cache.scope-values", last=True)
def test_names_a_known_scope(modern: Probe) -> None:
    """One of two words."""
    for shown, scope in hinted(modern, "cacheScope"):
        expect(scope in ("public", "private"), "public or private in cacheScope", shown, actual=show(scope))


@requirement("cache.same-scope-all-pages")
def test_keeps_the_scope_on_all_pages(modern: Probe) -> None:
    """All pages of a list say the same."""
    for walked in pages_of(modern):
        scopes = [page.given_result().get("cacheScope") for page in walked.pages]
        for page, scope in zip(walked.pages, scopes, strict=True):
            expect(scope == scopes[0], f"cacheScope {show(scopes[0])}, as on the first page", page, actual=show(scope))


def pages(modern: Probe, feature: str, method: str) -> list[Exchange]:
    """Return the pages of a list."""
    modern.need(feature)
    if method not in walks(modern):
        raise Inconclusive(f"{method} was not answered with a result")
    return [page for page in walks(modern)[method].pages if page.result is not None]


def expect_hints(answers: Iterable[Exchange]) -> None:
    """Ask for both hints on complete results."""
    for answer in answers:
        result = answer.given_result()
        missing = [name for name in HINTS if name not in result]
        complete = result.get("resultType", "complete") == "complete"
        expect(
            not complete or not missing, f"both {' and '.join(HINTS)}", answer, actual=f"no {' and no '.join(missing)}"
        )


def hinted(modern: Probe, name: str) -> list[tuple[Exchange, Json]]:
    """Return each value of a hint that was heard on a result that can be cached."""
    results = [found for method in CACHEABLE for found in heard(modern, method)]
    values = [(shown, result[name]) for shown, result in results if name in result]
    if not values:
        raise Inconclusive(f"no result with {name} was heard")
    return values
