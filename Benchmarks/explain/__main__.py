"""What it costs the gateway that Explore can explain itself, and which part of the time a plan covers.

Instructions of the gateway are counted by valgrind, since noise on a shared machine is more than the difference that is
sought; there they are the same within 1 %. The services run as they are.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "driver"))

from children import Children  # noqa: E402
from failure import Failure  # noqa: E402

CALLS = 300
ROUNDS = 3
NATIVE_CALLS = 1000
SEARCHES = [(1000, 20), (1000, 200), (100_000, 200)]
PATIENCE_S = 300
SERVICES = {"places-service": "--places", "pin-service": "--pins", "photo-service": "--photos"}


class Stack:
    """The services behind a gateway, and gateways."""

    def __init__(self, folder, binaries, children):
        self.folder, self.binaries, self.children = folder, binaries, children
        self.key = folder / "key"
        self.key.write_text(secrets.token_hex(32) + "\n")
        self.key.chmod(0o600)
        self.behind = []
        for name, flag in SERVICES.items():
            _, address = self.serve(name, [binaries / name])
            self.behind += [flag, address]

    def serve(self, name, command, *words, **more):
        data = self.folder / name
        data.mkdir()
        common = ["--listen", "127.0.0.1:0", "--data", data, "--key-file", self.key, "--admin", "none", "--loops", 1,
                  "--lifeline", 0]
        with open(self.folder / f"{name}.log", "wb") as log:
            child = self.children.start(name, [*command, *common, *words], None, log, **more)
        return child, json.loads(child.line(PATIENCE_S))["address"]

    def gateway(self, name, command, **more):
        child, address = self.serve(name, command, "--http", "none", "--confine", "off", *self.behind, **more)
        caller = self.children.start(
            f"calls of {name}", [self.binaries / "waymark-bench", "explained", "--target", address])
        return child, Caller(caller)


class Caller:
    def __init__(self, child):
        self.child = child

    def explore(self, is_explained, calls, radius=1000, limit=20):
        self.child.tell(f"{'on' if is_explained else 'off'} {calls} {radius} {limit}")
        return json.loads(self.child.line(PATIENCE_S))


class Counted:
    """A gateway whose instructions are counted."""

    def __init__(self, stack, name, program):
        stripped, shim = stack.folder / f"{name}.bin", stack.folder / "suspend.so"
        self.output = stack.folder / f"{name}.callgrind"
        # Swift's debug information is more than valgrind reads.
        subprocess.run(["strip", "-o", stripped, program], check=True)
        subprocess.run(["clang", "-shared", "-fPIC", "-o", shim, HERE / "suspend.c"], check=True)
        log = stack.folder / f"{name}.valgrind"
        self.child, self.caller = stack.gateway(
            name,
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={self.output}", f"--log-file={log}", stripped],
            environment={"LD_PRELOAD": str(shim)})
        self.caller.explore(False, 2 * CALLS)

    def per_call(self, is_explained):
        self.control("-z")
        self.caller.explore(is_explained, CALLS)
        self.control("-d")
        newest = max(self.output.parent.glob(f"{self.output.name}.*"), key=os.path.getmtime)
        for line in newest.read_text("utf-8").splitlines():
            if line.startswith("totals:"):
                return int(line.split()[1]) / CALLS
        raise Failure(f"{newest} has no total")

    def control(self, flag):
        subprocess.run(["callgrind_control", flag, str(self.child.pid)], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


def figures(options, folder, children):
    stack = Stack(folder, options.bin, children)
    _, caller = stack.gateway("native", [options.bin / "gateway"])
    # The places are there soon after the service is ready.
    time.sleep(2)
    caller.explore(True, NATIVE_CALLS // 4)
    for radius, limit in SEARCHES:
        plain, explained = (caller.explore(wants, NATIVE_CALLS, radius, limit) for wants in (False, True))
        yield f"time-{limit}-{radius}", f"{limit} of each in {radius} m: the client's wait, and what of it the plan covers", {
            "off_us": round(plain["median_us"]), "on_us": round(explained["median_us"]),
            "covered_percent": round(100 * explained["median_covered"], 1),
            "way_us": round(explained["median_rest_us"])}
    counted = {"new": Counted(stack, "new", options.bin / "gateway")}
    if options.against:
        counted["old"] = Counted(stack, "old", options.against / "gateway")
    counts = {}
    for _ in range(ROUNDS):
        for name, gateway in counted.items():
            counts.setdefault(name, []).append(gateway.per_call(False))
    # What disturbs only adds.
    values = {name: min(rounds) for name, rounds in counts.items()}
    values["on"] = counted["new"].per_call(True)
    shown = {"off": round(values["new"]), "on": round(values["on"]),
             "spread_percent": round(100 * (max(counts["new"]) / min(counts["new"]) - 1), 2)}
    if options.against:
        shown |= {"against": round(values["old"]),
                  "more_than_that_percent": round(100 * (values["new"] / values["old"] - 1), 2)}
    yield "instructions", "of the gateway for an exploration", shown


def main():
    parser = argparse.ArgumentParser(prog="script/bench explain", description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--against", type=Path, metavar="DIR", help="a build to compare with, as of an older commit")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Children() as children:
        for name, what, values in figures(options, Path(folder), children):
            if options.json:
                print(json.dumps({"case": name, "what": what, **values}), flush=True)
            else:
                print(f"{name}: {what}: " + ", ".join(f"{key} {value}" for key, value in values.items()), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Failure, OSError, subprocess.CalledProcessError) as failure:
        sys.exit(f"script/bench: {failure}")
