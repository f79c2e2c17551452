"""What the client does with a server: it lists the tools and calls one.

Spec: server/tools, server/utilities/pagination.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcprove.core.errors import HEADER_MISMATCH
from mcprove.spec.revisions import Lineage
from mcprove_reference.client import Refused
from mcprove_reference.client_params import ParamHeaders
from mcprove_reference.client_steps import Unusable, as_object, printable

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Json
    from mcprove_reference.client import Client
    from mcprove_reference.client_opening import Terms
    from mcprove_reference.client_steps import Outgoing, Talk

PAGE_LIMIT = 1000


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a visit."""

    terms: Terms
    tools: tuple[str, ...]
    call: str
    """The tool that was called and what it gave, or why none was."""

    def lines(self) -> list[str]:
        """Return the report for the user."""
        revision = self.terms.revision
        return [
            f"lineage: {revision.lineage.value}",
            f"revision: {revision}",
            f"server: {self.terms.server}",
            f"tools: {', '.join(self.tools) or 'none'}",
            f"call: {self.call}",
        ]


class Visit:
    """Opens a conversation, lists the tools and calls one: ``wanted``, or else the first that needs no arguments."""

    def __init__(self, client: Client, wanted: str | None = None, arguments: Outgoing | None = None) -> None:
        self.client = client
        self.wanted = wanted
        self.arguments = arguments or {}
        self.params = ParamHeaders()

    def parts(self) -> tuple[object, ...]:
        """Return the objects whose methods a fault can replace."""
        return (self, self.params, *self.client.parts())

    def talk(self) -> Talk[Report]:
        """Run the visit.

        Raises:
            Unusable: the server could not be used.

        """
        terms = yield from self.client.open()
        tools = (yield from self.list_tools()) if self.offers_tools() else []
        call = yield from self.call_one(tools)
        return Report(self.client.terms or terms, tuple(printable(tool["name"]) for tool in tools), call)

    def offers_tools(self) -> bool:
        """Tell whether the server declared tools, be it by an empty object.

        Keeps lifecycle.only-negotiated-capabilities.
        """
        return "tools" in self.client.terms.capabilities

    # The list.

    def list_tools(self) -> Talk[list[Outgoing]]:
        """Return the tools of all pages."""
        tools: list[Outgoing] = []
        params: Outgoing = {}
        for _ in range(PAGE_LIMIT):
            page = yield from self.client.request("tools/list", params)
            tools += self.read_page(page)
            cursor = page.get("nextCursor")
            if not self.has_next_page(cursor):
                return tools
            params = {"cursor": cursor}
        raise Unusable(f"tools/list goes on after {PAGE_LIMIT} pages")

    def has_next_page(self, cursor: Json) -> bool:
        """Tell whether a cursor leads on; an empty one does.

        Keeps pagination.client-empty-cursor, pagination.client-missing-cursor-ends.
        """
        return isinstance(cursor, str)

    def read_page(self, page: Outgoing) -> list[Outgoing]:
        """Return the tools of a page that can be called.

        Keeps tools.client-tolerates-unknown-tool-fields.
        """
        entries = page.get("tools")
        if not isinstance(entries, list):
            raise Unusable("tools/list was answered without a list of tools")
        named = [tool for tool in entries if isinstance(tool, dict) and isinstance(tool.get("name"), str)]
        return [tool for tool in named if not self.mirrors_params() or self.params.defect(tool) is None]

    def mirrors_params(self) -> bool:
        """Tell whether arguments are repeated in headers: over HTTP, by modern clients."""
        return self.client.over_http and self.client.lineage is Lineage.MODERN

    # The call.

    def call_one(self, tools: list[Outgoing]) -> Talk[str]:
        """Call a tool and return what came of it."""
        tool = self.choose_tool(tools)
        if tool is None:
            return "none, as every tool needs arguments" if tools else "none, as there is no tool"
        result = yield from self.call_tool(tool)
        return f"{printable(tool['name'])}: {self.outcome(result)}"

    def choose_tool(self, tools: list[Outgoing]) -> Outgoing | None:
        """Return the tool to call; only one that was listed can be. Keeps tools.client-call-shape."""
        if self.wanted is None:
            return next((tool for tool in tools if not self.needs_arguments(tool)), None)
        for tool in tools:
            if tool["name"] == self.wanted:
                return tool
        raise Unusable(f"the server lists no tool of the name {printable(self.wanted)}")

    def needs_arguments(self, tool: Outgoing) -> bool:
        """Tell whether a tool cannot be called without arguments."""
        return bool(as_object(tool.get("inputSchema")).get("required"))

    def call_tool(self, tool: Outgoing) -> Talk[Outgoing]:
        """Call a tool; if its headers are refused, list the tools anew and try once more."""
        try:
            return (yield from self.call_once(tool))
        except Refused as refusal:
            if refusal.code != HEADER_MISMATCH or not self.mirrors_params():
                raise
        tools = yield from self.list_tools()
        fresh = [known for known in tools if known["name"] == tool["name"]]
        return (yield from self.call_once(fresh[0] if fresh else tool))

    def call_once(self, tool: Outgoing) -> Talk[Outgoing]:
        """Call a tool."""
        headers = self.params.headers(tool, self.arguments) if self.mirrors_params() else {}
        params: Outgoing = {"name": tool["name"], "arguments": self.arguments}
        return (yield from self.client.request("tools/call", params, headers))

    def outcome(self, result: Outgoing) -> str:
        """Return what a call came to. Keeps tools.client-handles-is-error."""
        blocks = result.get("content")
        shown = [self.show(block) for block in blocks] if isinstance(blocks, list) else []
        said = "; ".join(shown) or "no content"
        return f"failed: {said}" if result.get("isError") is True else f"ok: {said}"

    def show(self, block: Json) -> str:
        """Return one line for a block of content."""
        known = as_object(block)
        return printable(known["text"]) if "text" in known else f"[{printable(known.get('type', 'unknown'))}]"
