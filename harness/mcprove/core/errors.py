"""The JSON-RPC error codes that the protocol uses, by name."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

# 2026-07-28
HEADER_MISMATCH = -32020
MISSING_CLIENT_CAPABILITY = -32021
UNSUPPORTED_PROTOCOL_VERSION = -32022

# 2024-11-05 to 2025-11-25
RESOURCE_NOT_FOUND = -32002
URL_ELICITATION_REQUIRED = -32042

NAMES = {
    PARSE_ERROR: "parse error",
    INVALID_REQUEST: "invalid request",
    METHOD_NOT_FOUND: "method not found",
    INVALID_PARAMS: "invalid params",
    INTERNAL_ERROR: "internal error",
    HEADER_MISMATCH: "header mismatch",
    MISSING_CLIENT_CAPABILITY: "missing required client capability",
    UNSUPPORTED_PROTOCOL_VERSION: "unsupported protocol version",
    RESOURCE_NOT_FOUND: "resource not found",
    URL_ELICITATION_REQUIRED: "URL elicitation required",
}


def describe(code: object) -> str:
    """Return a code with its name, ``-32601 (method not found)``, or alone where it has none."""
    name = NAMES.get(code) if isinstance(code, int) else None
    return f"{code} ({name})" if name else repr(code)
