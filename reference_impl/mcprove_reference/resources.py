"""The resources: a text, a binary and a template.

Spec: server/resources.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.core.errors import INVALID_PARAMS, RESOURCE_NOT_FOUND
from mcprove.spec.revisions import Lineage
from mcprove_reference.exchange import Refusal
from mcprove_reference.samples import PNG

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove.core.jsonrpc import Json
    from mcprove.spec.revisions import Revision
    from mcprove_reference.exchange import Call, Handler, Params, Result
    from mcprove_reference.pages import Pager

Contents = dict[str, "Json"]

TEXT: Contents = {"uri": "test://static-text", "mimeType": "text/plain", "text": "a static text"}
BINARY: Contents = {"uri": "test://static-binary", "mimeType": "image/png", "blob": PNG}
RESOURCES = {str(contents["uri"]): contents for contents in (BINARY, TEXT)}

TEMPLATE_PREFIX, TEMPLATE_SUFFIX = "test://template/", "/data"
TEMPLATE = f"{TEMPLATE_PREFIX}{{id}}{TEMPLATE_SUFFIX}"


class Resources:
    """Lists and reads the resources."""

    capability = "resources"

    def __init__(self, pager: Pager) -> None:
        self.pager = pager

    def methods(self) -> Mapping[str, Handler]:
        """Return the methods of this feature."""
        return {
            "resources/list": self.list_resources,
            "resources/templates/list": self.list_templates,
            "resources/read": self.read_resource,
        }

    def list_resources(self, params: Params, _call: Call) -> Result:
        """Answer ``resources/list``."""
        entries = [(uri, self.resource_entry(contents)) for uri, contents in sorted(RESOURCES.items())]
        return self.pager.page("resources", entries, params)

    def resource_entry(self, contents: Contents) -> dict[str, Json]:
        """Return the list entry of a resource."""
        uri = str(contents["uri"])
        return {"uri": uri, "name": uri.removeprefix("test://"), "mimeType": contents["mimeType"]}

    def list_templates(self, params: Params, _call: Call) -> Result:
        """Answer ``resources/templates/list``."""
        entry: dict[str, Json] = {"uriTemplate": TEMPLATE, "name": "template", "mimeType": "text/plain"}
        return self.pager.page("resourceTemplates", [(TEMPLATE, entry)], params)

    def read_resource(self, params: Params, call: Call) -> Result:
        """Answer ``resources/read``."""
        uri = str(params["uri"])
        contents = RESOURCES.get(uri) or self.from_template(uri)
        if contents is None:
            raise self.not_found(uri, call.revision)
        return {"contents": [contents]}

    def from_template(self, uri: str) -> Contents | None:
        """Return the contents that the template yields for a URI, None where it does not match."""
        name = uri.removeprefix(TEMPLATE_PREFIX).removesuffix(TEMPLATE_SUFFIX)
        if not name or "/" in name or uri != f"{TEMPLATE_PREFIX}{name}{TEMPLATE_SUFFIX}":
            return None
        return {"uri": uri, "mimeType": "text/plain", "text": f"data of {name}"}

    def not_found(self, uri: str, revision: Revision) -> Refusal:
        """Return the refusal of an unknown URI. Keeps error.retired-codes, resources.not-found-32002."""
        code = INVALID_PARAMS if revision.lineage is Lineage.MODERN else RESOURCE_NOT_FOUND
        return Refusal(code, "resource not found", {"uri": uri})
