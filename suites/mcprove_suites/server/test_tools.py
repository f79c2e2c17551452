"""Tools: how they are listed, named, described and called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcprove import Inconclusive, NotApplicable, Probe, Revision, advise, expect, requirement, show
from mcprove.core.errors import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND
from mcprove_suites.calls import (
    MISFIT,
    NO_SUCH_TOOL,
    blocks,
    call,
    call_results,
    is_repeated_in_text,
    misshapen_results,
    name_called,
    sample_arguments,
    sample_calls,
    structured_results,
    succeeded,
    unfit,
    working_tools,
)
from mcprove_suites.declared import undeclared, unprompted
from mcprove_suites.judging import expect_none, given_some
from mcprove_suites.listed import (
    called,
    default_dialect,
    is_open,
    is_without_parameters,
    marked_parameters,
    misshapen,
    named_tools,
    offence,
    tools_with,
)
from mcprove_suites.walks import in_any_order, sightings, tools_walk

if TYPE_CHECKING:
    from mcprove import Json

LIST_CHANGED = "notifications/tools/list_changed"
NAME_CHARACTERS = re.compile(r"[A-Za-z0-9_.-]*")
# Members of a tool that have a requirement of their own.
APART = {"inputSchema", "outputSchema", "annotations", "execution"}
SECRETS = {"password", "passwd", "secret", "clientsecret", "apikey", "accesstoken", "refreshtoken", "privatekey"}
# The answers of JSON-RPC that could mean an unknown tool before 2026-07-28 named one of them.
STANDARD = (INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, INTERNAL_ERROR)
NO_OBJECTS: tuple[Json, ...] = ([], "x", 5)
A_NAME_OF_NO_TYPE: tuple[dict[str, Json], ...] = ({"arguments": {}}, {"name": 5}, {"name": {}})


@requirement("tools.capability")
def test_declares_what_it_lists(server: Probe) -> None:
    """A server without the capability refuses tools/list, or lists nothing."""
    if not isinstance(((server.opening and server.opening.result) or {}).get("capabilities"), dict):
        raise Inconclusive("the server has not told what it declares")
    listed = server.request("tools/list")
    if listed.answer is None and not listed.http_refused:
        raise Inconclusive(f"tools/list was not answered: {listed.describe()}")
    found = (listed.result or {}).get("tools")
    expect("tools" in server.capabilities or not found, "no tools without the capability tools", listed)


@requirement("tools.list-answered")
def test_answers_with_an_array(modern: Probe) -> None:
    """The result has an array of tools, perhaps an empty one."""
    modern.need("tools")
    listed = modern.request("tools/list")
    expect(isinstance(listed.expect_result().get("tools"), list), "an array in tools", listed)


@requirement("tools.list-not-per-connection")
def test_lists_the_same_on_each_connection(modern: Probe) -> None:
    """Over stdio a connection is a process, whose list may also depend on its age: a difference warns at most."""
    seen = modern.once(sightings)
    (one, one_later), (two, two_later) = map(in_any_order, seen.busy), map(in_any_order, seen.quiet)
    if one != one_later or two != two_later:
        raise Inconclusive("a list changed on its connection, so that two cannot be compared")
    judge = expect if modern.is_http else advise
    judge(one == two, f"{show(two, 200)}, as on another connection", seen.shown, actual=show(one, 200))


@requirement("tools.list-not-per-connection")
def test_lists_the_same_after_other_requests(modern: Probe) -> None:
    """A list that has changed on one connection, and not on the other, has changed through the requests there."""
    seen = modern.once(sightings)
    (busy, busy_later), (quiet, quiet_later) = map(in_any_order, seen.busy), map(in_any_order, seen.quiet)
    if quiet != quiet_later:
        raise Inconclusive("the list changed also where nothing else was asked for")
    judge = expect if modern.is_http else advise
    shown = show(busy_later, 200)
    judge(busy == busy_later, f"{show(busy, 200)}, as before other requests", seen.shown, actual=shown)


@requirement("tools.deterministic-order")
def test_keeps_the_order(modern: Probe) -> None:
    """The same tools are in the same order each time, also on another connection."""
    seen = modern.once(sightings)
    first, *others = [*seen.busy, *seen.quiet]
    if len(first.given_keys()) < 2:
        raise NotApplicable("the server lists fewer than two tools")
    for other in others:
        if in_any_order(other) != in_any_order(first):
            raise Inconclusive("the tools are not the same each time")
        wanted, found = show(first.keys, 200), show(other.keys, 200)
        expect(other.keys == first.keys, f"the order {wanted}", other.pages[0], actual=found)


@requirement("tools.list-changed-declared", last=True)
def test_announces_no_change_undeclared(legacy: Probe) -> None:
    """The notification comes only from a server that declares tools.listChanged."""
    sent = [message for message in unprompted(legacy) if message.method == LIST_CHANGED]
    given_some(sent, LIST_CHANGED)
    rogue = [message for message, _ in undeclared(legacy) if message.method == LIST_CHANGED]
    expect(not rogue, f"no {LIST_CHANGED} without tools.listChanged", actual=show(sent[0].raw))


@requirement("tools.shape")
def test_lists_an_array(legacy: Probe) -> None:
    """The result has an array of tools; for the modern lineage another requirement says so."""
    legacy.need("tools")
    listed = legacy.request("tools/list")
    expect(isinstance(listed.given_result().get("tools"), list), "an array in tools", listed)


@requirement("tools.shape", last=True)
def test_describes_tools(server: Probe) -> None:
    """What is required is there, and each member is of its type; members that the revision lacks are free."""
    expect_none(misshapen(server, lambda member: member not in APART), "tools of the shape that the revision gives")


@requirement("tools.input-schema-object", last=True)
def test_describes_arguments_by_an_object(server: Probe) -> None:
    """The root of an inputSchema is of type "object"."""
    found = misshapen(server, lambda member: member == "inputSchema")
    expect_none(found, 'an inputSchema with type "object" at its root')


@requirement("tools.output-schema-object", last=True)
def test_describes_output_by_a_schema(modern: Probe) -> None:
    """An outputSchema is an object; of what type its root is does not matter."""
    tools_with(modern, "outputSchema")
    expect_none(misshapen(modern, lambda member: member == "outputSchema"), "a schema object in outputSchema")


@requirement("tools.output-schema-root-object", last=True)
def test_describes_output_by_an_object(legacy: Probe) -> None:
    """The root of an outputSchema is of type "object"."""
    tools_with(legacy, "outputSchema")
    found = misshapen(legacy, lambda member: member == "outputSchema")
    expect_none(found, 'an outputSchema with type "object" at its root')


@requirement("tools.no-parameter-schema", last=True)
def test_closes_the_schema_of_no_parameters(server: Probe) -> None:
    """A schema that says nothing of additional properties invites them."""
    bare = [(tool, exchange) for tool, exchange in tools_with(server, "inputSchema") if is_without_parameters(tool)]
    if not bare:
        raise NotApplicable("every tool has parameters")
    loose = [offence(called(tool), shown) for tool, shown in bare if is_open(tool["inputSchema"])]
    expect_none(loose, "additionalProperties false where there are no parameters")


@requirement("tools.annotations-shape", last=True)
def test_annotates_tools(server: Probe) -> None:
    """The title is a string, the hints are booleans."""
    tools_with(server, "annotations")
    expect_none(misshapen(server, lambda member: member == "annotations"), "a string in title, booleans in the hints")


@requirement("tools.execution-task-support", last=True)
def test_states_task_support(legacy: Probe) -> None:
    """One of three words, or nothing."""
    tools_with(legacy, "execution")
    found = misshapen(legacy, lambda member: member == "execution")
    expect_none(found, "forbidden, optional or required in execution.taskSupport")


@requirement("tools.xheader-no-sensitive", last=True)
def test_marks_no_secrets(modern: Probe) -> None:
    """Parameters whose names are those of secrets do not go into headers."""
    marked = [
        (name, shown)
        for tool, shown in tools_with(modern, "inputSchema")
        for name in marked_parameters(tool["inputSchema"])
    ]
    if not marked:
        raise NotApplicable("no parameter has x-mcp-header")
    secret = [(name, shown) for name, shown in marked if re.sub("[-_ ]", "", name).lower() in SECRETS]
    expect_none([offence(f"parameter {name}", shown) for name, shown in secret], "no x-mcp-header on a secret")


@requirement("tools.name-length", last=True)
def test_names_are_neither_empty_nor_long(server: Probe) -> None:
    """128 characters are the most."""
    off = [offence(f"a name of {len(name)}", shown) for name, shown in named_tools(server) if not 1 <= len(name) <= 128]
    expect_none(off, "names of 1 to 128 characters")


@requirement("tools.name-characters", last=True)
def test_names_are_plain(server: Probe) -> None:
    """Letters, digits, underscores, hyphens and dots of ASCII."""
    found = [(name, shown) for name, shown in named_tools(server) if not NAME_CHARACTERS.fullmatch(name)]
    expect_none([offence(f"the name {show(name, 100)}", shown) for name, shown in found], "plain names")


@requirement("tools.name-unique")
def test_names_are_unique(server: Probe) -> None:
    """No page has a name twice, and no two pages have it for different tools; a page that repeats is another rule's."""
    walked = tools_walk(server)
    if not walked.keys:
        raise NotApplicable("the server lists no tool")
    for page, name in walked.clashes():
        expect(False, "names that are unique", page, actual=f"{show(name, 100)} twice")


@requirement("tools.name-case-sensitive")
def test_tells_upper_from_lower_case(server: Probe) -> None:
    """A tool does not answer to its name in the other case."""
    names = {name for name, _ in named_tools(server)}
    tools = working_tools(server, with_arguments=False)
    swapped = [{"name": other} for tool in tools if (other := str(tool["name"]).swapcase()) not in names]
    if not swapped:
        raise NotApplicable("no name has a letter")
    answer = call(server, swapped[0], {})
    expect(not succeeded(answer), f"no tool by the name {swapped[0]['name']}", answer)


@requirement("tools.malformed-call")
def test_refuses_a_call_without_a_name(server: Probe) -> None:
    """Neither no name nor one that is no string makes a call."""
    server.need("tools")
    server.request("tools/list").given_result()
    for params in A_NAME_OF_NO_TYPE:
        server.request("tools/call", params).expect_error()


@requirement("tools.malformed-call")
def test_refuses_arguments_that_are_no_object(server: Probe) -> None:
    """A tool that works without arguments is not called with an array, a string or a number of them."""
    tool = working_tools(server, with_arguments=False)[0]
    for arguments in NO_OBJECTS:
        server.request("tools/call", {"name": tool["name"], "arguments": arguments}).expect_error()


@requirement("tools.unknown-tool")
def test_refuses_an_unknown_tool(server: Probe) -> None:
    """Earlier revisions give the code as an example only, so that any of JSON-RPC's own will do there."""
    server.need("tools")
    server.request("tools/list").given_result()
    codes = (INVALID_PARAMS,) if server.revision is Revision.R2026_07_28 else STANDARD
    server.request("tools/call", {"name": NO_SUCH_TOOL, "arguments": {}}).expect_error(*codes)


@requirement("tools.arguments-optional")
def test_calls_without_arguments(server: Probe) -> None:
    """A tool that works with an empty object of arguments works without it."""
    tool = working_tools(server, with_arguments=False)[0]
    answer = call(server, tool)
    expect(succeeded(answer), "the call is served as with arguments {}", answer)


@requirement("tools.validates-inputs")
def test_runs_nothing_with_misfitting_arguments(server: Probe) -> None:
    """An object in place of each simple argument; the same call with a fitting one works."""
    tool = working_tools(server, with_arguments=True)[0]
    answer = call(server, tool, dict.fromkeys(sample_arguments(tool) or (), MISFIT))
    expect(not succeeded(answer), "no success with arguments of the wrong type", answer)


@requirement("tools.validates-inputs")
def test_runs_nothing_without_required_arguments(server: Probe) -> None:
    """No arguments where some are required."""
    tool = working_tools(server, with_arguments=True)[0]
    answer = call(server, tool, {})
    expect(not succeeded(answer), "no success without the required arguments", answer)


@requirement("tools.input-validation-error")
def test_reports_misfitting_arguments(server: Probe) -> None:
    """In 2025-11-25 by a result with isError; elsewhere the text has both this and -32602."""
    tool = working_tools(server, with_arguments=True)[0]
    answer = call(server, tool, dict.fromkeys(sample_arguments(tool) or (), MISFIT))
    told = (answer.result or {}).get("isError") is True
    either = server.revision is not Revision.R2025_11_25 and answer.error is not None
    expect(told or either, "a result with isError true", answer)


@requirement("tools.execution-error")
def test_reports_a_failure_in_the_result(server: Probe) -> None:
    """The diagnostic tool that always fails."""
    failed = [answer for tool, answer in sample_calls(server) if tool["name"] == "test_error_handling"]
    if not failed:
        raise NotApplicable("the server has no tool test_error_handling")
    result = failed[0].expect_result("a result with isError true")
    expect(result.get("isError") is True, "a result with isError true", failed[0])


@requirement("tools.call-result-shape", last=True)
def test_results_of_calls_are_well_formed(server: Probe) -> None:
    """Content is an array of blocks, each with what its type needs."""
    expect_none(
        misshapen_results(server, lambda part: part == "shape"), "a result of the shape that the revision gives"
    )


@requirement("tools.content-types", last=True)
def test_content_is_of_known_types(legacy: Probe) -> None:
    """Each block is of a type that the revision has."""
    expect_none(misshapen_results(legacy, lambda part: part == "type"), f"blocks that {legacy.revision} has")


@requirement("tools.media-content", last=True)
def test_media_are_encoded(server: Probe) -> None:
    """Images and sounds have Base64 data and a MIME type."""
    if not any(blocks(result, "image", "audio") for _, result in call_results(server)):
        raise NotApplicable("no call that is known to be harmless returned an image or a sound")
    expect_none(misshapen_results(server, lambda part: part == "media"), "Base64 in data and a string in mimeType")


@requirement("tools.embedded-needs-capability", last=True)
def test_embeds_resources_only_with_the_capability(server: Probe) -> None:
    """A server that embeds resources declares resources."""
    found = [(shown, result) for shown, result in call_results(server) if blocks(result, "resource")]
    if not found:
        raise NotApplicable("no call that is known to be harmless returned an embedded resource")
    expect("resources" in server.capabilities, "the capability resources", found[0][0])


@requirement("tools.structured-content-object", last=True)
def test_structured_content_is_an_object(legacy: Probe) -> None:
    """From 2026-07-28 it may be any value."""
    structured_results(legacy)
    expect_none(misshapen_results(legacy, lambda part: part == "structured"), "an object in structuredContent")


@requirement("tools.structured-text-copy", last=True)
def test_structured_content_is_repeated_as_text(server: Probe) -> None:
    """One of the text blocks is the same as JSON; of a failure there may be nothing to repeat."""
    results = [(shown, result) for shown, result in structured_results(server) if result.get("isError") is not True]
    mute = [offence("no such text", shown) for shown, result in results if not is_repeated_in_text(result)]
    expect_none(mute, "structuredContent repeated as JSON in a text block")


@requirement("tools.output-schema-conformance", last=True)
def test_structured_content_fits_the_output_schema(server: Probe) -> None:
    """A call that worked has structuredContent as the tool's outputSchema describes it."""
    described = {str(tool.get("name")): tool["outputSchema"] for tool, _ in tools_with(server, "outputSchema")}
    judged = [(shown, described[name]) for shown, _ in call_results(server)
              if (name := str(name_called(shown))) in described and succeeded(shown)]  # fmt: skip
    if not judged:
        raise NotApplicable("no tool that is known to be harmless has an outputSchema")
    expect_none(unfit(judged, default_dialect(server)), "structuredContent that fits the outputSchema")
