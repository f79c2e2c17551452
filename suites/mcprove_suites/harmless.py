"""Which tools may be called: none that could change anything, unless the user says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcprove import Json, Probe

# Diagnostic tools that many servers have for testers; those that ask the client for something are left out.
WELL_KNOWN = {
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_resource_link",
    "test_multiple_content_types",
    "test_structured_content",
    "test_tool_with_logging",
    "test_tool_with_progress",
    "test_error_handling",
    "test_echo",
}

Tool = dict[str, "Json"]


def is_harmless(probe: Probe, tool: Tool) -> bool:
    """Return whether a tool is known to change nothing: by its annotations, as a diagnostic one, or by the user."""
    name, hints = tool.get("name"), tool.get("annotations")
    said = isinstance(hints, dict) and hints.get("readOnlyHint") is True
    return isinstance(name, str) and (said or name in WELL_KNOWN or name in probe.allowed_tools)


def is_plain(probe: Probe, tool: Tool) -> bool:
    """Return whether a tool is harmless and takes no arguments."""
    schema = tool.get("inputSchema")
    return is_harmless(probe, tool) and isinstance(schema, dict) and not schema.get("properties")
