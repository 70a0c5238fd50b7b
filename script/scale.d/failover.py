"""Proves on this machine what Deploy/failover promises: three servers in network namespaces, each with etcd, Patroni
and PostgreSQL, behind HAProxy, and Waymark under load while the primary is killed, frozen and cut off, in turn.

Usage: failover.py [--programs DIR] [--rounds N] [--folder DIR] [--rate N]

Needs root, and what `script/bootstrap failover` installs. Prints a line for each
round, and the times in which no change was acknowledged. Ends with 1 when an acknowledged change is lost, a read does
not show the change that its reader had acknowledged before, or changes go on only after 30 seconds; with 77 where it
can't run.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
from traffic import Failure, Gateways, all_pins, point  # noqa: E402

LIMIT_S = 30
CALLERS = 16
PASSWORD = "failover"


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)


def run(*command, check=True, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)
    if check and done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr[-600:]}")
    return done.stdout.strip()


def until(look, patience, what):
    end = time.monotonic() + patience
    while not (seen := look()):
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not within {patience} s")
        time.sleep(0.1)
    return seen


class Server:
    """A machine: a network namespace with etcd, Patroni and PostgreSQL."""

    def __init__(self, net, number):
        self.net, self.number = net, number
        self.name = f"db{number}"
        self.space = f"{net.name}{number}"
        self.address = f"{net.prefix}.{number + 10}"
        self.folder = net.folder / self.name
        self.programs = []
        self.join()

    def join(self):
        outer, inner = f"{self.net.name}o{self.number}", f"{self.net.name}i{self.number}"
        run("ip", "netns", "add", self.space)
        run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner)
        run("ip", "link", "set", inner, "netns", self.space)
        self.net.join(outer)
        within = ("ip", "-n", self.space)
        run(*within, "addr", "add", f"{self.address}/24", "dev", inner)
        run(*within, "link", "set", inner, "up")
        run(*within, "link", "set", "lo", "up")

    def within(self, *command):
        return ["ip", "netns", "exec", self.space, *map(str, command)]

    def launch(self, name, *command, **settings):
        plain = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ} | {"LC_ALL": "C.UTF-8"}
        self.folder.mkdir(exist_ok=True)
        shutil.chown(self.folder, "postgres", "postgres")
        with open(self.folder / f"{name}.log", "ab") as log:
            self.programs.append(subprocess.Popen(
                self.within("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=plain | settings, start_new_session=True))

    def configured(self):
        """The same as on a machine of its own, but for what the three share here: paths."""
        text = (ROOT / "Deploy/failover/patroni.yml").read_text(encoding="utf-8")
        text = text.replace("/etc/waymark/failover/first", str(self.net.folder / "first"))
        path = self.net.folder / f"{self.name}.yml"
        path.write_text(f"{text}  parameters: {{unix_socket_directories: {self.folder}}}\n", encoding="utf-8")
        return path

    def start(self):
        peers = ",".join(f"{one.name}=http://{one.address}:2380" for one in self.net.servers)
        state = "existing" if (self.folder / "etcd").exists() else "new"
        self.launch(
            "etcd", "etcd", "--name", self.name, "--data-dir", self.folder / "etcd", "--initial-cluster", peers,
            "--initial-cluster-state", state, "--initial-advertise-peer-urls", f"http://{self.address}:2380",
            "--listen-peer-urls", f"http://{self.address}:2380", "--advertise-client-urls",
            f"http://{self.address}:2379", "--listen-client-urls", "http://0.0.0.0:2379", "--heartbeat-interval", 200,
            "--election-timeout", 2000, "--enable-v2", "--log-level", "warn")
        self.launch(
            "patroni", "patroni", self.configured(), PATRONI_NAME=self.name,
            PATRONI_RESTAPI_CONNECT_ADDRESS=f"{self.address}:8008",
            PATRONI_POSTGRESQL_CONNECT_ADDRESS=f"{self.address}:5432",
            PATRONI_POSTGRESQL_DATA_DIR=str(self.folder / "data"),
            PATRONI_POSTGRESQL_PGPASS=str(self.folder / "pgpass"),
            PATRONI_ETCD_HOSTS=",".join(f"'{one.address}:2379'" for one in self.net.servers),
            PATRONI_SUPERUSER_PASSWORD=PASSWORD, PATRONI_REPLICATION_PASSWORD=PASSWORD,
            WAYMARK_DATABASE_PASSWORD=PASSWORD)

    def processes(self):
        return [int(one) for one in run("ip", "netns", "pids", self.space).split()]

    def signal(self, number):
        for process in self.processes():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def kill(self):
        while self.processes():
            self.signal(signal.SIGKILL)
            time.sleep(0.05)
        for program in self.programs:
            program.wait()
        self.programs = []

    def freeze(self):
        self.signal(signal.SIGSTOP)

    def thaw(self):
        self.signal(signal.SIGCONT)

    def cut(self):
        rules = ["add table inet cut"]
        for chain, link in (("input", "iif"), ("output", "oif")):
            rules.append(f"add chain inet cut {chain} {{ type filter hook {chain} priority 0; policy drop; }}")
            rules.append(f"add rule inet cut {chain} {link} lo accept")
        run(*self.within("nft", "-f", "-"), input="\n".join(rules))

    def heal(self):
        run(*self.within("nft", "delete", "table", "inet", "cut"))

    def is_primary(self):
        try:
            with urllib.request.urlopen(f"http://{self.address}:8008/primary", timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    def cluster(self):
        """What this one says of all."""
        try:
            with urllib.request.urlopen(f"http://{self.address}:8008/cluster", timeout=2) as answer:
                return json.load(answer)["members"]
        except (OSError, ValueError, KeyError):
            return []


class Net:
    """The machines, and HAProxy beside them."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.name = f"wf{os.getpid() % 10_000}x"
        self.own = f"{self.name}b"
        self.prefix = f"10.{random.randrange(64, 128)}.{random.randrange(256)}"
        self.servers = []
        self.proxy = None

    def __enter__(self):
        os.chmod(self.folder, 0o755)
        # In a space of its own, where no rules of this machine hold.
        run("ip", "netns", "add", f"{self.name}l")
        run("ip", "-n", f"{self.name}l", "link", "add", "lan", "type", "bridge")
        run("ip", "-n", f"{self.name}l", "link", "set", "lan", "up")
        run("ip", "link", "add", self.own, "type", "veth", "peer", "name", f"{self.name}p")
        self.join(f"{self.name}p")
        run("ip", "addr", "add", f"{self.prefix}.1/24", "dev", self.own)
        run("ip", "link", "set", self.own, "up")
        shutil.copy(ROOT / "Deploy/failover/first", self.folder / "first")
        for number in (1, 2, 3):
            self.servers.append(Server(self, number))
        for server in self.servers:
            server.start()
        addresses = {server.name.upper(): server.address for server in self.servers}
        with open(self.folder / "haproxy.log", "wb") as log:
            self.proxy = subprocess.Popen(
                ["haproxy", "-db", "-f", ROOT / "Deploy/failover/haproxy.cfg"], stdout=log, stderr=log,
                env=os.environ | addresses | {"WAYMARK_DATABASE_BIND": f"{self.prefix}.1"})
        return self

    def __exit__(self, *_):
        if self.proxy:
            self.proxy.kill()
            self.proxy.wait()
        for server in self.servers:
            server.thaw()
            server.kill()
            run("ip", "netns", "del", server.space, check=False)
        run("ip", "netns", "del", f"{self.name}l", check=False)

    def join(self, link):
        """Puts one end of a cable into the switch."""
        run("ip", "link", "set", link, "netns", f"{self.name}l")
        run("ip", "-n", f"{self.name}l", "link", "set", link, "master", "lan", "up")

    def primary(self):
        """The only one that says so of itself."""
        found = [server for server in self.servers if server.is_primary()]
        return found[0] if len(found) == 1 else None

    def whole(self):
        """Three that are there, one of which has every commit of the primary before it is acknowledged."""
        primary = self.primary()
        members = primary.cluster() if primary else []
        roles = sorted(member["role"] for member in members)
        states = [member.get("state") for member in members]
        return roles == ["leader", "replica", "sync_standby"] and all(
            state in ("running", "streaming") for state in states) and all(
            member.get("lag", 0) == 0 for member in members)


class History:
    """All that was acknowledged: for each pin its name, None once it was removed; and what was not as it should be."""

    def __init__(self, address):
        self.address = address
        self.lock = threading.Lock()
        self.pins, self.maybe, self.wrong = {}, {}, []
        self.changes = self.reads = self.refused = 0
        self.last = time.monotonic()
        self.longest = 0
        self.is_over = threading.Event()

    def acknowledged(self):
        with self.lock:
            now = time.monotonic()
            self.longest = max(self.longest, now - self.last)
            self.last = now
            self.changes += 1

    def call(self, rate):
        """One caller: its changes and reads come one after the other, so it knows what it has to see."""
        gateways, own = Gateways([self.address]), []
        while not self.is_over.wait(random.expovariate(rate)):
            try:
                if random.random() < 0.3 or not own:
                    self.change(gateways, own)
                else:
                    self.read(gateways, random.choice(own[-50:]))
            except Failure:
                self.refused += 1

    def change(self, gateways, own):
        if not own or random.random() < 0.6:
            name = f"failover {uuid.uuid4()}"
            answer = self.repeat(gateways, "CreatePin", position=point(), radiusM=100, name=name)
            pin = answer["pin"]["id"]
            own.append(pin)
        else:
            pin = random.choice(own[-50:])
            name = f"failover {uuid.uuid4()}"
            self.maybe.setdefault(pin, set()).add(name)
            self.repeat(gateways, "RenamePin", id=pin, name=name)
            self.maybe[pin] = set()
        self.pins[pin] = name
        self.acknowledged()

    def repeat(self, gateways, method, **fields):
        """Under the same id until it is answered, as an app does."""
        request = str(uuid.uuid4())
        while True:
            try:
                return gateways.call("pins.v1.PinService", method, requestId=request, **fields)
            except Failure as error:
                self.refused += 1
                if self.is_over.is_set() or not any(word in f"{error}" for word in ("503", "504", "no gateway")):
                    raise
                time.sleep(0.1)

    def read(self, gateways, pin):
        found = gateways.call("pins.v1.PinService", "GetPin", id=pin)["pin"].get("name", "")
        self.reads += 1
        if found != self.pins[pin] and found not in self.maybe.get(pin, ()):
            self.wrong.append(f"pin {pin} was read as {found!r}, not {self.pins[pin]!r}")

    def compare(self):
        there = {pin["id"]: pin.get("name", "") for pin in all_pins(Gateways([self.address]))}
        for pin, name in self.pins.items():
            if there.get(pin) != name and there.get(pin) not in self.maybe.get(pin, ()):
                self.wrong.append(f"pin {pin} is {there.get(pin)!r}, not {name!r}")
        return self.wrong


def fault(kind, server):
    {"kill": server.kill, "freeze": server.freeze, "cut": server.cut}[kind]()


def mend(kind, server):
    {"kill": server.start, "freeze": server.thaw, "cut": server.heal}[kind]()


def rounds(net, history, count):
    away = {"kill": [], "freeze": [], "cut": []}
    for number in range(count):
        kind = list(away)[number % 3]
        until(net.whole, 300, "three servers, one of them in step")
        time.sleep(random.uniform(0.5, 2))
        old = until(net.primary, 60, "one primary")
        history.longest = 0
        began, changes = time.monotonic(), history.changes
        fault(kind, old)
        time.sleep(0.5)
        # What was under way just then may be acknowledged still.
        until(lambda: time.monotonic() - began > 6 and time.monotonic() - history.last < 1, 120, "changes go on")
        took = history.longest
        away[kind].append(took)
        mend(kind, old)
        say(f"{number + 1}: {kind} {old.name}: no change was acknowledged for {took:.1f} s;"
            f" {history.changes - changes} since, {len(history.wrong)} wrong")
    until(net.whole, 300, "three servers, one of them in step")
    return away


def started(folder, programs, address):
    password = folder / "password"
    password.write_text(PASSWORD, encoding="utf-8")
    password.chmod(0o600)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("WAYMARK_")}
    plain["WAYMARK_FIRST_NETWORKS"] = "all"
    with open(folder / "waymark.log", "wb") as log:
        waymark = subprocess.Popen(
            [programs / "waymark", "up", "--data", folder / "data", "--port", "0", "--http-port", "0", "--bundled",
             "none", "--rate", "0", "--json", "--database", address, "--database-password-file", password],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=plain)
    for line in waymark.stdout:
        event = json.loads(line) if line.startswith(b"{") else {}
        if event.get("event") == "ready" and event.get("http"):
            return waymark, event["http"]
    raise SystemExit(f"waymark up ended: {(folder / 'waymark.log').read_text(errors='replace')[-600:]}")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/testing/release")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--folder")
    parser.add_argument("--rate", type=float, default=40)
    options = parser.parse_args()
    missing = [name for name in ("patroni", "etcd", "haproxy", "nft", "ip") if not shutil.which(name)]
    if os.geteuid() or missing:
        print(f"failover needs root, and what script/bootstrap failover installs: {missing}")
        sys.exit(77)
    # What was logged is left when it fails.
    folder = pathlib.Path(tempfile.mkdtemp(dir=options.folder, prefix="waymark-failover-"))
    with Net(folder) as net:
        until(net.whole, 300, "three servers, one of them in step")
        say(f"{net.primary().name} is the primary of three")
        waymark, address = started(folder, options.programs, f"postgresql://waymark@{net.prefix}.1:5000/waymark")
        history = History(address)
        callers = [threading.Thread(target=history.call, args=(options.rate / CALLERS,)) for _ in range(CALLERS)]
        try:
            for caller in callers:
                caller.start()
            away = rounds(net, history, options.rounds)
        finally:
            history.is_over.set()
            for caller in callers:
                caller.join()
        wrong = history.compare()
        waymark.terminate()
        waymark.wait()
    for kind, times in away.items():
        if times:
            say(f"{kind}: {len(times)} rounds, away {min(times):.1f} to {max(times):.1f} s,"
                f" {statistics.median(times):.1f} s in the middle")
    say(f"{history.changes} changes were acknowledged, {history.reads} reads answered, {history.refused} calls refused;"
        f" wrong: {len(wrong)} {wrong[:5]}")
    shutil.rmtree(folder)
    late = [took for times in away.values() for took in times if took > LIMIT_S]
    sys.exit(1 if wrong or late else 0)


if __name__ == "__main__":
    main()
