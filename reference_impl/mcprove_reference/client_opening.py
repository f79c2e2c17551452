"""How the client finds out what a server speaks: a state machine, the same on stdio and on HTTP.

It opens with a probe, ``server/discover`` under the newest modern revision. State and finding together say what to do
next (`NEXT`). In short:

* a result with ``supportedVersions`` is that of a modern server: the newest revision that both speak is taken;
* error -32022 is that of a modern server too, which lists what it speaks: the probe is repeated once under that;
* errors -32021 and -32020 only a modern server gives: the request is mended, as far as it can be;
* a demand for authorization says nothing about the lineage, so there is nothing to go on with;
* anything else is a legacy server's way not to understand, be it an error of whatever code, silence or an exit:
  the handshake begins, ``initialize`` under the newest legacy revision.

Spec: basic/transports/stdio#backward-compatibility, basic/transports/streamable-http#backward-compatibility; for the
handshake 2025-11-25 basic/lifecycle#version-negotiation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from mcprove.core import meta
from mcprove.spec.revisions import LEGACY, NEWEST_LEGACY, NEWEST_MODERN, Lineage, Revision
from mcprove_reference.client_reading import COMPLETE, Finding, Reader, failure, supported_versions
from mcprove_reference.client_steps import Ask, Restart, Tell, Unusable, as_object, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcprove.core.jsonrpc import Json
    from mcprove_reference.client_messages import Messages
    from mcprove_reference.client_steps import Answer, Event, Outgoing, Step


class State(Enum):
    """What the opening waits for."""

    PROBED = auto()
    RESTARTED = auto()
    INITIALIZED = auto()
    CONFIRMED = auto()


# The method that takes the next step, by name; a finding that is not listed counts as `Finding.ELSE`.
NEXT: Mapping[State, Mapping[Finding, str]] = {
    State.PROBED: {
        Finding.DISCOVERED: "adopt_discovered",
        Finding.VERSION_REFUSED: "probe_supported",
        Finding.CAPABILITY_MISSING: "report_failure",
        Finding.HEADERS_REFUSED: "probe_again",
        Finding.UNAUTHORIZED: "report_failure",
        Finding.EXIT: "start_once_more",
        Finding.ELSE: "initialize",
    },
    State.RESTARTED: {Finding.ELSE: "initialize"},
    State.INITIALIZED: {
        Finding.RESULT: "confirm",
        Finding.DISCOVERED: "confirm",
        Finding.ELSE: "report_failure",
    },
    State.CONFIRMED: {Finding.ELSE: "adopt_negotiated"},
}


@dataclass(frozen=True, slots=True)
class Terms:
    """What the opening found: the revision to speak, and what the server says of itself."""

    revision: Revision
    server: str = "unnamed"
    capabilities: Mapping[str, Json] = field(default_factory=dict)


class Opening:
    """Opens a conversation: `begin`, then `on` each event, until terms come back instead of a step."""

    def __init__(self, messages: Messages, reader: Reader, patience: float, probe_patience: float) -> None:
        self.messages = messages
        self.reader = reader
        self.patience = patience
        self.probe_patience = probe_patience
        self.state = State.PROBED
        self.revision = NEWEST_MODERN
        self.repeated = False
        self.handshake: Outgoing = {}

    def begin(self) -> Step:
        """Probe the server. Keeps compat.stdio-probe."""
        self.repeated = False
        return self.probe(NEWEST_MODERN)

    def reopen(self, terms: Terms) -> Step | Terms:
        """Open again after the process or the session was lost: there is no need to probe.

        Keeps compat.client-caches-era, http.session-client-reinitializes-on-404.
        """
        return terms if terms.revision.lineage is Lineage.MODERN else self.initialize()

    def on(self, event: Event) -> Step | Terms:
        """Return what to do after an event: a step, or nothing but to talk under these terms.

        Raises:
            Unusable: the two have no revision in common, or the server does not open at all.

        """
        moves = NEXT[self.state]
        move = moves.get(self.reader.classify(event)) or moves[Finding.ELSE]
        taken: Step | Terms = getattr(self, move)(event)
        return taken

    # The modern lineage.

    def probe(self, revision: Revision) -> Step:
        """Ask what the server speaks. Keeps discover.no-body-params."""
        self.state, self.revision = State.PROBED, revision
        return Ask(self.messages.build_request(revision, "server/discover", {}), self.probe_patience)

    def adopt_discovered(self, event: Answer) -> Terms:
        """Go on under a version of the result. Keeps compat.stdio-discover-ok."""
        result = as_object(event.message.result)
        if self.reader.result_type(result) != COMPLETE:
            self.report_failure(event)
        self.revision = self.reader.choose_modern(result["supportedVersions"])
        info = as_object(result.get("_meta")).get(meta.SERVER_INFO)
        return Terms(self.revision, server_name(info), as_object(result.get("capabilities")))

    def probe_supported(self, event: Answer) -> Step:
        """Ask again, once, under a version that the refusal lists.

        Keeps version.client-retries-supported, compat.stdio-modern-error, compat.http-modern-error-no-fallback.
        """
        revision = self.reader.choose_modern(supported_versions(event))
        return self.report_failure(event) if self.repeated else self.probe_once_more(revision)

    def probe_again(self, event: Answer) -> Step:
        """Build the request and its headers anew, once; more there is not to mend."""
        return self.report_failure(event) if self.repeated else self.probe_once_more(self.revision)

    def probe_once_more(self, revision: Revision) -> Step:
        """Repeat the probe, and remember that it was."""
        self.repeated = True
        return self.probe(revision)

    # The legacy lineage.

    def start_once_more(self, _event: Event) -> Step:
        """Start the process again, which ended at the probe. Keeps compat.client-other-means-legacy."""
        self.state = State.RESTARTED
        return Restart()

    def initialize(self, _event: Event | None = None) -> Step:
        """Begin the handshake.

        Keeps compat.stdio-fallback-any-error, compat.stdio-fallback-timeout, compat.http-fallback-unrecognised,
        lifecycle.client-sends-latest-version.
        """
        self.state, self.revision = State.INITIALIZED, NEWEST_LEGACY
        params = self.messages.initialize_params(NEWEST_LEGACY)
        return Ask(self.messages.build_request(NEWEST_LEGACY, "initialize", params), self.patience)

    def confirm(self, event: Answer) -> Step:
        """Accept the server's choice and end the handshake. Keeps lifecycle.initialized-sent."""
        self.handshake = as_object(event.message.result)
        self.revision = self.accept_legacy(self.handshake.get("protocolVersion"))
        self.state = State.CONFIRMED
        return Tell(self.messages.initialized())

    def accept_legacy(self, chosen: Json) -> Revision:
        """Return the revision that the server chose. Keeps lifecycle.client-disconnects-on-unsupported.

        Raises:
            Unusable: it is not spoken here.

        """
        for revision in LEGACY:
            if revision == chosen:
                return revision
        spoken = ", ".join(LEGACY)
        raise Unusable(f"the server answered initialize with revision {printable(chosen)}; spoken here: {spoken}")

    def adopt_negotiated(self, _event: Event) -> Terms:
        """Go on under what the handshake agreed on. Keeps lifecycle.respect-negotiated-version."""
        name = server_name(self.handshake.get("serverInfo"))
        return Terms(self.revision, name, as_object(self.handshake.get("capabilities")))

    def report_failure(self, event: Event) -> Step:
        """Give up.

        Raises:
            Unusable: always.

        """
        asked = "server/discover" if self.state is State.PROBED else "initialize"
        raise Unusable(f"the server does not open: {asked} {failure(event)}")


def server_name(info: Json) -> str:
    """Return the name and version of a server, for the user."""
    known = as_object(info)
    return printable(" ".join(str(known[key]) for key in ("name", "version") if key in known)) or "unnamed"
