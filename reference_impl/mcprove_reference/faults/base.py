"""What a fault is, and how a server is given one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from mcprove.spec.revisions import Revision

URL = "http://127.0.0.1:{port}/mcp"

Patch = Callable[..., Any]
"""``patch(original, self, *arguments)`` stands in for ``original(*arguments)``, a method of ``self``."""


class FaultError(ValueError):
    """A fault is written wrongly: its id is taken, or it patches what does not exist."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A deliberate violation."""

    id: str
    breaks: tuple[str, ...]
    """The requirements, by their ids in the catalogue."""
    says: str
    patch: Mapping[str, Patch] = field(default_factory=dict)
    """Name of a method to what replaces it."""
    transport: Literal["any", "stdio", "http"] = "any"
    revisions: tuple[Revision, ...] | None = None
    """Where the violation shows; None stands for every revision."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What the server is started with: ``lineage``, and over HTTP ``answers``, ``host`` and ``names``."""

    def row(self) -> dict[str, Any]:
        """Return the fault as plain data; ``run`` is a command that shows it, and fails unless only a MAY is broken."""
        return {
            "id": self.id,
            "breaks": list(self.breaks),
            "says": self.says,
            "transport": self.transport,
            "revisions": None if self.revisions is None else [str(revision) for revision in self.revisions],
            "run": self._command(),
        }

    def _command(self) -> str:
        serve = f"mcprove serve --fault {self.id}"
        if self.transport == "http":
            return f"mcprove run --mcprove-strict --server-url {URL} --server-launch '{serve} --http {{port}}'"
        return f"mcprove run --mcprove-strict --server-cmd '{serve}'"

    def apply(self, parts: Iterable[object]) -> None:
        """Give a server this fault: replace the methods that it names, each on the one part that has it.

        Raises:
            FaultError: no part has such a method, or several have.

        """
        parts = tuple(parts)
        for name, patch in self.patch.items():
            owners = [part for part in parts if callable(getattr(part, name, None))]
            if len(owners) != 1:
                raise FaultError(f"{self.id}: {len(owners)} parts of the server have a method {name}")
            setattr(owners[0], name, partial(patch, getattr(owners[0], name), owners[0]))


def index(faults: Iterable[Fault]) -> dict[str, Fault]:
    """Return the faults by id.

    Raises:
        FaultError: two have the same id.

    """
    known: dict[str, Fault] = {}
    for fault in faults:
        if fault.id in known:
            raise FaultError(f"two faults have the id {fault.id}")
        known[fault.id] = fault
    return known
