"""Requests over HTTP by wrk: a closed loop over connections that stay open, from one thread."""
import json
import os
import re
import subprocess
from dataclasses import dataclass, field

from failure import Failure
from others import TICKS_PER_SECOND, status

SLACK_S = 60
UNITS = {"us": 1, "ms": 1e3, "s": 1e6, "m": 60e6}
# Each connection asks for the paths in turn, and what is asked for is written out beforehand.
SCRIPT = """
local requests, turn = {}, 0
function init()
    for _, path in ipairs(PATHS) do requests[#requests + 1] = wrk.format(METHOD, path, HEADERS, BODY) end
end
function request()
    turn = turn % #requests + 1
    return requests[turn]
end
"""


@dataclass(frozen=True)
class Load:
    """What is asked, again and again."""

    paths: list
    method: str = "GET"
    body: str = ""
    headers: dict = field(default_factory=dict)

    def script(self):
        headers = ", ".join(f"[{json.dumps(name)}] = {json.dumps(value)}" for name, value in self.headers.items())
        paths = ", ".join(map(json.dumps, self.paths))
        body = json.dumps(self.body) if self.body else "nil"
        values = ", ".join([json.dumps(self.method), body, f"{{{headers}}}", f"{{{paths}}}"])
        return f"local METHOD, BODY, HEADERS, PATHS = {values}{SCRIPT}"


class Wrk:
    """Loads one server and measures a window on request."""

    def __init__(self, name, address, load, servers, case, options, folder):
        self.name, self.address, self.servers, self.case, self.options = name, address, servers, case, options
        self.file = folder / f"{name}-{case.name}.lua"
        self.file.write_text(load.script())

    def measure(self):
        """A report as those of the other benches: calls a second, and processor time for each."""
        self.run(self.options.warm_up)
        before = self.server_seconds()
        text, client_seconds = self.run(self.options.seconds)
        report = parsed(text)
        count = report.pop("count")
        if report["errors"] or not count:
            raise Failure(f"{self.case.name}: {report['errors']} of {count} requests to {self.name} failed")
        return report | {"server_cpu_us": 1e6 * (self.server_seconds() - before) / count,
                         "client_cpu_us": 1e6 * client_seconds / count}

    def run(self, seconds):
        """What wrk says, and its own processor time. It knows whole seconds only."""
        seconds = max(1, round(seconds))
        command = ["wrk", "--threads", "1", "--connections", self.case.outstanding, "--duration", f"{seconds}s",
                   "--latency", "--timeout", "10s", "--script", self.file, f"http://{self.address}"]
        core = self.case.placement.client_core
        before = os.times()
        try:
            done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=seconds + SLACK_S,
                                  preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Failure(f"wrk measured nothing: {error}") from None
        if done.returncode:
            raise Failure(f"wrk ended with {done.returncode}: {done.stdout}{done.stderr}")
        after = os.times()
        return done.stdout, sum(after[2:4]) - sum(before[2:4])

    def server_seconds(self):
        """Processor time of the servers so far."""
        return sum(found[1][1] for pid in self.servers() if (found := status(pid))) / TICKS_PER_SECOND


def parsed(text):
    """wrk's report; what it doesn't mention is 0."""
    failures = re.findall(r"(?:connect|read|write|timeout|Non-2xx or 3xx responses:) (\d+)", text)
    return {"value": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
            "count": int(re.search(r"(\d+) requests in", text)[1]), "errors": sum(map(int, failures)),
            "p50_us": percentile(text, 50), "p99_us": percentile(text, 99)}


def percentile(text, which):
    number, unit = re.search(rf"^\s+{which}%\s+([\d.]+)(us|ms|s|m)", text, re.MULTILINE).groups()
    return float(number) * UNITS[unit]
