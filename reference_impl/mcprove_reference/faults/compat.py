"""Faults of a server that meets a client of the other lineage."""

import os
from typing import Any, NoReturn

from mcprove.core.errors import INTERNAL_ERROR, INVALID_PARAMS
from mcprove.spec.revisions import MODERN, NEWEST_LEGACY
from mcprove_reference.exchange import Refusal
from mcprove_reference.faults.base import Fault


def _die(*_: Any) -> NoReturn:
    os._exit(1)


FAULTS = (
    Fault(
        id="compat.metadata-after-handshake",
        breaks=("compat.dual-server-initialize",),
        says="Even after the handshake every request needs the metadata of the modern lineage.",
        patch={"is_modern": lambda _original, _self, request, _session: request.method != "initialize"},
        revisions=MODERN,
    ),
    Fault(
        id="compat.dies-of-the-handshake",
        breaks=("compat.modern-server-initialize-stdio",),
        says="A modern-only server exits on initialize.",
        patch={"initialize_refusal": _die},
        transport="stdio",
        revisions=MODERN,
        options={"lineage": "modern"},
    ),
    Fault(
        id="compat.handshake-200",
        breaks=("compat.modern-server-initialize-http",),
        says="A modern-only server refuses initialize with status 200.",
        patch={
            "initialize_refusal": lambda original, _self: Refusal(INTERNAL_ERROR, original().message, original().data)
        },
        transport="http",
        revisions=MODERN,
        options={"lineage": "modern"},
    ),
    Fault(
        id="compat.handshake-without-diagnosis",
        breaks=("compat.modern-server-initialize-names-versions",),
        says="A modern-only server refuses initialize without naming a version.",
        patch={"initialize_refusal": lambda _original, _self: Refusal(INVALID_PARAMS, "params._meta is missing")},
        revisions=MODERN,
        options={"lineage": "modern"},
    ),
    Fault(
        id="compat.dies-of-the-probe",
        breaks=("compat.legacy-survives-probe",),
        says="A legacy-only server exits on a request before the handshake.",
        patch={"not_opened": _die},
        transport="stdio",
        revisions=(NEWEST_LEGACY,),
        options={"lineage": "legacy"},
    ),
)
