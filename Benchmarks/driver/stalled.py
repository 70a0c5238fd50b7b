"""How long explorations take at a fixed rate: p50 and p99 beside gRPC C++ at the same rate, and when the photo service
is stopped by SIGSTOP, so that each answer waits for its budget.
"""
import argparse
import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from statistics import median

from cases import PLACEMENTS, SERVER_CORE
from children import Children
from failure import Failure
from peers import RUN
from report import print_columns, short
from waymark import Waymark

RATES = [250, 500, 1000, 2000]  # that Benchmarks/peers/run grpc-even has
BUDGET_MS = 100
PLACEMENT = PLACEMENTS[0]
SLACK_S = 180
TITLES = ["", "calls/s", "p50 µs", "p99 µs"]


class Worker:
    """`waymark-bench` or a peer: measures a window for each line."""

    def __init__(self, name, child, options):
        self.name, self.child, self.options, self.windows = name, child, options, []

    def measure(self):
        self.child.tell()
        report = json.loads(self.child.line(self.options.seconds + self.options.warm_up + SLACK_S))
        if self.child.name.startswith("the peer"):
            self.child.line(SLACK_S)  # an empty line ends a round
        if report["errors"]:
            raise Failure(f"{report['errors']} calls of {self.name} failed")
        self.windows.append(report)

    def row(self):
        return {"bench": "stalled", "name": self.name} | {
            key: round(median(window[key] for window in self.windows), 1) for key in ("value", "p50_us", "p99_us")}


def ours(waymark, options, children, name, *more):
    servers = ",".join(str(service.pid) for service in waymark.services.values())
    words = ["explore", "--target", waymark.addresses["gateway"], "--queries", options.data / "queries.tsv",
             "--servers", servers, "--rate", options.rate, "--seconds", options.seconds, "--warm-up", options.warm_up,
             "--budget", BUDGET_MS, *more]
    child = children.start("waymark-bench", [options.bin / "waymark-bench", *words], PLACEMENT.client_core)
    return Worker(name, child, options)


def theirs(variant, options, children):
    child = children.start(f"the peer grpc {variant}", [
        RUN, "grpc-even", f"explore-{options.rate}", "--variant", variant, "--placement", PLACEMENT.name, "--paced",
        "--build", options.peers_build, "--seconds", options.seconds, "--warmup", options.warm_up])
    return Worker(f"grpc {variant}", child, options)


def measured(options):
    with tempfile.TemporaryDirectory(prefix="waymark-bench-") as folder, Children() as children:
        waymark = Waymark(options, children, Path(folder))
        backends = {"places-service": "--places", "pin-service": "--pins", "photo-service": "--photos"}
        for name in backends:
            waymark.serve(name, *(["--bundled", "none"] if name == "places-service" else []), core=SERVER_CORE)
        waymark.serve("gateway", *[word for name, flag in backends.items() for word in (flag, waymark.addresses[name])])
        waymark.fill("gateway")
        workers = [ours(waymark, options, children, "waymark")]
        workers += [theirs(variant, options, children) for variant in ("callback", "queue")]
        for _ in range(options.rounds):
            for worker in workers:
                worker.measure()
        photos = waymark.services["photo-service"].pid
        stalled = ours(waymark, options, children, "waymark, a service stopped", "--without", "photos")
        stalled.measure()  # all in memory
        stalled.windows.clear()
        os.kill(photos, signal.SIGSTOP)
        try:
            for _ in range(options.rounds):
                stalled.measure()
        finally:
            os.kill(photos, signal.SIGCONT)
        return [worker.row() for worker in [*workers, stalled]]


def main():
    parser = argparse.ArgumentParser(prog="script/bench stalled")
    parser.add_argument("--rate", type=int, choices=RATES, default=500, help="explorations a second")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--warm-up", type=float, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--peers-build", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.data = options.peers_build / "data"
    try:
        rows = measured(options)
    except Failure as failure:
        sys.exit(f"script/bench stalled: {failure}")
    if options.json:
        return print("\n".join(map(json.dumps, rows)))
    print(f"stalled: {options.rate:,} explorations a second with a budget of {BUDGET_MS} ms; {PLACEMENT.words}; "
          f"medians of {options.rounds} × {options.seconds:g} s\n")
    cells = [TITLES]
    cells += [[row["name"], f"{row['value']:,.0f}", short(row["p50_us"]), short(row["p99_us"])] for row in rows]
    print_columns(cells)


main()
