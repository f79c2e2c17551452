"""mcprove proves whether an MCP server or client keeps the protocol.

Everything that a check needs is a name of this package; it is loaded when first used, so that a pytest run which
only finds the plugin installed pays nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcprove.check import requirement as requirement
    from mcprove.core.jsonrpc import MISSING as MISSING
    from mcprove.core.jsonrpc import OMIT as OMIT
    from mcprove.core.jsonrpc import Json as Json
    from mcprove.core.jsonrpc import Kind as Kind
    from mcprove.core.jsonrpc import Message as Message
    from mcprove.exchange import Exchange as Exchange
    from mcprove.exchange import RpcError as RpcError
    from mcprove.exchange import advise as advise
    from mcprove.exchange import expect as expect
    from mcprove.probe import Probe as Probe
    from mcprove.spec.revisions import Lineage as Lineage
    from mcprove.spec.revisions import Revision as Revision
    from mcprove.text import show as show
    from mcprove.transcript import Heard as Heard
    from mcprove.transcript import Junk as Junk
    from mcprove.transcript import Transcript as Transcript
    from mcprove.verdict import Inconclusive as Inconclusive
    from mcprove.verdict import NotApplicable as NotApplicable

__version__ = "0.1.0"

_HOMES = {
    "mcprove.check": ("requirement",),
    "mcprove.core.jsonrpc": ("MISSING", "OMIT", "Json", "Kind", "Message"),
    "mcprove.exchange": ("Exchange", "RpcError", "advise", "expect"),
    "mcprove.probe": ("Probe",),
    "mcprove.spec.revisions": ("Lineage", "Revision"),
    "mcprove.text": ("show",),
    "mcprove.transcript": ("Heard", "Junk", "Transcript"),
    "mcprove.verdict": ("Inconclusive", "NotApplicable"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
