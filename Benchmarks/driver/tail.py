"""What late answers cost the other calls: p99 of echoes at a fixed rate when all are answered at once, and when every
hundredth is answered only after 200 ms, by a timer. Ours beside gRPC C++; the late ones are not counted.
"""
import argparse
import json
import sys
import tempfile
from pathlib import Path
from statistics import median

from cases import PLACEMENTS
from children import Children
from failure import Failure
from others import Others
from peers import RUN
from report import print_columns, rounded, short
from waymark import Waymark
from windows import LARGEST_DISTURBANCE

RATES = [1000, 5000, 20000]  # that Benchmarks/peers/run grpc-open has
LATE = 100
PLACEMENT = PLACEMENTS[0]
SLACK_S = 120
TITLES = ["", "calls/s", "p99 µs", "p99 µs with late ones", "ratio"]


class Pair:
    """A window without late answers, and the one with them right after it."""

    def __init__(self, even, tail, disturbance):
        self.even, self.tail, self.disturbance = even, tail, disturbance

    @property
    def ratio(self):
        return self.tail["p99_us"] / self.even["p99_us"]


class Ours:
    """The gateway, and a worker for each kind of window."""

    def __init__(self, waymark, options, children):
        self.name, self.options, self.children = "waymark", options, children
        self.words = ["tail", "--target", waymark.addresses["gateway"], "--servers", waymark.services["gateway"].pid,
                      "--rate", options.rate, "--seconds", options.seconds, "--warm-up", options.warm_up]
        self.workers = [self.start("--late", late) for late in (0, LATE)]

    def start(self, *words):
        return self.children.start("waymark-bench", [self.options.bin / "waymark-bench", *self.words, *words],
                                   PLACEMENT.client_core)

    def windows(self):
        for worker in self.workers:
            worker.tell()
            yield json.loads(worker.line(self.options.seconds + self.options.warm_up + SLACK_S))


class Theirs:
    """gRPC C++ with one of its interfaces."""

    def __init__(self, variant, options, children):
        self.name, self.options = f"grpc {variant}", options
        self.runner = children.start(f"the peer {self.name}", [
            RUN, "grpc-open", f"even-{options.rate},tail-{options.rate}", "--variant", variant, "--placement",
            PLACEMENT.name, "--paced", "--build", options.peers_build, "--seconds", options.seconds, "--warmup",
            options.warm_up])

    def windows(self):
        self.runner.tell()
        while line := self.runner.line(self.options.seconds + self.options.warm_up + SLACK_S):
            yield json.loads(line)


def measure(contenders, options):
    """The pairs of each, in turn: as many undisturbed ones as rounds, if that can be had within twice as many."""
    pairs, others = {contender.name: [] for contender in contenders}, Others()
    for _ in range(2 * options.rounds):
        for contender in contenders:
            found = pairs[contender.name]
            if sum(pair.disturbance <= LARGEST_DISTURBANCE for pair in found) >= options.rounds:
                continue
            others.begin()
            even, tail = contender.windows()
            if even["errors"] + tail["errors"]:
                raise Failure(f"{even['errors'] + tail['errors']} calls of {contender.name} failed")
            found.append(Pair(even, tail, others.share()))
    return pairs


def summary(name, pairs, rounds):
    """Medians of the least disturbed pairs; the ratio is that of the ratios, as what drifts is in both of a pair."""
    best = sorted(pairs, key=lambda pair: pair.disturbance)[:rounds]
    return {"bench": "tail", "name": name, "value": rounded(median(pair.tail["value"] for pair in best)),
            "p99_us": rounded(median(pair.even["p99_us"] for pair in best)),
            "late_p99_us": rounded(median(pair.tail["p99_us"] for pair in best)),
            "ratio": rounded(median(pair.ratio for pair in best)),
            "disturbed": sum(pair.disturbance > LARGEST_DISTURBANCE for pair in best)}


def print_table(rows, options):
    print(f"tail: {options.rate:,} echoes a second, one in {LATE} answered after 200 ms; {PLACEMENT.words}; medians of "
          f"{options.rounds} × {options.seconds:g} s\n")
    cells = [TITLES] + [[row["name"] + ("*" if row["disturbed"] else ""), f"{row['value']:,.0f}", short(row["p99_us"]),
                         short(row["late_p99_us"]), f"{row['ratio']:.3f}"] for row in rows]
    print_columns(cells)
    if any(row["disturbed"] for row in rows):
        print("\n* other work on this machine disturbed these figures")


def run(options):
    with tempfile.TemporaryDirectory(prefix="waymark-bench-") as folder, Children() as children:
        waymark = Waymark(options, children, Path(folder))
        waymark.serve("gateway")
        contenders = [Ours(waymark, options, children)]
        contenders += [Theirs(variant, options, children) for variant in ("callback", "queue")]
        rows = [summary(name, pairs, options.rounds) for name, pairs in measure(contenders, options).items()]
    if options.json:
        for row in rows:
            print(json.dumps(row))
    else:
        print_table(rows, options)


def main():
    parser = argparse.ArgumentParser(prog="script/bench tail")
    parser.add_argument("--rate", type=int, choices=RATES, default=5000, help="echoes a second")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--warm-up", type=float, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--peers-build", type=Path, required=True, help=argparse.SUPPRESS)
    try:
        run(parser.parse_args())
    except Failure as failure:
        sys.exit(f"script/bench tail: {failure}")


main()
