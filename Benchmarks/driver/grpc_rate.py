"""Calls a second by gRPC at the gateway, beside gRPC C++'s own server: the same load from h2load, and from a client of
gRPC C++. All servers are on core 0.
"""
import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from cases import PLACEMENTS
from children import Children
from failure import Failure
from report import print_columns, short
from waymark import Waymark

VARIANTS = ("callback", "queue")
SHARDS = 3
SLACK_S = 120
HEAD = ["-H", "content-type: application/grpc", "-H", "te: trailers"]
TITLES = ["case", "client", "calls/s", "server µs", "gRPC C++", "calls/s", "server µs", "ratio"]


def framed(message):
    return struct.pack(">BI", 0, len(message)) + message


# The same fields with the same numbers in both: a payload of 32 bytes.
ECHO = framed(b"\x0a\x20" + b"q" * 32)


def coordinates(latitude, longitude):
    return b"\x09" + struct.pack("<d", latitude) + b"\x11" + struct.pack("<d", longitude)


def nearby(latitude, longitude, radius, limit):
    """waymark.places.v1.NearbyRequest, and the peers' request."""
    centre, rest = coordinates(latitude, longitude), b"\x11" + struct.pack("<d", radius) + b"\x18" + bytes([limit])
    theirs = centre + b"\x19" + struct.pack("<d", radius) + b"\x20" + bytes([limit])
    return framed(b"\x0a" + bytes([len(centre)]) + centre + rest), framed(theirs)


@dataclass
class Server:
    """What is called, and whose processor time counts."""

    name: str
    port: int
    pids: list

    def seconds(self):
        ticks = 0
        for pid in self.pids:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


class Load:
    """h2load, or the client of gRPC C++."""

    def __init__(self, name, command, read):
        self.name, self.command, self.read = name, command, read

    def measure(self, server, options, core):
        before = server.seconds()
        done = subprocess.run(["taskset", "-c", str(core), *map(str, self.command)], capture_output=True, text=True,
                              timeout=options.seconds + options.warm_up + SLACK_S)
        if done.returncode:
            raise Failure(f"{self.name} ended with {done.returncode}: {done.stderr[-300:]}")
        rate, calls = self.read(done.stdout)
        return rate, (server.seconds() - before) / max(1, calls) * 1e6


def by_h2load(server, path, body, count, options):
    def read(text):
        failed = re.search(r"(\d+) failed, (\d+) errored, (\d+) timeout", text)
        rate = re.search(r"finished in .*?, ([\d.]+) req/s", text)
        if not rate or not failed or any(map(int, failed.groups())):
            raise Failure(f"calls of {server.name} failed: {text[-400:]}")
        # The warm-up is not counted, but works the server as much.
        return float(rate[1]), float(rate[1]) * (options.seconds + options.warm_up)
    command = ["h2load", "-D", options.seconds, "--warm-up-time", options.warm_up, "-c", 1, "-m", count, "-d", body, *HEAD,
               f"http://127.0.0.1:{server.port}{path}"]
    return Load("h2load", command, read)


def by_client(server, mode, count, options):
    def read(text):
        report = json.loads(text)
        if report["errors"]:
            raise Failure(f"{report['errors']} calls of {server.name} failed")
        return report["value"], report["value"] * (options.seconds + options.warm_up)
    command = [options.peers_build / "bin" / "grpc_load", "--port", server.port, "--mode", mode, "--outstanding", count,
               "--seconds", options.seconds, "--warmup", options.warm_up]
    return Load("gRPC C++", command, read)


def peer(children, options, program, *words):
    child = children.start(program, [options.peers_build / "bin" / program, *words], 0)
    return Server(program, int(child.line(SLACK_S).removeprefix("READY port=")), [child.pid])


def fan_out(children, options, api):
    points = options.data / "points.tsv"
    backends = [peer(children, options, "grpc_server", "--api", api, "--points", points, "--shard", shard, "--shards", SHARDS)
                for shard in range(SHARDS)]
    ports = ",".join(str(backend.port) for backend in backends)
    gateway = peer(children, options, "grpc_gateway", "--api", api, "--backends", ports)
    return Server(f"gateway {api}", gateway.port, gateway.pids + [pid for backend in backends for pid in backend.pids])


def row(case, load, ours, theirs, options, core):
    """Medians of rounds in turn."""
    found = {name: [] for name in ["", *theirs]}
    for _ in range(options.rounds):
        found[""].append(load(ours, True).measure(ours, options, core))
        for name, server in theirs.items():
            found[name].append(load(server, False).measure(server, options, core))
    figures = {name: tuple(median(one[at] for one in windows) for at in (0, 1)) for name, windows in found.items()}
    own = {"bench": "grpc", "case": case, "client": load(ours, True).name, "value": round(figures[""][0]),
           "server_cpu_us": round(figures[""][1], 2)}
    return [own | {"variant": name, "peer_value": round(figures[name][0]), "peer_server_cpu_us": round(figures[name][1], 2),
                   "ratio": round(figures[""][0] / figures[name][0], 3)} for name in theirs] or [own]


def measured(options, show):
    with tempfile.TemporaryDirectory(prefix="waymark-bench-") as folder, Children() as children:
        folder = Path(folder)
        waymark = Waymark(options, children, folder)
        waymark.serve("places-service", "--bundled", "none")
        waymark.serve("gateway", "--places", waymark.addresses["places-service"], "--open", "--rate", 0)
        waymark.fill("places")
        port = int(waymark.http["gateway"].rsplit(":", 1)[1])
        gateway = Server("the gateway", port, [waymark.services["gateway"].pid])
        both = Server("the gateway", port, [service.pid for service in waymark.services.values()])
        peers = {f"{api}": peer(children, options, "grpc_server", "--api", api) for api in VARIANTS} if options.peers else {}
        gateways = {f"gateway {api}": fan_out(children, options, api) for api in VARIANTS} if options.peers else {}
        echo, mine, theirs = (folder / name for name in ("echo", "nearby", "nearby-of-peers"))
        echo.write_bytes(ECHO)
        with open(options.data / "queries.tsv", encoding="utf-8") as queries:
            next(queries)
            _, *numbers = next(queries).split("\t")
        requests = nearby(float(numbers[0]), float(numbers[1]), float(numbers[2]), int(numbers[3]))
        mine.write_bytes(requests[0])
        theirs.write_bytes(requests[1])
        for placement in PLACEMENTS:
            core = placement.client_core
            for count in (1, 8, 64):
                def load(server, is_ours, count=count):
                    path = "/waymark.rpc.v1.EchoService/Echo" if is_ours else "/peer.Peer/Echo"
                    return by_h2load(server, path, echo, count, options)
                def client(server, is_ours, count=count):
                    return by_client(server, "waymark-echo" if is_ours else "echo", count, options)
                show(row(f"echo-{count}{placement.suffix}", load, gateway, peers, options, core))
                if options.peers:
                    show(row(f"echo-{count}{placement.suffix}", client, gateway, peers, options, core))
            def search(server, is_ours):
                path = "/waymark.places.v1.PlacesService/Nearby" if is_ours else "/peer.Gateway/Explore"
                return by_h2load(server, path, mine if is_ours else theirs, 64, options)
            show(row(f"nearby-64{placement.suffix}", search, both, gateways, options, core))


def main():
    parser = argparse.ArgumentParser(prog="script/bench grpc")
    parser.add_argument("--peers", action="store_true", help="beside gRPC C++")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--warm-up", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--peers-build", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.data = options.peers_build / "data"
    rows = []

    def show(found):
        rows.extend(found)
        if options.json:
            for one in found:
                print(json.dumps(one), flush=True)

    try:
        measured(options, show)
    except Failure as failure:
        sys.exit(f"script/bench grpc: {failure}")
    if not options.json:
        print_columns([TITLES] + [[one["case"], one["client"], f"{one['value']:,}", short(one["server_cpu_us"]),
                                   one.get("variant", ""), f"{one.get('peer_value', 0):,}",
                                   short(one.get("peer_server_cpu_us", 0)), f"{one.get('ratio', 0):.2f}"]
                                  for one in rows], (0, 1, 4))


main()
