"""What is measured, where it runs, and who else does it."""
from dataclasses import dataclass

SERVER_CORE = 0


@dataclass(frozen=True)
class Placement:
    """Which cores are used: every server runs on core 0, the load generator on the same core or on its own."""

    name: str
    suffix: str
    client_core: int
    words: str

    @property
    def is_shared(self):
        return self.client_core == SERVER_CORE


PLACEMENTS = [
    Placement("twocores", "", 1, "servers on one core, the client on another"),
    Placement("onecore", "-onecore", SERVER_CORE, "servers and client on one core"),
]

CASES = {
    "rpc": ["echo-1", "echo-8", "echo-64", "tls-1", "tls-8", "tls-64"],
    "places": ["search-inproc", "nearby-inproc", "nearby-1", "nearby-8", "nearby-64", "packed-64"],
    "gateway": ["explore-1", "explore-8", "explore-64"],
    "storage": [f"{case}{engine}" for engine in ("", "-postgres") for case in ("create-1", "create-64", "read-64")],
    "http": ["post-8", "post-64", "region-8", "region-64", "picture-8", "picture-64", "miss-8"],
}


@dataclass(frozen=True)
class Case:
    """`echo-64`: 64 echoes outstanding. `nearby-inproc`: one search after the other, without a server."""

    bench: str
    base: str
    placement: Placement

    @property
    def name(self):
        return self.base + self.placement.suffix

    @property
    def mode(self):
        return self.base.partition("-")[0]

    @property
    def is_in_process(self):
        return self.base.endswith("-inproc")

    @property
    def outstanding(self):
        return 1 if self.is_in_process else int(self.base.split("-")[1])

    @property
    def is_on_postgres(self):
        return self.base.endswith("-postgres")

    @property
    def name_of_peers(self):
        """What Benchmarks/peers/run calls it."""
        return self.base.removesuffix("-postgres")

    @property
    def uses_one_core(self):
        return self.is_in_process or self.placement.is_shared

    @property
    def plain(self):
        """The base of the same case without TLS."""
        return f"echo-{self.outstanding}" if self.mode == "tls" else None

    @property
    def peers(self):
        if self.is_in_process:
            return ["index"] if self.mode == "search" else ["sqlite"]
        if self.mode == "nearby":
            # PostgreSQL has a process for each connection: 64 measure its scheduler.
            return ["redis", "grpc", "frame"] + (["postgis"] if self.outstanding <= 8 else [])
        if self.bench == "storage":
            return ["pgbench"] if self.is_on_postgres else ["sqlite-loop"]
        peers = {"echo": ["grpc", "epoll"], "tls": [], "packed": [], "explore": ["grpc", "frame"]}
        return peers.get(self.mode, ["nginx"])


def every_case():
    """All cases in the order in which they are measured. In process there is one placement only, and in storage: what
    waits for a disk leaves a core idle, which looks like a disturbance there."""
    return [
        Case(bench, base, placement)
        for bench, bases in CASES.items() for placement in PLACEMENTS for base in bases
        if not (placement.is_shared and (bench == "storage" or base.endswith("-inproc")))
    ]


def chosen(names):
    """The cases that the names mean, benches or single cases; all without a name. The second value: unknown names."""
    cases = every_case()
    known = {case.name for case in cases} | CASES.keys()
    picked = [case for case in cases if not names or case.bench in names or case.name in names]
    return picked, [name for name in names if name not in known]
