"""What a check can conclude, and the exceptions by which it says so."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from mcprove.spec.catalogue import Level

if TYPE_CHECKING:
    from mcprove.exchange import Exchange


class Verdict(StrEnum):
    """The outcome of one check in one lane."""

    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    WARN = "warn"
    INFO = "info"
    NOT_APPLICABLE = "n/a"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"


# What a violation of a rule of each level means.
SEVERITY = {
    Level.MUST: Verdict.FAIL,
    Level.MUST_NOT: Verdict.FAIL,
    Level.SHOULD: Verdict.WARN,
    Level.SHOULD_NOT: Verdict.WARN,
    Level.MAY: Verdict.INFO,
}


class Violation(AssertionError):  # noqa: N818
    """The target departed from the rule that is being judged."""

    def __init__(self, expected: str, actual: str, exchange: Exchange | None = None, *, mild: bool = False) -> None:
        """Take what the rule asks for, what came instead, and the exchange that shows it.

        A ``mild`` violation warns at most, whatever the level of its requirement.
        """
        super().__init__(f"expected {expected}; got {actual}")
        self.expected = expected
        self.actual = actual
        self.exchange = exchange
        self.mild = mild

    def verdict(self, level: Level) -> Verdict:
        """Return what this violation means for a rule of a level."""
        severity = SEVERITY[level]
        return Verdict.WARN if self.mild and severity is Verdict.FAIL else severity


class NotApplicable(Exception):  # noqa: N818
    """The target does not offer what the rule is about."""


class Inconclusive(Exception):  # noqa: N818
    """The rule applies, but what would show it could not be brought about."""


class TargetError(Exception):
    """The target does not start or speaks no revision judged here; one message says all."""


class UsageError(Exception):
    """The user's input is wrong; the message names what and where."""
