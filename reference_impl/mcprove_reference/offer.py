"""What the server offers, the same to both lineages: its name, its capabilities and their methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.core.errors import INVALID_PARAMS, METHOD_NOT_FOUND
from mcprove.spec.revisions import Revision
from mcprove_reference.exchange import Refusal
from mcprove_reference.pages import Pager
from mcprove_reference.params import SHAPES
from mcprove_reference.prompts import Prompts
from mcprove_reference.resources import Resources
from mcprove_reference.tools import Tools

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove_reference.exchange import Call, Handler, Params, Result

NAME, TITLE, VERSION = "mcprove-reference", "mcprove reference server", "0.1.0"
INSTRUCTIONS = "A server that keeps the protocol, to try clients and checks on."


class Offer:
    """Finds the method that a request names and runs it."""

    def __init__(self) -> None:
        self.pager = Pager()
        self.features = (Tools(self.pager), Resources(self.pager), Prompts(self.pager))

    def parts(self) -> tuple[object, ...]:
        """Return the objects whose methods a fault can replace."""
        return (self, self.pager, *self.features)

    def server_info(self, revision: Revision) -> Result:
        """Return the server's name and version, with the members that the revision defines."""
        info: Result = {"name": NAME, "version": VERSION}
        if revision is not Revision.R2024_11_05:
            info["title"] = TITLE
        return info

    def capabilities(self) -> Result:
        """Return a member for each feature.

        Keeps tools.capability, resources.capability, prompts.capability.
        """
        return {feature.capability: {} for feature in self.features}

    def feature_methods(self) -> Mapping[str, Handler]:
        """Return the methods of the features, as they are now."""
        return {name: handler for feature in self.features for name, handler in feature.methods().items()}

    def dispatch(self, methods: Mapping[str, Handler], method: str, params: Params, call: Call) -> Result:
        """Run the method, if there is one of this name."""
        if method not in methods:
            return self.unknown_method(method)
        self.check_params(method, params)
        return methods[method](params, call)

    def unknown_method(self, method: str) -> Result:
        """Refuse a method that is not offered.

        Keeps error.method-not-found, jsonrpc.unknown-method-32601.
        """
        raise Refusal(METHOD_NOT_FOUND, f"unknown method: {method}")

    def check_params(self, method: str, params: Params) -> None:
        """Refuse params without what the method needs.

        Keeps jsonrpc.invalid-params-32602, tools.malformed-call.
        """
        for name, kind, required in SHAPES.get(method, ()):
            if (required or name in params) and not isinstance(params.get(name), kind):
                raise Refusal(INVALID_PARAMS, f"params.{name} is missing or of the wrong type")
