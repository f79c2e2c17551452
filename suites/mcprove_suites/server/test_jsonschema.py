"""The schemas that a server sends: their dialect, and that they are valid in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove import Json, NotApplicable, Probe, requirement, show
from mcprove.spec.schemas import DIALECT
from mcprove.spec.validation import metaschema_defects
from mcprove_suites.judging import expect_none
from mcprove_suites.listed import called, default_dialect, listed_tools, offence

if TYPE_CHECKING:
    from mcprove import Exchange

MEMBERS = ("inputSchema", "outputSchema")


@requirement("jsonschema.schemas-valid", last=True)
def test_sends_valid_schemas(server: Probe) -> None:
    """Each schema of a tool is valid in its dialect; one in a dialect that is not known here is passed over."""
    found = [
        offence(f"{name}{defect.pointer}: {defect.detail}", shown)
        for name, schema, shown in schemas(server)
        for defect in metaschema_defects(schema, default_dialect(server))
    ]
    expect_none(found, "schemas that are valid in their dialect")


@requirement("jsonschema.prefer-2020-12", last=True)
def test_writes_schemas_in_2020_12(server: Probe) -> None:
    """A schema without $schema is one."""
    named = [(name, schema.get("$schema", DIALECT), shown) for name, schema, shown in schemas(server)]
    older = [(name, dialect, shown) for name, dialect, shown in named if str(dialect).removesuffix("#") != DIALECT]
    expect_none([offence(f"{name}: $schema {show(dialect)}", shown) for name, dialect, shown in older], f"{DIALECT}")


def schemas(server: Probe) -> list[tuple[str, dict[str, Json], Exchange]]:
    """Return each schema of a tool that is an object, with where it was heard."""
    tools = [(tool, shown) for tool, shown in listed_tools(server) if isinstance(tool, dict)]
    found = [(f"{called(tool)}: {member}", tool.get(member), shown) for tool, shown in tools for member in MEMBERS]
    objects = [(name, schema, shown) for name, schema, shown in found if isinstance(schema, dict)]
    if not objects:
        raise NotApplicable("no tool has a schema")
    return objects
