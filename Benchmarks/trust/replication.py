"""What it costs to store each change elsewhere as it is written: beside a system that does not, and beside Litestream,
which copies the same databases from outside."""

import os
import random
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from system import Client, Started

CLIENTS = 8
TICKS = os.sysconf("SC_CLK_TCK")
DATABASES = "pins/pins.db", "photos/photos.db", "places/live.db"


def processor_seconds(processes):
    total = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def stored(place):
    """What is being written has another name a moment later."""
    total = 0
    for folder, _, names in os.walk(place):
        for name in names:
            try:
                total += os.stat(os.path.join(folder, name)).st_size
            except FileNotFoundError:
                pass
    return total


class Renames:
    """How many files a process gives their names: each is one that is stored. Seen by strace, which slows it."""

    def __init__(self, processes, output):
        self.output = output
        words = [word for process in processes for word in ("-p", str(process))]
        self.process = subprocess.Popen(
            ["strace", "-f", "-qq", "-e", "trace=rename,renameat,renameat2", "-o", output, *words],
            stderr=subprocess.DEVNULL)

    def count(self, place):
        self.process.terminate()
        self.process.wait()
        return sum(str(place) in line for line in open(self.output, encoding="utf-8", errors="replace"))


def create(address, seconds, rate):
    """Pins that clients make, each as soon as the one before, or so many a second in all."""
    made, end = [], time.monotonic() + seconds

    def run(number):
        client, due = Client(address), time.monotonic() + number / rate if rate else 0
        while time.monotonic() < end:
            if rate:
                time.sleep(max(0, due - time.monotonic()))
            start = due if rate else time.monotonic()
            position = {"latitude": random.uniform(-60, 60), "longitude": random.uniform(-179, 179)}
            client.call("waymark.pins.v1.PinService/CreatePin", {"position": position, "radiusM": 200})
            made.append(1000 * (time.monotonic() - start))
            due += CLIENTS / rate if rate else 0

    threads = [threading.Thread(target=run, args=(number,)) for number in range(CLIENTS)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(made) / (time.monotonic() - start), statistics.quantiles(made, n=100)[98]


def run(options, kind, seconds, rate, is_counted=False):
    """One system and its load; `kind` is none, soon, before or litestream."""
    with tempfile.TemporaryDirectory() as folder:
        data, place = Path(folder, "data"), Path(options.place or folder, f"replica-{kind}")
        flags = ["--replicate", place, "--replicate-mode", kind] if kind in ("soon", "before") else []
        system = Started(folder, options.bin / "waymark", "up", "--data", data, "--port", 0, "--http-port", 0,
                         "--bundled", "none", "--rate", 0, "--json", *flags)
        copier = None
        try:
            services = list(system.ready["pids"].values())
            if kind == "litestream":
                config = Path(folder, "litestream.yml")
                config.write_text("dbs:\n" + "".join(
                    f"  - path: {data / name}\n    replica:\n      type: file\n      path: {place / name}\n"
                    for name in DATABASES))
                copier = subprocess.Popen([options.litestream, "replicate", "-config", config],
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            create(system.ready["http"], 3, rate)
            processes = services + ([copier.pid] if copier else [])
            names = Renames(processes, Path(folder, "renames")) if is_counted else None
            before, bytes_before = processor_seconds(processes), stored(place)
            per_second, p99 = create(system.ready["http"], seconds, rate)
            time.sleep(2)
            used, size = processor_seconds(processes) - before, stored(place) - bytes_before
            return {"per_second": per_second, "p99": p99, "made": per_second * seconds, "cpu": used, "bytes": size,
                    "objects": names.count(place) if names else None}
        finally:
            if copier:
                copier.kill()
                copier.wait()
            system.stop()
            shutil.rmtree(place, ignore_errors=True)


def figures(options):
    kinds = ["none", "soon"] + (["litestream"] if options.litestream else []) + ["before"]
    results = {kind: [] for kind in kinds}
    for _ in range(options.rounds):
        for kind in kinds:
            results[kind].append(run(options, kind, options.seconds, None))
    middle = {kind: {name: statistics.median(result[name] for result in results[kind])
                     for name in ("per_second", "p99")} for kind in kinds}
    for kind in kinds[1:]:
        yield kind, f"creations of {CLIENTS} clients, beside none that is stored elsewhere; goal of soon 0.9 and 1.2", {
            "per_second": round(middle[kind]["per_second"]), "without": round(middle["none"]["per_second"]),
            "share": round(middle[kind]["per_second"] / middle["none"]["per_second"], 2),
            "p99_ms": round(middle[kind]["p99"], 1), "p99_times": round(middle[kind]["p99"] / middle["none"]["p99"], 2)}
    same = {kind: run(options, kind, options.seconds, 50) for kind in kinds if kind != "before"}
    counted = {kind: run(options, kind, options.seconds, 50, True) for kind in kinds if kind not in ("none", "before")}
    for kind in counted:
        yield f"{kind}_cost", "of 50 creations a second, for each thousand", {
            "objects": round(counted[kind]["objects"] / counted[kind]["made"] * 1000),
            "megabytes": round(same[kind]["bytes"] / same[kind]["made"] / 1000, 2),
            "cpu_seconds": round((same[kind]["cpu"] - same["none"]["cpu"]) / same[kind]["made"] * 1000, 2),
            "cpu_without": round(same["none"]["cpu"] / same["none"]["made"] * 1000, 2)}
