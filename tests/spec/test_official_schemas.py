import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcprove.spec.revisions import Revision

FOLDER = os.environ.get("MCPROVE_OFFICIAL_SCHEMAS")
SAMPLES = json.loads((Path(__file__).parent / "samples.json").read_text("utf-8"))

# Where the official files keep what has a name of its own here: in every file, then in the first two.
PLACES = {
    "ResourceContents": "EmbeddedResource/properties/resource",
    "ToolSchema": "Tool/properties/inputSchema",
    "TasksCapability": "ServerCapabilities/properties/tasks",
    "URLElicitationRequiredError": "URLElicitationRequiredError/properties/error",
    "MissingRequiredClientCapabilityError": "MissingRequiredClientCapabilityError/properties/error",
    "UnsupportedProtocolVersionError": "UnsupportedProtocolVersionError/properties/error",
}
EARLY_PLACES = {
    "Annotations": "TextContent/properties/annotations",
    "ContentBlock": "CallToolResult/properties/content/items",
    "RequestParams": "Request/properties/params",
    "PaginatedRequestParams": "PaginatedRequest/properties/params",
    "InitializeRequestParams": "InitializeRequest/properties/params",
    "CallToolRequestParams": "CallToolRequest/properties/params",
    "Error": "JSONRPCError/properties/error",
    "NotificationParams": "ToolListChangedNotification/properties/params",
    "CancelledNotificationParams": "CancelledNotification/properties/params",
    "ProgressNotificationParams": "ProgressNotification/properties/params",
    "LoggingMessageNotificationParams": "LoggingMessageNotification/properties/params",
    "ResourceUpdatedNotificationParams": "ResourceUpdatedNotification/properties/params",
}


@cache
def official(revision: Revision) -> Any:
    return json.loads((Path(FOLDER or "") / f"{revision}.schema.json").read_text("utf-8"))


def samples() -> list[Any]:
    return [
        pytest.param(revision, sample["definition"], sample[case], id=f"{revision}-{sample['definition']}-{case}")
        for sample in SAMPLES
        for revision in Revision
        if sample["revisions"][:10] <= revision <= sample["revisions"][-10:]
        for case in ("minimal", "full")
    ]


@pytest.mark.skipif(FOLDER is None, reason="MCPROVE_OFFICIAL_SCHEMAS names no folder")
@pytest.mark.parametrize(("revision", "definition", "value"), samples())
def test_what_is_valid_here_is_valid_there(revision: Revision, definition: str, value: Any) -> None:
    early = EARLY_PLACES if revision <= Revision.R2025_06_18 else {}
    container = "$defs" if "$defs" in official(revision) else "definitions"
    place = {**PLACES, **early}.get(definition, definition)
    schema = {**official(revision), "$ref": f"#/{container}/{place}"}
    assert [error.message for error in Draft202012Validator(schema).iter_errors(value)] == []
