"""The faults that the reference server can be started with: one module an area of the catalogue.

A fault replaces one or a few methods of the server, each by a function of the original method, the object and
the arguments::

    Fault(
        id="tools.order-alternates",
        breaks=("tools.deterministic-order",),
        says="Each list of tools is the reverse of the one before.",
        patch={"order": lambda original, self, tools: list(reversed(original(tools)))},
    )

To add one, put a row into the module of its area; a new module is found by itself.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from mcprove_reference.faults.base import Fault, FaultError, index

if TYPE_CHECKING:
    from collections.abc import Mapping

AREAS = tuple(module.name for module in iter_modules(__path__) if module.name != "base")
ALL: Mapping[str, Fault] = index(
    fault for area in sorted(AREAS) for fault in import_module(f"{__name__}.{area}").FAULTS
)

__all__ = ["ALL", "AREAS", "Fault", "FaultError", "index"]
