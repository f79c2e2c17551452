"""The keys of ``_meta``: those that the protocol defines, and the grammar of all.

Spec: basic#meta.
"""

from __future__ import annotations

import re

PREFIX = "io.modelcontextprotocol/"
PROTOCOL_VERSION = PREFIX + "protocolVersion"
CLIENT_CAPABILITIES = PREFIX + "clientCapabilities"
CLIENT_INFO = PREFIX + "clientInfo"
SERVER_INFO = PREFIX + "serverInfo"
LOG_LEVEL = PREFIX + "logLevel"
SUBSCRIPTION_ID = PREFIX + "subscriptionId"

_LABEL = re.compile(r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?")
_NAME = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?")


def key_defect(key: str) -> str | None:
    """Say why a ``_meta`` key breaks the grammar of keys, or return None where it keeps it.

    A key is a name, or dot-separated labels, a slash and a name. The name may be empty.
    """
    prefix, slash, name = key.partition("/") if "/" in key else ("", "", key)
    for label in prefix.split(".") if slash else ():
        if not _LABEL.fullmatch(label):
            return f"the label {label!r} is not letters, digits and inner hyphens after a first letter"
    if not _NAME.fullmatch(name):
        return f"the name {name!r} is not letters, digits and inner hyphens, underscores and dots"
    return None
