"""The methods: who sends each one, in which revisions, behind which capability, and what it carries.

A name has one row for each set of revisions in which all of that is the same, so that no row has exceptions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mcprove.spec.revisions import LEGACY, MODERN, Revision


class Direction(Enum):
    """Which way a message goes."""

    CLIENT_TO_SERVER = "client-to-server"
    SERVER_TO_CLIENT = "server-to-client"
    BOTH = "both"

    def covers(self, other: Direction) -> bool:
        """Whether everything that goes the other way may go this way."""
        return self in (other, Direction.BOTH)


class MethodKind(Enum):
    """How a method travels."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    INPUT_REQUEST = "input request"  # an entry of InputRequiredResult.inputRequests, not a message


@dataclass(frozen=True, slots=True)
class Method:
    """One method in some revisions.

    Attributes:
        capability: What gates it, dotted (``resources.subscribe``); None when nothing does. A request is gated
            by a capability of its receiver and a notification by one of its sender, save
            ``notifications/elicitation/complete``, which the client's ``elicitation.url`` gates.
        params: The definition in `mcprove.spec.schemas` that judges the params, where one is written. Params
            that are left out are judged as an empty object.
        result: The definition of a complete result, where one is written.
        cacheable: The complete result carries ``ttlMs`` and ``cacheScope`` (modern lineage only).
        paged: The request takes ``cursor`` and the result gives ``nextCursor``.
        multi_round: The answer may be an ``InputRequiredResult`` (modern lineage only).

    """

    name: str
    kind: MethodKind
    direction: Direction
    revisions: tuple[Revision, ...]
    capability: str | None = None
    params: str | None = None
    result: str | None = None
    cacheable: bool = False
    paged: bool = False
    multi_round: bool = False


_REQUEST = MethodKind.REQUEST
_NOTIFICATION = MethodKind.NOTIFICATION
_INPUT = MethodKind.INPUT_REQUEST

_TO_SERVER = Direction.CLIENT_TO_SERVER
_TO_CLIENT = Direction.SERVER_TO_CLIENT
_BOTH = Direction.BOTH

_ALL = tuple(Revision)
_A = (Revision.R2024_11_05,)
_C = (Revision.R2025_11_25,)
_FROM_B = (Revision.R2025_06_18, Revision.R2025_11_25, Revision.R2026_07_28)
_B_AND_C = (Revision.R2025_06_18, Revision.R2025_11_25)

_PAGE = "PaginatedRequestParams"
_CHANGED = "NotificationParams"

# fmt: off
# Columns: name, kind, direction, revisions, capability, params, result.
METHODS: tuple[Method, ...] = (
    Method("initialize", _REQUEST, _TO_SERVER, LEGACY, None, "InitializeRequestParams", "InitializeResult"),
    Method("ping", _REQUEST, _BOTH, LEGACY, None, "RequestParams", "EmptyResult"),
    Method("server/discover", _REQUEST, _TO_SERVER, MODERN, None, "RequestParams", "DiscoverResult",
           cacheable=True),
    Method("tools/list", _REQUEST, _TO_SERVER, _ALL, "tools", _PAGE, "ListToolsResult", cacheable=True,
           paged=True),
    Method("tools/call", _REQUEST, _TO_SERVER, _ALL, "tools", "CallToolRequestParams", "CallToolResult",
           multi_round=True),
    Method("prompts/list", _REQUEST, _TO_SERVER, _ALL, "prompts", _PAGE, cacheable=True, paged=True),
    Method("prompts/get", _REQUEST, _TO_SERVER, _ALL, "prompts", multi_round=True),
    Method("resources/list", _REQUEST, _TO_SERVER, _ALL, "resources", _PAGE, cacheable=True, paged=True),
    Method("resources/templates/list", _REQUEST, _TO_SERVER, _ALL, "resources", _PAGE, cacheable=True,
           paged=True),
    Method("resources/read", _REQUEST, _TO_SERVER, _ALL, "resources", cacheable=True, multi_round=True),
    Method("resources/subscribe", _REQUEST, _TO_SERVER, LEGACY, "resources.subscribe", None, "EmptyResult"),
    Method("resources/unsubscribe", _REQUEST, _TO_SERVER, LEGACY, "resources.subscribe", None, "EmptyResult"),
    Method("completion/complete", _REQUEST, _TO_SERVER, _A),
    Method("completion/complete", _REQUEST, _TO_SERVER, _FROM_B, "completions"),
    Method("logging/setLevel", _REQUEST, _TO_SERVER, LEGACY, "logging", None, "EmptyResult"),
    Method("tasks/get", _REQUEST, _BOTH, _C, "tasks"),
    Method("tasks/result", _REQUEST, _BOTH, _C, "tasks"),
    Method("tasks/cancel", _REQUEST, _BOTH, _C, "tasks.cancel"),
    Method("tasks/list", _REQUEST, _BOTH, _C, "tasks.list", _PAGE, paged=True),
    Method("subscriptions/listen", _REQUEST, _TO_SERVER, MODERN, None, "SubscriptionsListenRequestParams",
           "SubscriptionsListenResult"),
    Method("roots/list", _REQUEST, _TO_CLIENT, LEGACY, "roots", "RequestParams"),
    Method("roots/list", _INPUT, _TO_CLIENT, MODERN, "roots"),
    Method("sampling/createMessage", _REQUEST, _TO_CLIENT, LEGACY, "sampling"),
    Method("sampling/createMessage", _INPUT, _TO_CLIENT, MODERN, "sampling"),
    Method("elicitation/create", _REQUEST, _TO_CLIENT, _B_AND_C, "elicitation"),
    Method("elicitation/create", _INPUT, _TO_CLIENT, MODERN, "elicitation"),
    Method("notifications/initialized", _NOTIFICATION, _TO_SERVER, LEGACY, None, _CHANGED),
    # A modern server cancels nothing but a stream of subscriptions/listen.
    Method("notifications/cancelled", _NOTIFICATION, _BOTH, _ALL, None, "CancelledNotificationParams"),
    Method("notifications/progress", _NOTIFICATION, _BOTH, LEGACY, None, "ProgressNotificationParams"),
    Method("notifications/progress", _NOTIFICATION, _TO_CLIENT, MODERN, None, "ProgressNotificationParams"),
    Method("notifications/message", _NOTIFICATION, _TO_CLIENT, _ALL, "logging",
           "LoggingMessageNotificationParams"),
    Method("notifications/tools/list_changed", _NOTIFICATION, _TO_CLIENT, _ALL, "tools.listChanged",
           _CHANGED),
    Method("notifications/prompts/list_changed", _NOTIFICATION, _TO_CLIENT, _ALL, "prompts.listChanged",
           _CHANGED),
    Method("notifications/resources/list_changed", _NOTIFICATION, _TO_CLIENT, _ALL, "resources.listChanged",
           _CHANGED),
    Method("notifications/resources/updated", _NOTIFICATION, _TO_CLIENT, _ALL, "resources.subscribe",
           "ResourceUpdatedNotificationParams"),
    Method("notifications/subscriptions/acknowledged", _NOTIFICATION, _TO_CLIENT, MODERN, None,
           "SubscriptionsAcknowledgedNotificationParams"),
    Method("notifications/roots/list_changed", _NOTIFICATION, _TO_SERVER, LEGACY, "roots.listChanged",
           _CHANGED),
    Method("notifications/elicitation/complete", _NOTIFICATION, _TO_CLIENT, _C, "elicitation.url"),
    Method("notifications/tasks/status", _NOTIFICATION, _BOTH, _C, "tasks"),
)
# fmt: on

_BY_NAME = {revision: {row.name: row for row in METHODS if revision in row.revisions} for revision in Revision}


def method(name: str, revision: Revision | None = None) -> Method | None:
    """Return a method as a revision has it, or else as the newest that has it; None when there is none."""
    searched = (revision,) if revision else reversed(Revision)
    return next((_BY_NAME[each][name] for each in searched if name in _BY_NAME[each]), None)


def requests(revision: Revision, direction: Direction) -> tuple[Method, ...]:
    """Return the requests of a revision that may go a given way."""
    return _of_kind(MethodKind.REQUEST, revision, direction)


def notifications(revision: Revision, direction: Direction) -> tuple[Method, ...]:
    """Return the notifications of a revision that may go a given way."""
    return _of_kind(MethodKind.NOTIFICATION, revision, direction)


def input_requests(revision: Revision) -> tuple[Method, ...]:
    """Return what a server may ask for inside an ``InputRequiredResult``. Spec: basic/patterns/mrtr."""
    return _of_kind(MethodKind.INPUT_REQUEST, revision, Direction.SERVER_TO_CLIENT)


def gated_by(revision: Revision, capability: str) -> tuple[Method, ...]:
    """Return the methods of every kind that need a capability or a member of it (``tools.listChanged``)."""
    gated = (row for row in METHODS if revision in row.revisions and row.capability)
    return tuple(row for row in gated if f"{row.capability}.".startswith(f"{capability}."))


def _of_kind(kind: MethodKind, revision: Revision, direction: Direction) -> tuple[Method, ...]:
    rows = (row for row in METHODS if row.kind is kind and revision in row.revisions)
    return tuple(row for row in rows if row.direction.covers(direction))
