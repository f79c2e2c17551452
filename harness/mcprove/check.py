"""How a test function becomes a check: it is bound to the requirement that it judges."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from mcprove.spec.revisions import Lineage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mcprove.lane import Lane
    from mcprove.spec.catalogue import Requirement

Function = TypeVar("Function", bound="Callable[..., object]")

# A check asks for its probe under one of these names, and thereby says in which lineage it runs.
LINEAGES = {"server": None, "modern": Lineage.MODERN, "legacy": Lineage.LEGACY}


@dataclass(frozen=True, slots=True)
class Check:
    """What a test function judges: a requirement, over one transport only where said, ``last`` after all others."""

    requirement: str
    probe: str
    transport: str | None
    last: bool

    def lanes(self, rule: Requirement, spoken: Iterable[Lane]) -> list[Lane]:
        """Return those of the spoken lanes in which the check runs."""
        lineage = LINEAGES[self.probe]
        return [
            lane
            for lane in spoken
            if lane.hosts(rule) and lineage in (None, lane.lineage) and self.transport in (None, lane.transport)
        ]


def requirement(rule_id: str, *, transport: str | None = None, last: bool = False) -> Callable[[Function], Function]:
    """Bind a test function to the requirement that it judges.

    Level, revisions and wording come from the catalogue. The function takes one probe, as ``server`` (both
    lineages), ``modern`` or ``legacy``. A check that is ``last`` judges everything that was heard in its lane.
    """

    def bind(function: Function) -> Function:
        probe = next(name for name in inspect.signature(function).parameters if name in LINEAGES)
        function.mcprove_check = Check(rule_id, probe, transport, last)  # type: ignore[attr-defined]
        return function

    return bind
