"""How fast pins come in from a file and go out, how long others wait who write meanwhile, and how soon a map has all of
them in clusters."""

import argparse
import http.client
import json
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

sys.path.append(str(Path(__file__).resolve().parents[1] / "albums"))

from system import Client, Failure, Started  # noqa: E402

PINS = 100_000
REGION = {"region": {"centre": {"latitude": 1, "longitude": 1}, "span": {"latitudeDelta": 1, "longitudeDelta": 1}}}


def write_gpx(path, count):
    """Pins all over the world, which is the worst for an index of places."""
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">\n')
        for pin in range(count):
            latitude, longitude = pin * 7919 % 1_600_000 / 10_000 - 80, pin * 104_729 % 3_590_000 / 10_000 - 179
            file.write(f'<wpt lat="{latitude:.6f}" lon="{longitude:.6f}"><time>2023-08-01T06:12:30Z</time>'
                       f"<name>Place number {pin}</name><desc>A note about {pin}</desc></wpt>\n")
        file.write("</gpx>\n")


def viewport_request(zoom, south, west, north, east):
    """A packed waymark.gateway.v1.ViewportRequest for pins."""
    corners = [struct.pack("<BdBd", 0x09, latitude, 0x11, longitude)
               for latitude, longitude in ((south, west), (north, east))]
    box = b"".join(bytes([tag, len(corner)]) + corner for tag, corner in zip((0x0A, 0x12), corners))
    return bytes([0x0A, len(box)]) + box + bytes([0x10, zoom, 0x3A, 4]) + b"pins"


def viewport(address):
    """The slowest of many answers and the largest one, for maps from the world to a town."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    milliseconds, sizes = [], []
    for turn in range(60):
        zoom = 1 + turn % 15
        wide = min(180.0, 1280 / 256 / 2**zoom * 180)
        request = viewport_request(zoom, max(-90.0, 10 - wide / 2), 0 - wide, min(90.0, 10 + wide / 2), wide)
        start = time.monotonic()
        connection.request("POST", "/waymark.gateway.v1.ExploreService/Viewport", request,
                           {"Content-Type": "application/proto", "Connect-Protocol-Version": "1"})
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise Failure(f"Viewport answered {answer.status}: {body[:200]}")
        milliseconds.append(1000 * (time.monotonic() - start))
        sizes.append(len(body))
    return {"median_ms": round(statistics.median(milliseconds), 1), "longest_ms": round(max(milliseconds), 1),
            "largest_bytes": max(sizes)}


class Writer(threading.Thread):
    """Someone else who stores what the map shows, again and again."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.address, self.milliseconds, self.is_over = address, [], False

    def run(self):
        client = Client(self.address)
        while not self.is_over:
            start = time.monotonic()
            client.call("waymark.pins.v1.PinService/SetMapRegion", REGION)
            self.milliseconds.append(1000 * (time.monotonic() - start))
            time.sleep(0.01)

    def figures(self):
        self.is_over = True
        self.join()
        return {"median_wait_ms": round(statistics.median(self.milliseconds), 1),
                "p99_wait_ms": round(statistics.quantiles(self.milliseconds, n=100)[98], 1)}


def figures(options, folder):
    waymark = options.bin / "waymark"
    file = Path(folder, "pins.gpx")
    write_gpx(file, options.pins)
    system = Started(folder, waymark, "up", "--data", Path(folder, "data"), "--port", 0, "--http-port", 0,
                     "--bundled", "none", "--json")
    target = ("--target", system.ready["gateway"], "--json")

    def timed(*words):
        start = time.monotonic()
        answer = subprocess.run([waymark, "pin", *map(str, words), *target], check=True, capture_output=True, text=True)
        return time.monotonic() - start, json.loads(answer.stdout.splitlines()[-1])

    try:
        seconds, answer = timed("import", file)
        identity = answer["import"]["id"]
        yield "import", f"{options.pins} pins of a GPX, from the command to its end; goal 20,000 a second", {
            "pins_per_second": round(options.pins / seconds), "added": int(answer["import"]["addedCount"])}
        yield "viewport", "all of them in clusters, from the world to a town; goal 50 ms and 65,536 bytes of 200,000", (
            viewport(system.ready["http"]))
        for ending in ("geojson", "gpx", "kml", "kmz"):
            seconds, answer = timed("export", "--format", ending, "-o", Path(folder, f"out.{ending}"))
            yield f"export-{ending}", "all of them to a file", {"pins_per_second": round(answer["pins"] / seconds)}
        seconds, _ = timed("undo", identity)
        yield "undo", "taking all of them back", {"pins_per_second": round(options.pins / seconds)}
        alone = Writer(system.ready["http"])
        alone.start()
        time.sleep(3)
        yield "alone", "another one who writes, while nothing is imported", alone.figures()
        other = Writer(system.ready["http"])
        other.start()
        timed("import", Path(folder, "out.kmz"))
        yield "meanwhile", "the same while all of them are imported", other.figures()
    finally:
        system.stop()


def main():
    parser = argparse.ArgumentParser(prog="script/bench pinfiles", description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--pins", type=int, default=PINS)
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, what, values in figures(options, folder):
            if options.json:
                print(json.dumps({"case": name, "what": what, **values}), flush=True)
            else:
                print(f"{name}: {what}: " + ", ".join(f"{key} {value}" for key, value in values.items()), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Failure, OSError, subprocess.CalledProcessError) as failure:
        sys.exit(f"script/bench: {failure}")
