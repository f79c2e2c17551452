import base64
PROTOCOL_VERSION = "MCP-Protocol-Version"; METHOD = "Mcp-Method"; NAME = "Mcp-Name"; PARAM_PREFIX = "Mcp-Param-"; SESSION_ID = "Mcp-Session-Id"; LAST_EVENT_ID = "Last-Event-ID"
class HeaderFault(ValueError): pass
def encode_value(t):
    ok = all(0x20 <= ord(c) <= 0x7e for c in t) and t == t.strip() and not (t.startswith("=?base64?") and t.endswith("?="))
    return t if ok else "=?base64?" + base64.b64encode(t.encode()).decode() + "?="
def decode_value(v):
    if v.startswith("=?base64?") and v.endswith("?="):
        try: return base64.b64decode(v[9:-2], validate=True).decode()
        except ValueError as e: raise HeaderFault(str(e)) from e
    if not v.isascii(): raise HeaderFault("not ascii")
    return v
def name_of(method, params):
    key = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}.get(method)
    v = params.get(key) if key and isinstance(params, dict) else None
    return v if isinstance(v, str) else None
