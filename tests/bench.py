"""What a run costs: ``tox -e bench``. Every figure is the median of several rounds; ratios compare within a round."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

ROUNDS = int(os.environ.get("MCPROVE_BENCH_ROUNDS", "5"))
SERVE = [sys.executable, "-m", "mcprove_reference", "serve"]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
DISCOVER = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}}


def timed(command: list[str], cwd: str) -> tuple[float, str]:
    """Return the seconds that a command takes, and what it prints."""
    began = perf_counter()
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    if ended.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{ended.stdout}{ended.stderr}")
    return perf_counter() - began, ended.stdout


def start_stdio() -> float:
    """Return the seconds from launching the reference server until its first answer."""
    began = perf_counter()
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(DISCOVER).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        took = perf_counter() - began
        process.stdin.close()
    return took


def start_http() -> float:
    """Return the seconds from launching the reference server until it says that it listens."""
    began = perf_counter()
    with subprocess.Popen([*SERVE, "--http", "0"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "listening" not in (line := process.stderr.readline()):
            assert line, "the reference server ended"
        took = perf_counter() - began
        process.terminate()
    return took


def whole_run(folder: str, *words: str) -> dict[str, float]:
    """Judge the reference server in every lane; return the wall time and the counts of the run."""
    report = Path(folder) / "run.jsonl"
    wall, out = timed([sys.executable, "-m", "mcprove.cli", "run", f"--mcprove-report={report}", *words], folder)
    events = [json.loads(line) for line in report.read_text("utf-8").splitlines()]
    launched = re.search(r"(\d+) process", out)
    checks = sum(event["event"] == "check-finished" for event in events)
    return {"wall": wall, "checks": checks, "launches": int(launched[1]) if launched else 0}


def plugin_cost(folder: str) -> tuple[float, float]:
    """Return the seconds of a one-test pytest run without and with the plugin."""
    (Path(folder) / "test_one.py").write_text("def test_one():\n    pass\n", "utf-8")
    plain = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_one.py"]
    return timed([*plain, "-p", "no:mcprove"], folder)[0], timed(plain, folder)[0]


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        whole_run(folder)
        rounds = []
        for _ in range(ROUNDS):
            run = whole_run(folder)
            without, with_plugin = plugin_cost(folder)
            rounds.append({**run, "stdio": start_stdio(), "http": start_http(), "plugin": with_plugin - without})
    middle = {key: statistics.median(found[key] for found in rounds) for key in rounds[0]}
    share = statistics.median(
        (found["stdio"] * (found["launches"] - 1) + found["http"]) / found["wall"] for found in rounds
    )
    print(f"a whole run, 8 lanes:          {middle['wall']:.2f} s for {middle['checks']:.0f} checks, "
          f"{middle['checks'] / middle['wall']:.0f} checks/s")  # fmt: skip
    print(f"processes launched:            {middle['launches']:.0f}")
    print(f"start of the target:           stdio {middle['stdio'] * 1000:.0f} ms, HTTP {middle['http'] * 1000:.0f} ms")
    print(f"all starts, one after another: {share:.0%} of the wall time of the run")
    print(f"the plugin in another run:     {middle['plugin'] * 1000:+.0f} ms")


if __name__ == "__main__":
    main()
