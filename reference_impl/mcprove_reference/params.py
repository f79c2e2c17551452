"""What the params of each method hold: the members that the server looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Shape = tuple[tuple[str, type, bool], ...]
"""Name of a member, its Python type, and whether it is required."""

LIST: Shape = (("cursor", str, False),)

SHAPES: Mapping[str, Shape] = {
    "initialize": (("protocolVersion", str, True), ("capabilities", dict, True), ("clientInfo", dict, True)),
    "tools/list": LIST,
    "tools/call": (("name", str, True), ("arguments", dict, False)),
    "resources/list": LIST,
    "resources/templates/list": LIST,
    "resources/read": (("uri", str, True),),
    "prompts/list": LIST,
    "prompts/get": (("name", str, True), ("arguments", dict, False)),
}
