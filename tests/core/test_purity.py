from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import mcprove.core

MODULES = sorted(module.name for module in pkgutil.walk_packages(mcprove.core.__path__, "mcprove.core."))
ROOT = Path(mcprove.__path__[0]).parent
WITH_IO = ("anyio", "asyncio", "httpx", "select", "socket", "ssl", "subprocess", "threading")


def loaded_with(module: str) -> set[str]:
    """Return what a bare interpreter, without site packages and their hooks, has loaded after the import."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {module}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_there_is_a_core() -> None:
    assert set(MODULES) > {"mcprove.core.jsonrpc", "mcprove.core.lines", "mcprove.core.sse"}


@pytest.mark.parametrize("module", MODULES)
def test_the_core_loads_nothing_that_does_io(module: str) -> None:
    loaded = loaded_with(module)
    assert module in loaded
    assert loaded.isdisjoint(WITH_IO)
