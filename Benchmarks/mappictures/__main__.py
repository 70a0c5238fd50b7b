"""How soon a picture of the map around a pin is there, over HTTP: of bundled Helsinki, of a city that was imported, and
of one whose streets a server of tiles gives. `first` is of a place of which no picture was made before, `next` of a
point beside it, `kept` is the same picture once more; `start` is the first one after the gateway has started."""
import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/ClientTests"), str(ROOT / "Benchmarks/driver"), str(ROOT / "Benchmarks/mappictures")]
import synthetic_osm  # noqa: E402
from tile_server import TileServer  # noqa: E402
from waymark_system import BIN, System  # noqa: E402

PINS = "waymark.pins.v1.PinService"
# So many places of each map, and points beside each.
PLACES, BESIDE = 8, 3
# Degrees between places, so that each has tiles of its own; and around a place, which its tile has as well.
APART, NEAR = 0.023, 0.002
HELSINKI, HELSINKI_REACH = (60.1716, 24.9444), (0.004, 0.005)
# Far from all that is imported.
ABROAD = (48.2, 15.4)
SIZES = {
    "page": {"width": 600, "height": 400, "zoom": 16},
    "wide z15": {"width": 640, "height": 360, "scale": 2, "zoom": 15},
    "wide z16": {"width": 640, "height": 360, "scale": 2, "zoom": 16},
    "largest": {"width": 1024, "height": 1024, "scale": 2, "zoom": 16},
}
QUIET_S, READY_S = 0.1, 900
MOST_MS = 150


def used(pids):
    """Seconds of a processor that services have used."""
    paths = (path for pid in pids for path in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return sum(int(path.read_text().split()[0]) for path in paths) / 1e9


def settle(pids):
    """Waits until all new pins are searched around."""
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        before = used(pids)
        time.sleep(1)
        if used(pids) - before < QUIET_S:
            return
    raise SystemExit("script/bench mappictures: the services did not come to rest")


def around(middles, reach, chance):
    """Points: the middles, each with some beside it."""
    return [[(north + chance.uniform(-reach, reach), east + chance.uniform(-reach, reach))
             for _ in range(1 + BESIDE)] for north, east in middles]


def points(nodes):
    """By the name of a map."""
    chance = random.Random(37)
    row = (synthetic_osm.SOUTH + synthetic_osm.SIDE / 2) / 1e7
    imported = [(row, synthetic_osm.WEST / 1e7 + APART * (0.5 + number)) for number in range(PLACES)]
    abroad = [(ABROAD[0], ABROAD[1] + APART * number) for number in range(PLACES)]
    north, east = HELSINKI_REACH
    helsinki = [[(HELSINKI[0] + chance.uniform(-north, north), HELSINKI[1] + chance.uniform(-east, east))
                 for _ in range(1 + BESIDE)] for _ in range(PLACES)]
    return {"Helsinki": helsinki, "imported": around(imported, NEAR, chance), "network": around(abroad, NEAR, chance)}


def drop(web, position):
    status, answer = web.call(f"{PINS}/CreatePin", {
        "position": {"latitude": position[0], "longitude": position[1]}, "radiusM": 50,
        "requestId": f"bench-{position[0]}-{position[1]}"})
    if status != 200:
        raise SystemExit(f"script/bench mappictures: a pin was answered with {status}: {answer}")
    return answer["pin"]["id"]


def path(pin, latitude, size):
    """Of a picture that is as close as the web's map is at a zoom level."""
    words = dict(size)
    degrees = words["height"] * 360 / 256 / 2 ** words.pop("zoom") * math.cos(math.radians(latitude))
    return f"/maps/{pin}?" + "&".join(f"{name}={value}" for name, value in {**words, "spanDegrees": degrees}.items())


def timed(web, path):
    began = time.perf_counter()
    status, _, body = web.ask("GET", path)
    elapsed = 1000 * (time.perf_counter() - began)
    if status != 200:
        raise SystemExit(f"script/bench mappictures: a picture was answered with {status}: {body[:200]}")
    return elapsed, body


def figures(times):
    times = sorted(times)
    return {"p50_ms": round(statistics.median(times), 1), "p95_ms": round(times[len(times) * 95 // 100], 1)}


def measure_size(system, web, groups, size):
    """Of one map at one size; all pictures are other ones than those of the other sizes."""
    first, beside, kept, sizes = [], [], [], []
    before = used([system.up.ready["pids"]["gateway"]])
    for group in groups:
        for number, (pin, (latitude, _)) in enumerate(group):
            elapsed, body = timed(web, path(pin, latitude, size))
            (beside if number else first).append(elapsed)
            sizes.append(len(body))
    worked = used([system.up.ready["pids"]["gateway"]]) - before
    for group in groups:
        kept += [timed(web, path(pin, latitude, size))[0] for pin, (latitude, _) in group]
    return {"first": figures(first), "next": figures(beside), "all": figures(first + beside), "kept": figures(kept),
            "cpu_ms": round(1000 * worked / len(sizes), 1), "bytes": round(statistics.mean(sizes))}


def measure(options, folder):
    city = folder / "city.osm.pbf"
    synthetic_osm.write(city, options.nodes)
    results, starts, places = {}, [], points(options.nodes)
    names = [name for name in options.maps.split(",") if name]
    server = TileServer()
    try:
        for _ in range(options.rounds):
            system = System(streetmap_url=server.address, contact="bench@example.org")
            try:
                subprocess.run([BIN / "waymark", "import", city, "--dataset", "city", "--target", system.gateway],
                               check=True, capture_output=True)
                web = system.web()
                web.call("waymark.places.v1.PlacesService/SwitchNetwork", {"network": "streetmap", "on": True})
                server.take(web, *[group[0] for group in places["imported"]])
                pins = {name: [[(drop(web, point), point) for point in group] for group in places[name]]
                        for name in names}
                settle(system.up.ready["pids"].values())
                for index, name in enumerate(names):
                    if index == 0:
                        pin, point = pins[name][0][0]
                        starts.append(timed(web, path(pin, point[0], {"width": 300, "height": 200, "zoom": 16}))[0])
                    for size in SIZES:
                        result = measure_size(system, web, pins[name], SIZES[size])
                        results.setdefault((name, size), []).append(result)
                if options.keep:
                    keep(web, pins, Path(options.keep))
            finally:
                system.stop()
    finally:
        server.stop()
    return results, starts


def keep(web, pins, folder):
    """Keeps the first pictures of each map, to be looked at, and compared with those of another edition."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, groups in pins.items():
        for size in SIZES:
            for number, group in enumerate(groups[:3]):
                pin, (latitude, _) = group[0]
                file = f"{name}-{size}-{number}.png".replace(" ", "-")
                (folder / file).write_bytes(timed(web, path(pin, latitude, SIZES[size]))[1])


def joined(rounds):
    """The median of the rounds."""
    if isinstance(rounds[0], dict):
        return {key: joined([one[key] for one in rounds]) for key in rounds[0]}
    return round(statistics.median(rounds), 1)


def main():
    parser = argparse.ArgumentParser(prog="script/bench mappictures", description=__doc__)
    parser.add_argument("--nodes", type=int, default=512_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--maps", default="Helsinki,imported,network", help="which are measured")
    parser.add_argument("--keep", metavar="DIR", help="keep some pictures there")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results, starts = measure(options, Path(folder))
    load = round(os.getloadavg()[0], 1)
    if options.json:
        rows = [{"map": name, "size": size} | joined(rounds) for (name, size), rounds in results.items()]
        return print(json.dumps({"start_ms": joined(starts), "load_average": load, "rows": rows}))
    print(f"the first picture after the start: {joined(starts)} ms; load average {load}; p50/p95 in ms, goal {MOST_MS}")
    for (name, size), rounds in results.items():
        row = joined(rounds)
        times = "  ".join(f"{kind} {row[kind]['p50_ms']}/{row[kind]['p95_ms']}" for kind in ("first", "next", "kept"))
        print(f"{name:9} {size:9} {times}  processor {row['cpu_ms']} ms, {row['bytes']:.0f} bytes")


if __name__ == "__main__":
    main()
