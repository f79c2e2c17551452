"""The server/discover request and its result."""

from __future__ import annotations

from mcprove import Exchange, Inconclusive, Json, NotApplicable, Probe, expect, requirement, show

# The capabilities that the protocol defines, with the flags that each may have.
CAPABILITIES = {
    "experimental": (),
    "extensions": (),
    "logging": (),
    "completions": (),
    "prompts": ("listChanged",),
    "resources": ("listChanged", "subscribe"),
    "tools": ("listChanged",),
}


@requirement("discover.implemented")
def test_answers_discover(modern: Probe) -> None:
    """The request without any parameters of its own is answered with a result."""
    modern.request("server/discover").expect_result()


@requirement("discover.versions-field")
def test_lists_versions(modern: Probe) -> None:
    """The result lists versions, at least one, as strings."""
    discovered = modern.request("server/discover")
    listed = discovered.given_result().get("supportedVersions")
    sound = isinstance(listed, list) and bool(listed) and all(isinstance(version, str) for version in listed)
    expect_field(sound, "an array of strings, not empty", discovered, "supportedVersions")


@requirement("discover.includes-used-version")
def test_lists_the_version_in_use(modern: Probe) -> None:
    """The version under which the server has answered this very request is listed."""
    discovered = modern.request("server/discover")
    listed = discovered.given_result().get("supportedVersions")
    if not isinstance(listed, list):
        raise Inconclusive(f"supportedVersions is no list: {show(listed)}")
    expect_field(modern.revision in listed, f"a list with {modern.revision}", discovered, "supportedVersions")


@requirement("discover.capabilities-field")
def test_has_capabilities(modern: Probe) -> None:
    """The result has capabilities, though perhaps none in it."""
    discovered = modern.request("server/discover")
    declared = discovered.given_result().get("capabilities")
    expect_field(isinstance(declared, dict), "an object", discovered, "capabilities")


@requirement("discover.capability-shapes")
def test_declares_capabilities_as_objects(modern: Probe) -> None:
    """Each capability that the protocol defines is an object; others may be anything."""
    discovered = modern.request("server/discover")
    for name, declared in known_capabilities(discovered).items():
        shown = f"{name}: {show(declared)}"
        expect(isinstance(declared, dict), f"the capability {name} is an object", discovered, actual=shown)


@requirement("discover.capability-shapes")
def test_declares_flags_as_booleans(modern: Probe) -> None:
    """The flags of a capability are true or false."""
    discovered = modern.request("server/discover")
    for name, declared in known_capabilities(discovered).items():
        flags = {flag: declared[flag] for flag in CAPABILITIES[name] if isinstance(declared, dict) and flag in declared}
        for flag, value in flags.items():
            shown = f"{name}.{flag}: {show(value)}"
            expect(isinstance(value, bool), f"{name}.{flag} is a boolean", discovered, actual=shown)


@requirement("discover.instructions-string")
def test_gives_instructions_as_text(modern: Probe) -> None:
    """Instructions may be left out."""
    discovered = modern.request("server/discover")
    if "instructions" not in discovered.given_result():
        raise NotApplicable("the server gives no instructions")
    expect_field(isinstance(discovered.given_result()["instructions"], str), "a string", discovered, "instructions")


def expect_field(met: bool, expected: str, discovered: Exchange, name: str) -> None:
    """Judge a member of the result."""
    found = discovered.given_result()
    actual = show(found[name]) if name in found else f"a result without {name}"
    expect(met, f"{expected} in {name}", discovered, actual=actual)


def known_capabilities(discovered: Exchange) -> dict[str, Json]:
    """Return the declared capabilities that the protocol defines."""
    declared = discovered.given_result().get("capabilities")
    known = {name: declared[name] for name in CAPABILITIES if name in declared} if isinstance(declared, dict) else {}
    if not known:
        raise NotApplicable("the server declares no capability that the protocol defines")
    return known
