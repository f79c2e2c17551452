"""Finding the lanes: every revision is tried at once, each on a connection of its own.

Nothing waits for a deadline. As soon as one revision is agreed on, a connection that is still silent is sent an
opening of the other lineage behind the first; once that is answered, the first one never will be.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

from mcprove.core.errors import HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION
from mcprove.lane import ALL_LANES, HTTP, STDIO, Lane
from mcprove.spec.revisions import NEWEST_LEGACY, Lineage, Revision
from mcprove.verdict import TargetError

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Json
    from mcprove.exchange import Exchange
    from mcprove.probe import Probe
    from mcprove.tester import Tester

MODERN_ERRORS = frozenset({HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION})
HEAD_START = 0.3
REMAINDER = 5.0


@dataclass(frozen=True, slots=True)
class Survey:
    """What the target speaks.

    ``lanes`` are those that can be judged, ``offered`` tells for each transport which version came back for which
    one asked for in ``initialize`` (None: an error or nothing), ``server`` is how the target calls itself.
    Without ``keep_alive`` it serves one HTTP connection at a time, so that none may be kept open.
    """

    lanes: tuple[Lane, ...]
    offered: dict[str, dict[str, str | None]] = field(default_factory=dict)
    server: str = ""
    url: str | None = None
    keep_alive: bool = True

    def revisions(self, transport: str) -> tuple[Revision, ...]:
        """Return the revisions that the target speaks over a transport, oldest first."""
        return tuple(sorted(lane.revision for lane in self.lanes if lane.transport == transport))

    def speaks(self, transport: str, lineage: Lineage) -> bool:
        """Return whether the target speaks a lineage over a transport."""
        return any(revision.lineage is lineage for revision in self.revisions(transport))

    def to_json(self) -> dict[str, Any]:
        """Return plain data, to hand to another process."""
        return {"lanes": [str(lane) for lane in self.lanes], "offered": self.offered, "server": self.server,
                "url": self.url, "keep_alive": self.keep_alive}  # fmt: skip

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Survey:
        """Read what `to_json` returned."""
        return cls(tuple(map(Lane.parse, data["lanes"])), data["offered"], data["server"], data["url"],
                   data["keep_alive"])  # fmt: skip


Attempt = tuple[Lane, "Probe", bool]


def survey(tester: Tester) -> Survey:
    """Try every revision over every transport that the target has.

    Raises:
        TargetError: no revision judged here is spoken; the message says what came instead.

    """
    transports = [name for name, there in ((STDIO, tester.target.stdio), (HTTP, tester.target.http)) if there]
    with ThreadPoolExecutor(len(ALL_LANES) + 2) as pool:
        groups = [pool.submit(_survey_transport, tester, transport, pool) for transport in transports]
        found = [attempt for group in groups for attempt in group.result()]
    lanes = [lane for lane, probe, spoken in found if spoken]
    for lane, probe, spoken in found:
        tester.keep(lane, probe) if spoken else probe.close()
    if not lanes:
        raise TargetError(_nothing_spoken(tester, [probe for _, probe, _ in found]))
    return Survey(
        tuple(lane for lane in ALL_LANES if lane in lanes),
        {transport: _offered(found, transport) for transport in transports},
        next((name for _, probe, spoken in found if spoken and (name := server_name(probe))), ""),
        tester.target.http.url if tester.target.http else None,
        tester.keep_alive,
    )


def _survey_transport(tester: Tester, transport: str, pool: ThreadPoolExecutor) -> list[Attempt]:
    probes = [tester.connect(lane) for lane in ALL_LANES if lane.transport == transport]
    began = monotonic()
    openings: dict[Future[bool], Probe] = {pool.submit(_speaks, probe): probe for probe in probes}
    pending = set(openings)
    while pending:
        done, pending = wait(pending, timeout=tester.start_timeout, return_when=FIRST_COMPLETED)
        if any(future.result() for future in openings if future.done()) or not done:
            break
    if pending:
        _hurry({future: openings[future] for future in pending}, max(HEAD_START, (monotonic() - began) / 2))
    attempts = [(probe.lane, probe, future.result()) for future, probe in openings.items()]
    return _one_at_a_time(tester, attempts) if transport == HTTP and _starved(attempts) else attempts


def _starved(attempts: list[Attempt]) -> bool:
    """Return whether some openings were answered, others never: the former may keep the server."""
    heard = [probe.opening is not None and probe.opening.status is not None for _, probe, _ in attempts]
    return any(heard) and not all(heard)


def _one_at_a_time(tester: Tester, attempts: list[Attempt]) -> list[Attempt]:
    """Try again without keeping any connection open."""
    tester.keep_alive = False
    for _, probe, _ in attempts:
        probe.close()
    probes = [tester.connect(lane) for lane, *_ in attempts]
    return [(probe.lane, probe, _speaks(probe)) for probe in probes]


def _hurry(openings: dict[Future[bool], Probe], head_start: float) -> None:
    """Give the slower openings a head start, then prove them silent by a second opening."""
    _, silent = wait(openings, timeout=head_start)
    for future in silent:
        probe = openings[future]
        if not probe.is_http:
            probe.overtake()
    _, silent = wait(silent, timeout=max(REMAINDER, head_start * 4) if silent else 0)
    for future in silent:
        openings[future].abandon()


def _speaks(probe: Probe) -> bool:
    agreed = probe.open()
    opening = probe.opening
    if opening is None or opening.answer is None:
        return False
    if probe.lane.lineage is Lineage.MODERN:
        return agreed_to_modern(probe, opening)
    if agreed:
        return True
    version = (opening.result or {}).get("protocolVersion")
    unreadable = opening.result is not None and not isinstance(version, str)
    return unreadable and probe.revision is NEWEST_LEGACY


def agreed_to_modern(probe: Probe, opening: Exchange) -> bool:
    """Return whether an answer to ``server/discover`` shows a server of the modern lineage.

    A legacy server may answer anything with some object, so that a result alone shows nothing. A server that does
    not know ``server/discover``, or leaves the revision out of its list, is modern all the same when it serves
    ``tools/list`` the modern way.
    """
    if opening.error is not None and opening.error.code in MODERN_ERRORS:
        supported = opening.error.field("supported")
        return isinstance(supported, list) and probe.revision in supported
    listing = (opening.result or {}).get("supportedVersions")
    if isinstance(listing, list) and probe.revision in listing:
        return True
    listed = probe.request("tools/list")
    return listed.result is not None and "resultType" in listed.result


def _offered(found: list[Attempt], transport: str) -> dict[str, str | None]:
    return {str(lane.revision): offered_version(probe.opening) for lane, probe, _ in found
            if lane.transport == transport and lane.lineage is Lineage.LEGACY}  # fmt: skip


def offered_version(opening: Exchange | None) -> str | None:
    """Return the version in an answer to ``initialize``."""
    version = (opening.result or {}).get("protocolVersion") if opening else None
    return version if isinstance(version, str) else None


def server_name(probe: Probe) -> str:
    """Return how a server calls itself: name and version, in whichever place its lineage gives them."""
    result: dict[str, Json] = (probe.opening.result if probe.opening else None) or {}
    meta = result.get("_meta")
    info = result.get("serverInfo") or (isinstance(meta, dict) and meta.get("io.modelcontextprotocol/serverInfo"))
    if not isinstance(info, dict):
        return ""
    return " ".join(str(info[key]) for key in ("name", "version") if isinstance(info.get(key), str))


def _nothing_spoken(tester: Tester, probes: list[Probe]) -> str:
    reasons: dict[str, list[str]] = {}
    for probe in probes:
        reasons.setdefault(probe.trouble(), []).append(str(probe.lane))
    lines = [f"{', '.join(lanes)}: {reason}" for reason, lanes in reasons.items()]
    return "\n".join([f"{tester.target.name}: no revision judged here is spoken", *lines])
