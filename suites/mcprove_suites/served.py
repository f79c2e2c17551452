"""Requests that a server was seen to serve: the twins of those that it has to refuse."""

from __future__ import annotations

from mcprove import Inconclusive, Json, Lineage, Probe
from mcprove_suites.harmless import is_plain

# What a server can be asked for without arguments, by the capability that it needs.
LISTS = {"tools": "tools/list", "resources": "resources/list", "prompts": "prompts/list"}
Request = tuple[str, "Json"]


def served_requests(probe: Probe) -> list[Request]:
    """Return one harmless request of each method that the server was seen to serve, a list first if there is one."""
    return probe.once(_served_requests)


def _served_requests(probe: Probe) -> list[Request]:
    tried: list[Request] = [(method, None) for feature, method in LISTS.items() if feature in probe.capabilities]
    always = "server/discover" if probe.lane.lineage is Lineage.MODERN else "ping"
    tried += [(always, None), *_resources(probe), *_prompts(probe), *_tools(probe)]
    served = [(method, params) for method, params in tried if probe.request(method, params).result is not None]
    if not served:
        raise Inconclusive("nothing was served that a refusal could be held against")
    return served


def _resources(probe: Probe) -> list[Request]:
    reads: list[Request] = [("resources/read", {"uri": entry["uri"]}) for entry in _listed(probe, "resources")[:1]]
    return [("resources/templates/list", None), *reads] if "resources" in probe.capabilities else []


def _prompts(probe: Probe) -> list[Request]:
    found: list[Request] = []
    for prompt in _listed(probe, "prompts")[:1]:
        declared = prompt.get("arguments")
        names = [str(each["name"]) for each in declared if isinstance(each, dict)] if isinstance(declared, list) else []
        found.append(("prompts/get", {"name": prompt["name"], "arguments": dict.fromkeys(names, "x")}))
        if names and "completions" in probe.capabilities:
            ref: Json = {"type": "ref/prompt", "name": prompt["name"]}
            found.append(("completion/complete", {"ref": ref, "argument": {"name": names[0], "value": "x"}}))
    return found


def _tools(probe: Probe) -> list[Request]:
    found = [tool for tool in (probe.tools() if "tools" in probe.capabilities else []) if is_plain(probe, tool)]
    return [("tools/call", {"name": tool["name"]}) for tool in found[:1]]


def _listed(probe: Probe, feature: str) -> list[dict[str, Json]]:
    if feature not in probe.capabilities:
        return []
    listed = (probe.request(LISTS[feature]).result or {}).get(feature)
    needed = "uri" if feature == "resources" else "name"
    return [each for each in listed if isinstance(each, dict) and needed in each] if isinstance(listed, list) else []
