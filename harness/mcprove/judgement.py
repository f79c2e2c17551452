"""One verdict as plain data: what JSON carries between processes, into reports and onto the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcprove.text import show
from mcprove.verdict import Inconclusive, NotApplicable, TargetError, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from mcprove.exchange import Exchange
    from mcprove.lane import Lane
    from mcprove.spec.catalogue import Requirement

SHOWN_MESSAGES = 6


def begin(rule: Requirement, lane: Lane, check: str) -> dict[str, Any]:
    """Return the judgement of a check that has not concluded yet.

    Keys: ``requirement``, ``level``, ``says``, ``link``, ``lane``, ``check`` (node id), ``verdict`` (None so far),
    ``expected``, ``actual``, ``exchange`` (lines), ``repeat`` (a shell command).
    """
    return {
        "requirement": rule.id,
        "level": str(rule.level_at(lane.revision)),
        "says": rule.says,
        "link": rule.link(lane.revision),
        "lane": str(lane),
        "check": check,
        "verdict": None,
        "expected": None,
        "actual": None,
        "exchange": [],
        "repeat": None,
    }


def conclude(judgement: dict[str, Any], conclusion: Exception, redact: Callable[[str], str]) -> bool:
    """Fill in what a check raised; return whether it was a conclusion at all and no error of the tester."""
    if isinstance(conclusion, Violation):
        from mcprove.spec.catalogue import Level

        exchange = conclusion.exchange
        judgement["verdict"] = str(conclusion.verdict(Level(judgement["level"])))
        judgement["expected"] = redact(conclusion.expected)
        judgement["actual"] = redact(conclusion.actual)
        judgement["exchange"] = [redact(line) for line in transcribe(exchange)] if exchange else []
        judgement["repeat"] = redact(exchange.repeat()) if exchange else None
        return True
    if isinstance(conclusion, NotApplicable | Inconclusive):
        verdict = Verdict.NOT_APPLICABLE if isinstance(conclusion, NotApplicable) else Verdict.INCONCLUSIVE
        judgement["verdict"] = str(verdict)
        judgement["actual"] = redact(show(str(conclusion)))
        return True
    return False


def break_off(
    judgement: dict[str, Any],
    raised: pytest.ExceptionInfo[BaseException] | None,
    redact: Callable[[str], str],
) -> None:
    """Fill in that the tester, or the target's start, broke."""
    error = raised.value if raised else None
    judgement["verdict"] = str(Verdict.ERROR)
    kind = "" if isinstance(error, TargetError) or error is None else f"{type(error).__name__}: "
    judgement["actual"] = redact(f"{kind}{error}")


def transcribe(exchange: Exchange) -> list[str]:
    """Return an exchange as lines: ``-->`` what was sent, ``<--`` what came."""
    lines = []
    if exchange.status is not None or exchange.sent_headers:
        named = ", ".join(f"{name}: {value}" for name, value in exchange.sent_headers.items())
        lines.append(f"--> {exchange.verb} {show(named, 400)}")
    if exchange.sent:
        lines.append(f"--> {show(exchange.sent, 600)}")
    if exchange.status is not None:
        lines.append(f"<-- HTTP {exchange.status} {show(exchange.headers.get('content-type', ''), 80)}".rstrip())
    lines += [f"<-- {show(message.raw, 600)}" for message in exchange.messages[:SHOWN_MESSAGES]]
    if len(exchange.messages) > SHOWN_MESSAGES:
        lines.append(f"<-- … {len(exchange.messages) - SHOWN_MESSAGES} more messages")
    if not exchange.messages:
        lines.append(f"<-- ({exchange.describe()})")
    return lines


def explain(judgement: dict[str, Any], lanes: list[str] | None = None) -> str:
    """Return a violation as text: rule, expectation, what came, the exchange, where it stands, how to repeat it."""
    title = f"{judgement['requirement']}  {judgement['level']}  {', '.join(lanes or [judgement['lane']])}"
    rows = [("rule", judgement["says"]), ("expected", judgement["expected"]), ("got", judgement["actual"])]
    rows += [("exchange" if not index else "", line) for index, line in enumerate(judgement["exchange"])]
    rows += [("spec", judgement["link"]), ("repeat", judgement["repeat"]), ("check", judgement["check"])]
    return "\n".join([title, *(f"  {name:<9} {text}" for name, text in rows if text)])
