import re
from collections import Counter

import pytest

from mcprove_reference import faults
from mcprove_reference.faults import Fault, FaultError
from mcprove_reference.http import HttpFront
from mcprove_reference.server import Server
from mcprove_reference.stdio import StdioFront

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*")


def parts(transport: str) -> tuple[object, ...]:
    server = Server()
    if transport == "http":
        return (*server.parts(), *HttpFront(server).parts())
    return (*server.parts(), StdioFront(server))


@pytest.mark.parametrize("fault", faults.ALL.values(), ids=faults.ALL)
def test_each_fault_fits_the_server(fault: Fault) -> None:
    assert fault.patch or fault.options
    for transport in ("stdio", "http") if fault.transport == "any" else (fault.transport,):
        fault.apply(parts(transport))


@pytest.mark.parametrize("fault", faults.ALL.values(), ids=faults.ALL)
def test_each_fault_is_written_in_full(fault: Fault) -> None:
    assert SLUG.fullmatch(fault.id)
    assert fault.breaks and all(SLUG.fullmatch(rule) for rule in fault.breaks)
    assert fault.says.endswith(".")
    assert fault.revisions is None or fault.revisions == tuple(sorted(fault.revisions))


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_method_that_a_fault_can_name_is_on_one_part(transport: str) -> None:
    owners = Counter(
        name for part in parts(transport) for name in dir(part) if name[0] != "_" and callable(getattr(part, name))
    )
    assert {name for name, count in owners.items() if count > 1} == {"methods", "parts"}


def test_a_fault_gets_the_original_the_part_and_the_arguments() -> None:
    server = Server()
    Fault("a.b", ("a.b",), "Says so.", {"ping": lambda original, self: [original(), self]}).apply(server.parts())
    assert server.legacy.ping() == [{}, server.legacy]  # type: ignore[comparison-overlap]


def test_a_fault_leaves_other_servers_alone() -> None:
    Fault("a.b", ("a.b",), "Says so.", {"ping": lambda _original, _self: None}).apply(Server().parts())
    assert Server().legacy.ping() == {}


@pytest.mark.parametrize("name", ["no_such_method", "parts"])
def test_a_fault_must_name_one_method(name: str) -> None:
    fault = Fault("a.b", ("a.b",), "Says so.", {name: lambda original, _self: original()})
    with pytest.raises(FaultError, match=name):
        fault.apply(parts("http"))


def test_an_id_is_taken_once() -> None:
    row = Fault("a.b", ("a.b",), "Says so.")
    with pytest.raises(FaultError, match=r"a\.b"):
        faults.index([row, row])
