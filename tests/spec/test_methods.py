from itertools import combinations

import pytest

from mcprove.spec.methods import (
    METHODS,
    Direction,
    Method,
    MethodKind,
    gated_by,
    input_requests,
    method,
    notifications,
    requests,
)
from mcprove.spec.revisions import LEGACY, Revision
from mcprove.spec.schemas import definitions

A, B, C, MODERN = Revision
TO_SERVER, TO_CLIENT, BOTH = Direction


def names(rows: tuple[Method, ...]) -> set[str]:
    return {row.name for row in rows}


def test_a_name_has_at_most_one_row_in_a_revision() -> None:
    pairs = [(one, two) for one, two in combinations(METHODS, 2) if one.name == two.name]
    assert [one.name for one, two in pairs if set(one.revisions) & set(two.revisions)] == []


@pytest.mark.parametrize("row", METHODS, ids=lambda row: f"{row.name}-{row.revisions[0]}")
def test_the_definitions_that_a_row_names_exist_in_its_revisions(row: Method) -> None:
    named = {row.params, row.result} - {None}
    assert all(named <= set(definitions(revision)) for revision in row.revisions)


@pytest.mark.parametrize("row", METHODS, ids=lambda row: f"{row.name}-{row.revisions[0]}")
def test_only_notifications_are_named_so_and_only_requests_have_results(row: Method) -> None:
    assert row.name.startswith("notifications/") == (row.kind is MethodKind.NOTIFICATION)
    assert row.kind is MethodKind.REQUEST or not (row.result or row.cacheable or row.paged or row.multi_round)


@pytest.mark.parametrize(
    ("revision", "expected"),
    [(A, {"ping", "roots/list", "sampling/createMessage"}),
     (B, {"ping", "roots/list", "sampling/createMessage", "elicitation/create"}),
     (C, {"ping", "roots/list", "sampling/createMessage", "elicitation/create",
          "tasks/get", "tasks/result", "tasks/cancel", "tasks/list"}),
     (MODERN, set())],
)  # fmt: skip
def test_what_a_server_may_ask(revision: Revision, expected: set[str]) -> None:
    assert names(requests(revision, TO_CLIENT)) == expected


def test_what_a_client_may_ask_in_the_modern_lineage() -> None:
    assert names(requests(MODERN, TO_SERVER)) == {
        "server/discover", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list",
        "resources/templates/list", "resources/read", "completion/complete", "subscriptions/listen",
    }  # fmt: skip


def test_what_a_client_may_ask_in_the_first_revision() -> None:
    assert names(requests(A, TO_SERVER)) == {
        "initialize", "ping", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list",
        "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe",
        "completion/complete", "logging/setLevel",
    }  # fmt: skip


def test_embedded_requests_are_no_messages() -> None:
    assert names(input_requests(MODERN)) == {"roots/list", "sampling/createMessage", "elicitation/create"}
    assert [input_requests(revision) for revision in LEGACY] == [(), (), ()]


def test_notifications_by_direction() -> None:
    assert names(notifications(MODERN, TO_SERVER)) == {"notifications/cancelled"}
    assert names(notifications(C, BOTH)) == {
        "notifications/cancelled", "notifications/progress", "notifications/tasks/status",
    }  # fmt: skip
    assert "notifications/progress" in names(notifications(MODERN, TO_CLIENT))
    assert "notifications/subscriptions/acknowledged" not in names(notifications(C, TO_CLIENT))


def test_a_method_is_the_newest_unless_a_revision_is_named() -> None:
    newest = method("completion/complete")
    first = method("completion/complete", A)
    assert newest is not None and newest.capability == "completions"
    assert first is not None and first.capability is None
    assert method("initialize") is not None and method("initialize", MODERN) is None
    assert method("no/such") is None


def test_a_capability_gates_what_needs_it_or_a_member_of_it() -> None:
    assert names(gated_by(B, "tools")) == {"tools/list", "tools/call", "notifications/tools/list_changed"}
    assert names(gated_by(A, "resources.subscribe")) == {
        "resources/subscribe", "resources/unsubscribe", "notifications/resources/updated",
    }  # fmt: skip
    assert names(gated_by(MODERN, "resources.subscribe")) == {"notifications/resources/updated"}
    assert gated_by(A, "completions") == () and names(gated_by(B, "completions")) == {"completion/complete"}
    assert names(gated_by(C, "elicitation")) == {"elicitation/create", "notifications/elicitation/complete"}
    assert gated_by(C, "tool") == ()


def test_cacheable_and_paged_results() -> None:
    lists = {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}
    assert {row.name for row in METHODS if row.cacheable} == {*lists, "resources/read", "server/discover"}
    assert {row.name for row in METHODS if row.paged} == {*lists, "tasks/list"}
    assert {row.name for row in METHODS if row.multi_round} == {"tools/call", "prompts/get", "resources/read"}
