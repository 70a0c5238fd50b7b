"""The bench of storage: the pin service alone, with a file of its own or a PostgreSQL server."""
import socket
import sys
from pathlib import Path

from waymark import Waymark

sys.path.append(str(Path(__file__).resolve().parents[1] / "peers"))
from runner.pgbench import SETTINGS
from runner.postgres import Postgres
from runner.processes import Machine


class Stored(Waymark):
    """A pin service for each engine. The services that it calls are one that never answers: what is measured is the
    change that a caller waits for, neither the searches that follow it nor what pins learn of a service that is away.
    """

    def start(self, cases):
        self.silence = socket.create_server(("127.0.0.1", 0))
        silence = "127.0.0.1:%d" % self.silence.getsockname()[1]
        others = ["--places", silence, "--photos", silence]
        if any(not case.is_on_postgres for case in cases):
            self.serve("pin-service", *others)
        if any(case.is_on_postgres for case in cases):
            machine = Room(self.options.peers_build, "twocores")
            self.children.started.append(machine)
            server = Postgres(machine, SETTINGS)
            # The server has a core for itself. What calls it shares the other with the client, as pgbench is both.
            self.serve("pin-service", *others, "--database", f"postgresql://postgres@127.0.0.1:{server.port}/postgres",
                       alias="pin-service-postgres", core=next(iter(cases)).placement.client_core)
            self.server = server

    def worker(self, case):
        name = "pin-service-postgres" if case.is_on_postgres else "pin-service"
        pids = [self.services[name].pid] + (self.server.pids if case.is_on_postgres else [])
        return [case.mode, "--target", self.addresses[name], "--outstanding", case.outstanding,
                "--servers", ",".join(map(str, pids)), "--key-file", self.key]


class Room(Machine):
    """Where the PostgreSQL server runs: one of the bench's children."""

    def __init__(self, build, placement):
        super().__init__(build, placement)
        self.__enter__()

    def ask_to_stop(self):
        """It stops when its clients have."""

    def wait(self):
        self.__exit__(None, None, None)
