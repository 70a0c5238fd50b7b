"""A Waymark with a million pins of a thousand accounts, and the workers that call it."""

import json
import socket
import sqlite3
import sys
import threading
import urllib.request
from pathlib import Path
from statistics import median

DRIVER = Path(__file__).resolve().parents[1] / "driver"
sys.path += [str(DRIVER), str(DRIVER.parent / "peers")]

import rows  # noqa: E402
from others import Others  # noqa: E402
from runner.pgbench import SETTINGS  # noqa: E402
from runner.postgres import Postgres  # noqa: E402
from stored import Room  # noqa: E402
from waymark import Waymark  # noqa: E402

PASSWORD = "correct horse battery"
OWNER = "owner@example.org"
SERVER_CORE, CLIENT_CORE = 0, 1
SLACK_S = 120
# What counts as a disturbance, as in the other benches: a share of a core.
LARGEST_DISTURBANCE = 0.05
# The spots of an account's pins: 30 rows of some on the South Pacific.
ROWS = 30


class Calls:
    """Calls of a gateway over HTTP, in JSON."""

    def __init__(self, address, token=None):
        self.address, self.token = address, token

    def call(self, method, request):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        asked = urllib.request.Request(f"http://{self.address}/waymark.{method}", json.dumps(request).encode(), headers)
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.load(answer)


def new_account(address):
    """Makes an account that may have pins, as everything here that needs one does; gives its calls."""
    calls = Calls(address)
    session = calls.call("accounts.v1.AccountService/SignUp", {"email": OWNER, "password": PASSWORD})["session"]
    return Calls(address, session["token"])


class Deployment(Waymark):
    """The places service is one that never answers: nothing is searched here."""

    def __init__(self, options, children, folder):
        super().__init__(options, children, folder)
        self.silence = socket.create_server(("127.0.0.1", 0))
        self.silent = ["--places", "127.0.0.1:%d" % self.silence.getsockname()[1]]

    def pin_service(self, name, *words, core=SERVER_CORE):
        self.serve("pin-service", *self.silent, "--sign-up", "open", *words, alias=name, core=core)

    def gateway(self, name, pins, core=SERVER_CORE):
        words = ["--pins", self.addresses[pins], "--http", "127.0.0.1:0", "--rate", 0]
        self.serve("gateway", *words, alias=name, core=core)

    def end(self, name):
        child = self.services.pop(name)
        child.ask_to_stop()
        child.wait()

    def fill(self, accounts, pins):
        """Makes one account and its pins by calls, and all others of that, as rows where the pin service `pins` has
        its own."""
        self.pin_service("pins")
        self.gateway("gateway", "pins")
        owner = new_account(self.http["gateway"])
        for number in range(pins):
            position = {"latitude": -60 + number % ROWS / 10, "longitude": -140 + number // ROWS / 100}
            owner.call("pins.v1.PinService/CreatePin", {"position": position, "radiusM": rows.RADIUS_M, "name": "Pin"})
        for name in ("gateway", "pins"):
            self.end(name)
        database = sqlite3.connect(self.folder / "pins" / "pins.db")
        self.spots = database.execute("SELECT latitude_e7, longitude_e7, cell FROM pins").fetchall()
        self.hash, self.roles = database.execute("SELECT password, roles FROM accounts").fetchone()
        # What would be searched for is not what is measured.
        for table in ("jobs", "pin_searches", "pins"):
            database.execute(f"DELETE FROM {table}")
        people = self.people(accounts, pins)
        rows.write_file(database, people)
        database.close()
        return people

    def people(self, accounts, pins):
        return rows.People(self.key.read_text().strip(), self.spots[:pins], self.hash, accounts, self.roles)

    def file(self, name, accounts, pins):
        """The data of a pin service of that name, in a file; gives the people."""
        self.pin_service(name)
        self.end(name)
        people = self.people(accounts, pins)
        database = sqlite3.connect(self.folder / name / "pins.db")
        rows.write_file(database, people)
        database.close()
        return people

    def postgres(self, accounts, pins):
        """The data of replicas on a PostgreSQL server; gives its address and the people."""
        machine = Room(self.options.peers_build, "twocores")
        self.children.started.append(machine)
        server = Postgres(machine, SETTINGS)
        address = f"postgresql://postgres@127.0.0.1:{server.port}/postgres"
        # It makes the tables.
        self.pin_service("tables", "--database", address)
        self.end("tables")
        people = self.people(accounts, pins)
        rows.write_postgres(server.client, "pins", people)
        return address, people


class Worker:
    """A process of waymark-bench that measures a window at a time."""

    def __init__(self, deployment, case, *words, core=CLIENT_CORE, seconds=None):
        options = deployment.options
        self.deployment, self.case = deployment, case
        self.limit = (seconds or options.seconds) + options.warm_up + SLACK_S
        self.child = deployment.children.start(
            "waymark-bench", [options.bin / "waymark-bench", case, "--seconds", seconds or options.seconds,
                              "--warm-up", options.warm_up, *words], core)

    def begin(self):
        self.child.tell()

    def report(self):
        report = json.loads(self.child.line(self.limit))
        if report["errors"]:
            raise self.deployment.failure(f"{self.case}: {report['errors']} calls failed")
        return report

    def window(self):
        others = Others()
        self.begin()
        report = self.report()
        return report | {"disturbed": others.share() > LARGEST_DISTURBANCE}


def medians(windows):
    """The medians of some windows, and whether other work has disturbed one of them."""
    names = ("value", "server_cpu_us", "client_cpu_us", "p50_us", "p99_us")
    return {name: median(window[name] for window in windows) for name in names} | {
        "disturbed": any(window["disturbed"] for window in windows)}


class Memory:
    """The most memory that a process has had, in MiB, without pages of files, which the system takes back."""

    def __init__(self, pid):
        self.pid, self.most, self.is_over = pid, 0, threading.Event()
        self.thread = threading.Thread(target=self.sample)

    def __enter__(self):
        self.before = self.now()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def now(self):
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon:")) / 1024

    def sample(self):
        while not self.is_over.wait(0.01):
            self.most = max(self.most, self.now())
