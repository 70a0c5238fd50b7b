"""Runs all of Waymark in two replicas of each service, on PostgreSQL and a store that speaks S3, as real processes of
this machine.

Usage: replicas.py --bin DIR --data DIR --s3 DIR [--pictures DIR] [--lifeline FD]

Prints one line of JSON once all answer: the gateways' address and the map; the processes' ids are in DIR/pids. A
process that ends is started again; a line says so, as `waymark up --json` does. SIGTERM, or the end of what FD reads,
stops them all; the data stays in DIR and is used by the next start. `--s3` is the folder of `weed` (SeaweedFS).
Replicas of a service listen on 127.0.0.2 and 127.0.0.3, at the same port.
"""

import argparse
import json
import os
import pathlib
import pwd
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time

HOSTS = ("127.0.0.2", "127.0.0.3")
POSTGRES = "/usr/lib/postgresql/15/bin"
READY = "components are running and ready"
# A process that ends at once is not started again more often than this, in seconds.
PAUSE = 1


def free_port(*hosts, and_above=0):
    """A port that is free on all hosts, and the one so far above it as well."""
    while True:
        port = secrets.randbelow(10_000) + 10_000
        try:
            for host in hosts:
                for number in (port, port + and_above):
                    with socket.socket() as probe:
                        probe.bind((host, number))
        except OSError:
            continue
        return port


def say(event, **values):
    print(json.dumps({"event": event, **values}), flush=True)


def follow(lifeline):
    """Asks to stop when what holds the other end has gone."""
    while os.read(lifeline, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


class Postgres:
    """A server of its own; its user has a password, which is in a file."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port("127.0.0.1")
        self.password = folder.parent / "database-password"
        # PostgreSQL refuses to run as root.
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if not folder.exists():
            self.password.write_text(secrets.token_hex(16) + "\n")
            self.password.chmod(0o600)
            folder.mkdir()
            own = folder / "password"
            own.write_text(self.password.read_text())
            if self.user:
                for path in (folder, own):
                    os.chown(path, self.user.pw_uid, self.user.pw_gid)
            self.run("initdb", "-D", "data", "-U", "waymark", "-A", "scram-sha-256", "--pwfile=password", "-E", "UTF8")
        self.process = self.start(
            "postgres", "-D", "data", "-h", "127.0.0.1", "-p", str(self.port), "-k", str(folder), "-c", "max_connections=200"
        )

    def options(self):
        user = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        return {"cwd": self.folder, "stdin": subprocess.DEVNULL, **user}

    def run(self, program, *arguments):
        log = self.folder.parent / "database.log"
        with open(log, "ab") as output:
            made = subprocess.run([f"{POSTGRES}/{program}", *arguments], stdout=output, stderr=output, **self.options())
        if made.returncode:
            sys.exit(f"PostgreSQL's {program} failed in {self.folder}, which its user has to reach: {log.read_text()[-400:]}")

    def start(self, program, *arguments):
        with open(self.folder.parent / "database.log", "ab") as log:
            return subprocess.Popen([f"{POSTGRES}/{program}", *arguments], stdout=log, stderr=log, **self.options())

    @property
    def address(self):
        return f"postgresql://waymark@127.0.0.1:{self.port}/postgres"

    def stop(self):
        # Ends the connections that are left.
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


class SeaweedFS:
    """A store of its own with a bucket "waymark"; its key is in a file."""

    def __init__(self, folder, programs):
        folder.mkdir(exist_ok=True)
        self.credentials = folder / "credentials"
        if not self.credentials.exists():
            self.credentials.touch(0o600)
            self.credentials.write_text(f"{secrets.token_hex(8)}\n{secrets.token_hex(16)}\n")
        key, secret = self.credentials.read_text().split()
        keys = {"name": "waymark", "credentials": [{"accessKey": key, "secretKey": secret}]}
        keys["actions"] = ["Admin", "Read", "List", "Tagging", "Write"]
        (folder / "keys.json").write_text(json.dumps({"identities": [keys]}))
        ports = [free_port("127.0.0.1", and_above=10_000) for _ in range(5)]
        self.port = ports[0]
        names = ("s3.port", "master.port", "volume.port", "filer.port", "admin.port")
        (folder / "data").mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [f"{programs}/weed", f"-logdir={folder}", "mini", f"-dir={folder}/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1"]
            + ["-bucket=waymark", "-master.telemetry=false", "-webdav=false", "-admin.ui=false", "-s3.port.iceberg=0"]
            + ["-s3.port.lance=0", "-s3.autoCreateBucket=false", f"-s3.config={folder}/keys.json"]
            + [f"-s3.localSocket={folder}/s3.sock", f"-filer.localSocket={folder}/filer.sock"]
            + [f"-{name}={port}" for name, port in zip(names, ports)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for line in self.process.stdout:
            if READY in line:
                break
        else:
            sys.exit("the S3 server ended at its start")
        # What it says from now on has to be read, or it would stop.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def address(self, prefix):
        return f"s3://waymark/{prefix}?endpoint=http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Replica:
    """A process of a service, which is started again when it ends."""

    def __init__(self, name, command, log):
        self.name, self.command, self.log = name, command, log
        self.is_stopping = False
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True
            )
        self.ready = json.loads(self.process.stdout.readline() or "{}")
        if not self.ready:
            tail = pathlib.Path(self.log).read_text(encoding="utf-8").splitlines()[-3:]
            sys.exit(f"{self.name} did not start: " + " ".join(tail))

    def watch(self, changed):
        """Runs until it is stopped."""
        while True:
            code, pid = self.process.wait(), self.process.pid
            if self.is_stopping:
                return
            say("ended", service=self.name, pid=pid, reason=f"signal {-code}" if code < 0 else f"exit status {code}")
            time.sleep(PAUSE)
            self.start()
            changed()
            say("restarted", service=self.name, pid=self.process.pid)

    def stop(self):
        self.is_stopping = True
        self.process.terminate()


def launch(options):
    data = pathlib.Path(options.data).resolve()
    data.mkdir(parents=True, exist_ok=True)
    key = data / "key"
    if not key.exists():
        subprocess.run([f"{options.bin}/waymark", "init", "--key-file", key], check=True, stdout=subprocess.DEVNULL)
    # The postgres user has to reach its folder.
    data.chmod(0o755)
    database, store = Postgres(data / "postgres"), SeaweedFS(data / "s3", options.s3)
    ports = {name: free_port(*HOSTS) for name in ("places", "photos", "pins", "gateway", "http")}
    targets = {name: f"{','.join(HOSTS)}:{port}" for name, port in ports.items()}

    def kept(prefix):
        return ["--database", database.address, "--database-password-file", database.password] + (
            ["--blobs", store.address(prefix), "--blob-credentials", store.credentials] if prefix else []
        )

    peers = {name: [f"--{name}", targets[name]] for name in ("places", "photos", "pins")}
    plans = [
        ("places", "places-service", kept("places")),
        ("photos", "photo-service", kept("photos") + (["--pictures", options.pictures] if options.pictures else [])),
        ("pins", "pin-service", kept("") + peers["places"] + peers["photos"]
         + (["--first-networks", options.first_networks] if options.first_networks else [])),
        ("gateway", "gateway", ["--open"] + peers["places"] + peers["photos"] + peers["pins"]),
    ]
    replicas = []
    for service, program, own in plans:
        for number, host in enumerate(HOSTS, 1):
            name = f"{service}-{number}"
            common = ["--key-file", key, "--data", data / name, "--listen", f"{host}:{ports[service]}"]
            if service == "gateway":
                common += ["--http", f"{host}:{ports['http']}"]
            else:
                common += ["--replica", name]
            command = [f"{options.bin}/{program}", *map(str, common + own)]
            replicas.append(Replica(name, command, data / f"{name}.log"))
    return data, database, store, replicas, targets, ports


def main():
    parser = argparse.ArgumentParser(add_help=False)
    for name in ("--bin", "--data", "--s3"):
        parser.add_argument(name, required=True)
    parser.add_argument("--pictures")
    parser.add_argument("--first-networks")
    parser.add_argument("--lifeline", type=int)
    # Threads inherit the mask, so that the signals wait for this one.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    options = parser.parse_args()
    if options.lifeline is not None:
        threading.Thread(target=follow, args=(options.lifeline,), daemon=True).start()
    data, database, store, replicas, targets, ports = launch(options)

    def note():
        pids = "".join(f"{replica.name} {replica.process.pid}\n" for replica in replicas)
        (data / "pids").write_text(pids)

    note()
    for replica in replicas:
        threading.Thread(target=replica.watch, args=(note,), daemon=True).start()
    urls = [f"http://{host}:{ports['http']}" for host in HOSTS]
    say("ready", gateway=targets["gateway"], http=urls[0], maps=urls, database=database.address)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    # Callers before those that they call.
    for replica in reversed(replicas):
        replica.stop()
    for replica in replicas:
        replica.process.wait()
    store.stop()
    database.stop()
    failed = [replica.name for replica in replicas if replica.process.returncode]
    sys.exit(f"{', '.join(failed)} did not end well" if failed else 0)


if __name__ == "__main__":
    main()
