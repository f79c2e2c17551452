"""The legacy lineage: ``initialize`` opens a conversation, whose revision rules what follows.

Spec: 2025-11-25 basic/lifecycle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.core import meta
from mcprove.core.errors import INVALID_PARAMS
from mcprove.spec.revisions import negotiate
from mcprove_reference.exchange import Refusal, params_of
from mcprove_reference.offer import INSTRUCTIONS

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Json, Message
    from mcprove.spec.revisions import Revision
    from mcprove_reference.exchange import Call, Params, Result, Session
    from mcprove_reference.offer import Offer


class Legacy:
    """Serves legacy conversations."""

    def __init__(self, offer: Offer) -> None:
        self.offer = offer

    def serve_legacy(self, request: Message, call: Call, session: Session) -> Result:
        """Serve a request of a conversation."""
        params = params_of(request)
        method = str(request.method)
        if method == "initialize":
            return self.initialize(params, session)
        if method == "ping":
            return self.ping()
        if session.revision is None:
            return self.not_opened(request, call)
        return self.offer.dispatch(self.offer.feature_methods(), method, params, call)

    def initialize(self, params: Params, session: Session) -> Result:
        """Open the conversation with the revision agreed on. Keeps compat.dual-server-initialize."""
        self.offer.check_params("initialize", params)
        session.revision = negotiated = self.negotiate(params["protocolVersion"])
        return self.initialize_result(negotiated)

    def negotiate(self, requested: Json) -> Revision:
        """Return the revision to speak: the one asked for, else our newest.

        Keeps lifecycle.echo-requested-version, lifecycle.offer-other-version, lifecycle.offer-latest-version.
        """
        return negotiate(requested)

    def initialize_result(self, revision: Revision) -> Result:
        """Return the server's half of the handshake. Keeps lifecycle.initialize-result."""
        return {
            "protocolVersion": str(revision),
            "capabilities": self.offer.capabilities(),
            "serverInfo": self.offer.server_info(revision),
            "instructions": INSTRUCTIONS,
        }

    def ping(self) -> Result:
        """Answer ``ping``, at any time. Keeps ping.reply-empty, lifecycle.ping-during-initialization."""
        return {}

    def not_opened(self, _request: Message, _call: Call) -> Result:
        """Refuse what belongs to neither lineage: no revision in ``_meta``, and no ``initialize`` before.

        A modern request without ``_meta`` must get this very code; a legacy one that is early may get any.
        Keeps meta.missing, lifecycle.request-before-initialize-refused.
        """
        raise Refusal(INVALID_PARAMS, f"neither {meta.PROTOCOL_VERSION} in params._meta nor initialize before")
