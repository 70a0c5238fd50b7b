"""How fast an .osm.pbf becomes places and a map: nodes and ways for each second of the places service's processor time,
its memory, how long searches take meanwhile, and how many tiles the gateway gives beside nginx that has them as files.
"""
import argparse
import http.client
import json
import math
import socket
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import synthetic_osm
from cases import SERVER_CORE
from children import Children
from failure import Failure
from import_rate import Watch
from nginx import configuration, family
from waymark import Waymark
from web_load import Load, Wrk

ZOOM = 14
TILES = 64
SEARCHES = 400
PAUSE_S = 0.01
NEARBY = "/waymark.places.v1.PlacesService/Nearby"
LISTING = "/waymark.places.v1.PlacesService/ListDatasets"


class Case:
    """What wrk asks: 64 connections, from the other core."""

    name, outstanding = "tiles", 64

    class placement:
        client_core = 1


class Searches:
    """Asks for the places around a point again and again; how long the answers take."""

    def __init__(self, host, dataset_point):
        self.connection = http.client.HTTPConnection(host, timeout=60)
        latitude, longitude = dataset_point
        self.body = json.dumps({"centre": {"latitude": latitude, "longitude": longitude}, "radiusM": 1000, "limit": 50})
        self.times, self.is_over = [], threading.Event()
        self.thread = threading.Thread(target=self.loop)

    def once(self):
        began = time.perf_counter()
        self.connection.request("POST", NEARBY, self.body, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise Failure(f"a search was answered with {answer.status}")
        self.times.append(1000 * (time.perf_counter() - began))

    def loop(self):
        while not self.is_over.wait(PAUSE_S):
            self.once()

    def __enter__(self):
        self.times.clear()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def summary(self):
        times = sorted(self.times)
        return {"count": len(times), "p50_ms": round(statistics.median(times), 3),
                "p99_ms": round(times[int(len(times) * 0.99)], 3)}


def tile_of(latitude, longitude):
    size = 2 ** ZOOM
    sine = math.sin(math.radians(latitude))
    return int((longitude / 360 + 0.5) * size), int((0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * size)


def fetched(host, path):
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    return answer.status, answer.read()


def edition(host, dataset):
    """The edition of a dataset's map, which the web map names when it asks for tiles."""
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("POST", LISTING, "{}", {"Content-Type": "application/json"})
    listed = json.loads(connection.getresponse().read())["datasets"]
    return next(one["tiles"]["version"] for one in listed if one["name"] == dataset)


def tiles(host, dataset, nodes):
    """Paths and bytes of tiles in the middle of the map."""
    version = edition(host, dataset)
    x, y = tile_of(*synthetic_osm.middle(nodes))
    reach = int(math.sqrt(TILES)) // 2
    paths = [f"/tiles/{dataset}/{ZOOM}/{x + right}/{y + down}?v={version}"
             for right in range(-reach, reach) for down in range(-reach, reach)]
    found = {path: fetched(host, path) for path in paths}
    return {path: bytes for path, (status, bytes) in found.items() if status == 200 and bytes}


def rate(name, address, pids, paths, options, folder):
    load = Load(list(paths), headers={"Accept-Encoding": "gzip"})
    wrk = Wrk(name, address, load, pids, Case, options, folder)
    return statistics.median(wrk.measure()["value"] for _ in range(options.rounds))


def beside_nginx(children, waymark, found, options, folder):
    ours = rate("waymark", waymark.http["gateway"], lambda: [service.pid for service in waymark.services.values()],
                found, options, folder)
    home = folder / "nginx"
    for path, content in found.items():
        file = home / "files" / path.partition("?")[0].strip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port, number = listening.getsockname()[1], listening.fileno()
        (home / "nginx.conf").write_text(configuration(home, port))
        with open(home / "log", "wb") as log:
            command = ["nginx", "-p", home, "-c", home / "nginx.conf", "-e", "stderr"]
            master = children.start("nginx", command, SERVER_CORE, log, inherited=[number],
                                    environment={"NGINX": f"{number};"})
    theirs = rate("nginx", f"127.0.0.1:{port}", lambda: family(master.pid), found, options, folder)
    return {"tiles": len(found), "bytes_of_tile": round(statistics.mean(map(len, found.values()))),
            "tiles_per_s": round(ours), "nginx_per_s": round(theirs), "of_nginx": round(ours / theirs, 2)}


def measure(options, folder):
    file, small = folder / "large.osm.pbf", folder / "small.osm.pbf"
    nodes, ways = synthetic_osm.write(file, options.nodes)
    synthetic_osm.write(small, 400_000, seed=8)
    with Children() as children:
        waymark = Waymark(options, children, folder)
        waymark.serve("places-service", "--bundled", "none")
        waymark.serve("gateway", "--http", "127.0.0.1:0", "--rate", 0, "--places", waymark.addresses["places-service"])
        words = ["--target", waymark.addresses["gateway"]]
        waymark.run("waymark", "import", small, "--dataset", "small", *words)
        searches = Searches(waymark.http["gateway"], synthetic_osm.middle(400_000))
        for _ in range(SEARCHES):
            searches.once()
            time.sleep(PAUSE_S)
        before = searches.summary()
        # The other core is its own: what is measured is the service, not the client that searches.
        with searches, Watch(waymark.services["places-service"].pid) as watch:
            waymark.run("waymark", "import", file, "--dataset", "large", *words)
        meanwhile = searches.summary()
        result = {"nodes": nodes, "ways": ways, "file_mib": file.stat().st_size >> 20,
                  "objects_per_cpu_second": round((nodes + ways) / watch.used), "cpu_s": round(watch.used, 1),
                  "elapsed_s": round(watch.elapsed, 1), "own_memory_mib": watch.most_kib // 1024,
                  "searches_before": before, "searches_meanwhile": meanwhile,
                  "slower": round(meanwhile["p50_ms"] / before["p50_ms"], 2)}
        found = tiles(waymark.http["gateway"], "large", options.nodes)
        if not found:
            raise Failure("the map has no tiles where it should")
        return result | beside_nginx(children, waymark, found, options, folder)


def main():
    parser = argparse.ArgumentParser(prog="script/bench maps", description=__doc__)
    parser.add_argument("--nodes", type=int, default=20_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.warm_up = 1
    with tempfile.TemporaryDirectory() as folder:
        result = measure(options, Path(folder))
    if options.json:
        return print(json.dumps(result))
    print(f"{result['nodes']:,} nodes and {result['ways']:,} ways in {result['file_mib']} MiB: "
          f"{result['objects_per_cpu_second']:,} for each second of one core, {result['elapsed_s']} s from the first "
          f"byte sent, {result['own_memory_mib']} MiB of memory\n"
          f"searches: {result['searches_before']['p50_ms']} ms before, {result['searches_meanwhile']['p50_ms']} ms "
          f"meanwhile ({result['slower']}×)\n"
          f"{result['tiles']} tiles of {result['bytes_of_tile']:,} bytes: {result['tiles_per_s']:,} a second, nginx "
          f"{result['nginx_per_s']:,} ({result['of_nginx']}×)")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"script/bench: {failure}")
