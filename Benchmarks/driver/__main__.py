"""The driver of script/bench, which builds what it needs and describes its arguments."""
import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path

from cases import PLACEMENTS, chosen
from children import Children
from failure import Failure
from progress import Progress
from report import Result, print_json, print_table
from rounds import contenders, measure
from stored import Stored
from waymark import PRODUCTS, Waymark
from web import Web

STOPPING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def parse():
    parser = argparse.ArgumentParser(prog="script/bench", usage="script/bench [NAME...] [options]; see --help",
                                     add_help=False)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=positive(int, 1000))
    parser.add_argument("--seconds", type=positive(float, 3600), default=2.0)
    parser.add_argument("--warm-up", type=positive(float, 3600), default=0.5)
    # What script/bench adds: where the products are, and what the peers' set-up has made.
    parser.add_argument("--bin", type=Path, default=Path(".build/release"))
    parser.add_argument("--peers-build", type=Path, default=Path(".build/peers"))
    parser.add_argument("--needs", action="store_true", help="only print what has to be there: products, peers, wrk, openssl")
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 5)
    options.data = options.peers_build / "data"
    options.cases, unknown = chosen(options.names)
    if unknown:
        parser.error(f"there is no bench or case {', '.join(unknown)}")
    return options


def positive(kind, largest):
    def read(text):
        number = kind(text)
        if not 0 < number <= largest:
            raise ValueError
        return number
    read.__name__ = f"number from 0 to {largest}"
    return read


def run(bench, options):
    cases = [case for case in options.cases if case.bench == bench]
    with tempfile.TemporaryDirectory(prefix="waymark-bench-") as folder, Children() as servers:
        Progress(bench).say("starting the services")
        waymark = {"http": Web, "storage": Stored}.get(bench, Waymark)(options, servers, Path(folder))
        waymark.start(cases)
        for placement in PLACEMENTS:
            placed = [case for case in cases if case.placement == placement]
            if placed:
                compare(bench, placement, placed, waymark, options)


def compare(bench, placement, cases, waymark, options):
    """One placement of a bench: measured, then shown."""
    with Children() as children:
        ours, peers = contenders(cases, waymark, options, children)
        measure(ours, peers, options, Progress(f"{bench}, {placement.words}"))
    results = [result(contender, ours, peers, options.rounds) for contender in ours]
    if options.json:
        print_json(results)
    else:
        print_table(f"{bench}: {placement.words}; medians of {options.rounds} × {options.seconds:g} s", results)


def result(contender, ours, peers, rounds):
    case = contender.case
    bests = [("plain", other.summary(rounds)) for other in ours if other.case.base == case.plain]
    bests += [(peer.name, peer.best(case, rounds)) for peer in peers if peer.name in case.peers]
    return Result(case, contender.summary(rounds), bests)


def needs(options):
    products, others = set(), set()
    for case in options.cases:
        products.update([] if case.is_in_process else PRODUCTS[case.bench])
        if case.bench == "http":
            others.add("wrk")
            continue
        if case.mode == "tls":
            others.add("openssl")
        products.add("waymark-bench")
        # Places and searches are made by the peers' set-up.
        makes_own = case.bench == "rpc" or case.bench == "storage" and not case.is_on_postgres
        others.update(["peers"] if options.peers or not makes_own else [])
    return sorted(products) + sorted(others)


def leave(number, _):
    """Turns a signal into an exception, so that everything started is stopped on the way out. A second one waits."""
    for other in STOPPING:
        signal.signal(other, signal.SIG_IGN)
    raise SystemExit(128 + number)


def main():
    options = parse()
    benches = list(dict.fromkeys(case.bench for case in options.cases))
    if options.needs:
        print(*needs(options))
        return
    for number in STOPPING:
        signal.signal(number, leave)
    missing = {case.placement.client_core for case in options.cases} - os.sched_getaffinity(0)
    if missing:
        sys.exit("two cores are needed for these cases; those on one core end in -onecore")
    try:
        for bench in benches:
            run(bench, options)
    except Failure as failure:
        sys.exit(f"script/bench: {failure}")


main()
