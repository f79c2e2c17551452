"""What the parts of the server pass to each other while one request is served."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcprove.core import jsonrpc

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcprove.core.jsonrpc import Id, Json, Message
    from mcprove.spec.revisions import Revision

Params = dict[str, "Json"]
Result = dict[str, "Json"]
Outgoing = dict[str, "Json"]
if TYPE_CHECKING:
    Handler = Callable[[Params, "Call"], Result]


def params_of(message: Message) -> Params:
    """Return the params of a message, empty where there are none or they are not an object."""
    return message.params if isinstance(message.params, dict) else {}


def readable_id(message: Message) -> Json:
    """Return the id that an error may repeat, or `jsonrpc.OMIT`. Keeps error.unreadable-id-omitted."""
    readable = isinstance(message.id, str | int) and not isinstance(message.id, bool)
    return message.id if readable else jsonrpc.OMIT


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not a failure of the server
    """A request is answered with an error: its code, one sentence, and perhaps data."""

    def __init__(self, code: int, message: str, data: Json = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def response(self, request_id: Json = jsonrpc.OMIT) -> Outgoing:
        """Return the error response; without an id where none could be read."""
        data = jsonrpc.OMIT if self.data is None else self.data
        return jsonrpc.error(request_id, self.code, self.message, data)


@dataclass(slots=True)
class Session:
    """A conversation: the revision that it was opened with, None until ``initialize``."""

    revision: Revision | None = None


@dataclass(slots=True)
class Call:
    """One request being served: the revision that rules it, and what is said before its result."""

    revision: Revision
    progress_token: Id | None = None
    notifications: list[Outgoing] = field(default_factory=list)

    def notify(self, method: str, params: Params) -> None:
        """Queue a notification that belongs to this request."""
        self.notifications.append(jsonrpc.notification(method, params))
