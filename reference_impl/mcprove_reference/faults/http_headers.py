"""Faults of Streamable HTTP in 2026-07-28: headers that are not held against the body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcprove.core import headers as names
from mcprove.core.errors import HEADER_MISMATCH, INVALID_PARAMS
from mcprove.spec.revisions import MODERN
from mcprove_reference.exchange import params_of
from mcprove_reference.faults.base import Fault
from mcprove_reference.sessions import Rejection

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove.core.jsonrpc import Message
    from mcprove_reference.faults.base import Patch


def _forgive(says: str, *, method: str | None = None) -> Patch:
    """Return a patch of ``check`` that serves, of one method or all, what would be rejected with these words.

    A name in another letter case is rejected all the same.
    """

    def check(original: Any, _self: Any, headers: Mapping[str, str], request: Message) -> None:
        try:
            original(headers, request)
        except Rejection as rejection:
            name = names.name_of(str(request.method), params_of(request)) or ""
            near = headers.get(names.NAME, "").lower() == name.lower()
            if near or says not in str(rejection) or method not in (None, request.method):
                raise

    return check


def _reject_otherwise(status: int, code: int) -> Patch:
    """Return a patch of ``check`` that rejects by another status and code where the version is not what is wrong."""

    def check(original: Any, _self: Any, headers: Mapping[str, str], request: Message) -> None:
        try:
            original(headers, request)
        except Rejection as rejection:
            if names.PROTOCOL_VERSION in str(rejection):
                raise
            raise Rejection(status, str(rejection), code) from rejection

    return check


def _ask_for_name(original: Any, _self: Any, headers: Mapping[str, str], request: Message) -> None:
    original(headers, request)
    if request.method == "resources/list" and names.NAME not in headers:
        raise Rejection(400, f"{names.NAME} is missing", HEADER_MISMATCH)


FAULTS = (
    Fault(
        id="http.version-header-not-compared",
        breaks=("http.version-header-mismatch",),
        says="MCP-Protocol-Version may be another than the version in the body.",
        patch={"version_defect": lambda original, _self, value, declared: original(value and declared, declared)},
        transport="http",
        revisions=MODERN,
        options={"lineage": "modern"},
    ),
    Fault(
        id="http.version-header-optional",
        breaks=("http.version-header-missing",),
        says="MCP-Protocol-Version may be left out.",
        patch={"version_defect": lambda original, _self, value, declared: original(value or declared, declared)},
        transport="http",
        revisions=MODERN,
        options={"lineage": "modern"},
    ),
    Fault(
        id="http.method-header-not-compared",
        breaks=("http.method-header-mismatch", "http.header-values-case-sensitive"),
        says="Mcp-Method may be anything.",
        patch={"method_defect": lambda original, _self, value, method: original(value and method, method)},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.method-header-in-any-case",
        breaks=("http.header-values-case-sensitive",),
        says="Mcp-Method is compared without regard to case.",
        patch={
            "method_defect": lambda original, _self, value, method: original(value and value.lower(), method.lower())
        },
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.header-names-exact",
        breaks=("http.header-names-case-insensitive",),
        says="The names of headers have to be spelled as in the specification.",
        transport="http",
        revisions=MODERN,
        options={"names": "exact"},
    ),
    Fault(
        id="http.method-header-optional",
        breaks=("http.method-header-missing",),
        says="Mcp-Method may be left out.",
        patch={"method_defect": lambda original, _self, value, method: original(value or method, method)},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.tool-name-not-compared",
        breaks=("http.name-header-mismatch-tools",),
        says="A tool is called whatever the Mcp-Name.",
        patch={"check": _forgive("Mcp-Name differs", method="tools/call")},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.prompt-name-not-compared",
        breaks=("http.name-header-mismatch-prompts",),
        says="A prompt is given whatever the Mcp-Name.",
        patch={"check": _forgive("Mcp-Name differs", method="prompts/get")},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.resource-name-not-compared",
        breaks=("http.name-header-mismatch-resources",),
        says="A resource is read whatever the Mcp-Name.",
        patch={"check": _forgive("Mcp-Name differs", method="resources/read")},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.name-header-optional",
        breaks=("http.name-header-missing",),
        says="Mcp-Name may be left out.",
        patch={"check": _forgive("Mcp-Name is missing")},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.name-header-on-lists",
        breaks=("http.name-header-not-required-elsewhere", "error.reserved-codes-own-meaning"),
        says="resources/list needs an Mcp-Name.",
        patch={"check": _ask_for_name},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.name-header-broken-served",
        breaks=("http.name-header-invalid-chars",),
        says="An Mcp-Name that cannot be decoded is not looked at.",
        patch={"check": _forgive("Mcp-Name: ")},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.name-header-literal",
        breaks=("http.name-header-decoded",),
        says="An encoded Mcp-Name is compared as it is.",
        patch={"decode": lambda _original, _self, value: value},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.header-failure-422",
        breaks=("http.header-failure-400",),
        says="Faults in Mcp-Method and Mcp-Name are refused with status 422.",
        patch={"check": _reject_otherwise(422, HEADER_MISMATCH)},
        transport="http",
        revisions=MODERN,
    ),
    Fault(
        id="http.header-failure-invalid-params",
        breaks=("http.header-failure-32020",),
        says="Faults in Mcp-Method and Mcp-Name are refused with the code of invalid params.",
        patch={"check": _reject_otherwise(400, INVALID_PARAMS)},
        transport="http",
        revisions=MODERN,
    ),
)
