"""Faults of the tools and of the lists."""

from typing import Any

from mcprove_reference.faults.base import Fault


def _other_way_round(original: Any, self: Any, tools: Any) -> list[Any]:
    self.turned = not getattr(self, "turned", True)
    return list(reversed(original(tools))) if self.turned else list(original(tools))


FAULTS = (
    Fault(
        id="tools.order-alternates",
        breaks=("tools.deterministic-order",),
        says="Each list of tools is the reverse of the one before.",
        patch={"order": _other_way_round},
    ),
    Fault(
        id="tools.arguments-not-checked",
        breaks=("tools.validates-inputs", "tools.input-validation-error"),
        says="A tool runs with arguments that its schema forbids.",
        patch={"arguments_defect": lambda _original, _self, _tool, _arguments: None},
    ),
)
