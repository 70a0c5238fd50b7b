"""What accounts cost: 1,000 of them with 1,000 pins each, their sessions and their logins, and many who watch."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from deployment import PASSWORD, SERVER_CORE, CLIENT_CORE, Deployment, Memory, Worker, medians

sys.path.append(str(Path(__file__).resolve().parents[1] / "driver"))

from children import Children  # noqa: E402
from failure import Failure  # noqa: E402

ACCOUNTS, PINS = 1_000, 1_000
WATCHED_ACCOUNTS, WATCHED_PINS, CHANGES_A_SECOND = 100, 10, 300
LOOK_UPS = ("get-pin", "list-pins", "pins-near", "bounds", "sessions", "events")
# As many as the queue before the hashes holds, less one for luck.
STORM = 30


def figures(options, folder):
    with Children() as children:
        deployment = Deployment(options, children, folder)
        people = deployment.fill(options.accounts, options.pins)
        deployment.pin_service("pins")
        deployment.gateway("gateway", "pins")
        listed = people.listed(folder / "people.tsv")
        local = people.listed(folder / "local.tsv", ["local"])
        yield from sessions(options, deployment, listed, local)
        yield from look_ups(options, deployment, listed)
        yield from list_pages(options, deployment, local, people)
        yield from logins(options, deployment, listed)
        for name in ("gateway", "pins"):
            deployment.end(name)
        yield from watching(options, deployment, folder)


def worker(deployment, case, listed, outstanding, *words, **more):
    pids = ",".join(str(service.pid) for service in deployment.services.values())
    return Worker(deployment, case, "--target", deployment.addresses["gateway"], "--people", listed, "--outstanding",
                  outstanding, "--servers", pids, *words, **more)


def sessions(options, deployment, listed, local):
    """The same read with and without a session, in turn."""
    workers = {name: worker(deployment, "get-pin", file, 64) for name, file in (("session", listed), ("open", local))}
    windows = {name: [] for name in workers}
    for _ in range(options.rounds):
        for name, each in workers.items():
            windows[name].append(each.window())
    of = {name: medians(found) for name, found in windows.items()}
    yield "session", "a read of a pin with a session, against one in open mode; goals 30,000 a second, ratio 1.1", {
        "reads_per_second": round(of["session"]["value"]), "open_reads_per_second": round(of["open"]["value"]),
        "server_us": round(of["session"]["server_cpu_us"], 2), "open_server_us": round(of["open"]["server_cpu_us"], 2),
        "ratio": round(of["session"]["server_cpu_us"] / of["open"]["server_cpu_us"], 3),
        "disturbed": of["session"]["disturbed"] or of["open"]["disturbed"]}


def look_ups(options, deployment, listed):
    for name in LOOK_UPS:
        each = worker(deployment, name, listed, 1)
        found = medians([each.window() for _ in range(options.rounds)])
        yield name, "one after the other, of another account each time", {
            "p50_us": round(found["p50_us"]), "p99_us": round(found["p99_us"]), "disturbed": found["disturbed"]}


def list_pages(options, deployment, local, people):
    """Pages of one list, from one end to the other."""
    each = worker(deployment, "list-page", local, 1)
    found = medians([each.window() for _ in range(options.rounds)])
    yield "list-page", f"100 pins of a list of {people.list_size}, one page after the other; goal p99 20 ms", {
        "p50_us": round(found["p50_us"]), "p99_us": round(found["p99_us"]), "disturbed": found["disturbed"]}


def logins(options, deployment, listed):
    """How fast one logs in, and what others notice of it."""
    words = ("--password", PASSWORD)
    alone = Worker(deployment, "hash-inproc", core=SERVER_CORE, seconds=options.login_seconds)
    hashes = medians([alone.window() for _ in range(options.rounds)])
    storm = worker(deployment, "log-in", listed, STORM, *words, seconds=options.login_seconds)
    reads = worker(deployment, "get-pin", listed, 1)
    quiet = medians([reads.window() for _ in range(options.rounds)])
    with Memory(deployment.services["pins"].pid) as memory:
        logged = medians([storm.window() for _ in range(options.rounds)])
    during = []
    for _ in range(options.rounds):
        storm.begin()
        during.append(reads.window())
        storm.report()
    busy = medians(during)
    yield "log-in", f"{STORM} log in at once, against a thread that hashes alone; goals ratio 1, 64 MiB", {
        "logins_per_second": round(logged["value"], 2), "hashes_per_second": round(hashes["value"], 2),
        "ratio": round(logged["value"] / hashes["value"], 3), "memory_mib": round(memory.most - memory.before),
        "disturbed": hashes["disturbed"] or logged["disturbed"]}
    yield "storm", "a read of a pin while they log in, against one before; goal 1.5 at the median", {
        "p50_us": round(busy["p50_us"]), "quiet_p50_us": round(quiet["p50_us"]),
        "ratio": round(busy["p50_us"] / quiet["p50_us"], 2), "p99_us": round(busy["p99_us"]),
        "quiet_p99_us": round(quiet["p99_us"]), "disturbed": quiet["disturbed"]}


def watching(options, deployment, folder):
    """1,000 pins of 100 accounts, changed 300 times a second, watched through two gateways."""
    address, people = deployment.postgres(WATCHED_ACCOUNTS, WATCHED_PINS)
    for name in ("pins-1", "pins-2"):
        deployment.pin_service(name, "--database", address)
    yield from watched(options, deployment, people.listed(folder / "watched.tsv"), "replicas", "pins-1", "pins-2")
    for name in ("pins-1", "pins-2"):
        deployment.end(name)
    people = deployment.file("watched", WATCHED_ACCOUNTS, WATCHED_PINS)
    deployment.pin_service("watched")
    yield from watched(options, deployment, people.listed(folder / "watched.tsv"), "file", "watched", "watched")


def watched(options, deployment, listed, engine, first, second):
    gateways = ("gateway-1", "gateway-2")
    for name, pins in zip(gateways, (first, second)):
        deployment.gateway(name, pins)
    command = [
        options.bin / "waymark-bench", "watch", "--target", deployment.addresses[gateways[0]], "--second",
        deployment.addresses[gateways[1]], "--people", listed, "--rate", CHANGES_A_SECOND, "--seconds",
        options.watch_seconds]
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {CLIENT_CORE}))
    if done.returncode:
        raise deployment.failure(f"watch ended with {done.returncode}: {done.stderr}")
    for name in gateways:
        deployment.end(name)
    what = f"{CHANGES_A_SECOND} changes a second, each sent to three who watch; goal p99 100 ms"
    yield f"watch-{engine}", what, json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(prog="script/bench people", description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="short windows, 50 accounts with 100 pins: to see it run")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--watch-seconds", type=float, default=30.0)
    for name in ("--bin", "--peers-build"):
        parser.add_argument(name, type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.warm_up, options.accounts, options.pins, options.login_seconds = 0.5, ACCOUNTS, PINS, 5 * options.seconds
    if options.quick:
        options.rounds, options.accounts, options.pins, options.watch_seconds = 2, 50, 100, 5
    with tempfile.TemporaryDirectory(prefix="waymark-bench-") as folder:
        for name, what, values in figures(options, Path(folder)):
            if options.json:
                print(json.dumps({"case": name, "what": what, **values}), flush=True)
            else:
                print(f"{name}: {what}: " + ", ".join(f"{key} {value}" for key, value in values.items()), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Failure, OSError, subprocess.CalledProcessError) as failure:
        sys.exit(f"script/bench: {failure}")
