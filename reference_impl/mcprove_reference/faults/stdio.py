"""Faults of the framing on stdio."""

import json

from mcprove_reference.faults.base import Fault

FAULTS = (
    Fault(
        id="stdio.pretty-printed",
        breaks=("stdio.one-message-per-line", "stdio.no-embedded-newlines"),
        says="Messages are indented and so take several lines.",
        patch={"encode": lambda _original, _self, message: json.dumps(message, indent=1).encode() + b"\n"},
        transport="stdio",
    ),
)
