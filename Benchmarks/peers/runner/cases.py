"""The peers: which cases and variants each has, what it starts, and what loads it."""
import json
from contextlib import contextmanager

from . import pgbench, postgis, redis

SLACK_S = 120  # what a load generator may take besides its window: loading a database in process


class Case:
    """`echo-64`: 64 calls of echo in flight. `nearby-inproc`: one search after the other, no server."""

    def __init__(self, name, mode, outstanding):
        self.name, self.mode, self.outstanding = name, mode, outstanding

    @classmethod
    def parse(cls, peer, name):
        if name not in peer.cases:
            raise SystemExit(f"{name} is not a case of this peer; it has {' '.join(peer.cases)}")
        mode, count = name.split("-")
        return cls(name, mode, 1 if count == "inproc" else int(count))


class Peer:
    """A peer without servers. `cases` are names; `program` prints one JSON line for a window."""
    cases, program, variants = [], "", ["c++"]
    shares_server = False  # whether variants differ in the load generator only

    @contextmanager
    def running(self, machine, variant, mode):
        yield None

    def words(self, machine, variant, case, server):
        """Command line of the load generator, without what every one takes."""
        return ["--queries", machine.data / "queries.tsv", "--points", machine.data / "points.tsv"]

    def fits(self, variant, case):
        return True

    def measure(self, machine, variant, case, server, seconds, warmup):
        """One window, as a load generator reports it."""
        words = [*self.words(machine, variant, case, server), "--seconds", seconds, "--warmup", warmup]
        return json.loads(machine.client(self.program, words, seconds + warmup + SLACK_S))


class ServedPeer(Peer):
    """A peer with one process to connect to."""

    @contextmanager
    def running(self, machine, variant, mode):
        try:
            yield self.start(machine, variant, mode)
        finally:
            machine.stop_servers()

    def start(self, machine, variant, mode):
        raise NotImplementedError

    def fan_out(self, machine, gateway, backend):
        """A gateway over three servers with a third of the places each; the arguments are command lines."""
        points = ["--points", machine.data / "points.tsv"]
        backends = [machine.serve(*backend, *points, "--shard", i, "--shards", 3) for i in range(3)]
        server = machine.serve(*gateway, "--backends", ",".join(str(backend.port) for backend in backends))
        server.pids += [pid for backend in backends for pid in backend.pids]
        return server

    def words(self, machine, variant, case, server):
        return ["--port", server.port, "--servers", ",".join(map(str, server.pids)), "--mode", case.mode,
                "--outstanding", case.outstanding, "--queries", machine.data / "queries.tsv"]


class Grpc(ServedPeer):
    cases = [f"{mode}-{n}" for mode in ("echo", "nearby", "explore") for n in (1, 8, 64)]
    program, variants = "grpc_load", ["callback", "queue"]

    def start(self, machine, variant, mode):
        api = ["--api", variant]
        if mode == "echo":
            return machine.serve("grpc_server", *api)
        if mode == "explore":
            return self.fan_out(machine, ["grpc_gateway", *api], ["grpc_server", *api])
        return machine.serve("grpc_server", *api, "--points", machine.data / "points.tsv")


class GrpcEven(Grpc):
    """`explore-1000`: 1,000 explorations a second."""
    cases = [f"explore-{rate}" for rate in (250, 500, 1000, 2000)]

    def words(self, machine, variant, case, server):
        return ["--port", server.port, "--servers", ",".join(map(str, server.pids)), "--mode", case.mode,
                "--rate", case.outstanding, "--queries", machine.data / "queries.tsv"]


class GrpcOpen(ServedPeer):
    """`even-5000`: 5,000 echoes a second. `tail-5000`: every hundredth of them is answered late."""
    cases = [f"{mode}-{rate}" for rate in (1000, 5000, 20000) for mode in ("even", "tail")]
    program, variants = "grpc_open", ["callback", "queue"]

    def start(self, machine, variant, mode):
        return machine.serve("grpc_server", "--api", variant)

    def words(self, machine, variant, case, server):
        return ["--port", server.port, "--servers", ",".join(map(str, server.pids)), "--rate", case.outstanding,
                "--late", 100 if case.mode == "tail" else 0]


class Epoll(ServedPeer):
    cases, program = ["echo-1", "echo-8", "echo-64"], "frame_load"

    def start(self, machine, variant, mode):
        return machine.serve("epoll_echo")


class Frame(ServedPeer):
    cases, program = [f"{mode}-{n}" for mode in ("nearby", "explore") for n in (1, 8, 64)], "frame_load"

    def start(self, machine, variant, mode):
        if mode == "explore":
            return self.fan_out(machine, ["frame_gateway"], ["frame_nearby"])
        return machine.serve("frame_nearby", "--points", machine.data / "points.tsv")


class Redis(ServedPeer):
    cases, program = ["nearby-1", "nearby-8", "nearby-64"], "redis_load"
    variants, shares_server = ["connections", "pipelined"], True

    def start(self, machine, variant, mode):
        return redis.start(machine)

    def fits(self, variant, case):
        return variant == "connections" or case.outstanding > 1

    def words(self, machine, variant, case, server):
        connections = case.outstanding if variant == "connections" else 1
        return [*super().words(machine, variant, case, server), "--connections", connections]


class PostGIS(ServedPeer):
    cases, program, variants = ["nearby-1", "nearby-8"], "postgis_load", ["knn", "sphere"]
    shares_server = True

    def start(self, machine, variant, mode):
        return postgis.start(machine)

    def words(self, machine, variant, case, server):
        # The load generator adds the process of each of its connections to the server's side.
        return [*super().words(machine, variant, case, server), "--sql", variant]


class SQLite(Peer):
    cases, program, variants = ["nearby-inproc"], "sqlite_bench", ["file", "memory"]

    def words(self, machine, variant, case, server):
        database = ":memory:" if variant == "memory" else machine.scratch("sqlite") / "places.sqlite"
        return [*super().words(machine, variant, case, server), "--database", database]


class SQLiteLoop(Peer):
    cases, program = ["create-1", "create-64", "read-64"], "sqlite_rows"

    def words(self, machine, variant, case, server):
        return ["--database", machine.scratch("rows") / "rows.db", "--mode", case.mode,
                "--outstanding", case.outstanding]


class PgBench(ServedPeer):
    cases = ["create-1", "create-64", "read-64"]

    def start(self, machine, variant, mode):
        return pgbench.start(machine)

    def measure(self, machine, variant, case, server, seconds, warmup):
        return pgbench.measure(machine, case, server, seconds, warmup)


class Index(Peer):
    cases, program = ["search-inproc"], "index_bench"


PEERS = {"grpc": Grpc(), "grpc-open": GrpcOpen(), "grpc-even": GrpcEven(),
         "epoll": Epoll(), "frame": Frame(), "redis": Redis(), "postgis": PostGIS(),
         "sqlite": SQLite(), "index": Index(), "sqlite-loop": SQLiteLoop(), "pgbench": PgBench()}
