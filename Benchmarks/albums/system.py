"""A Waymark to measure, and what is asked of it."""

import http.client
import json
import os
import select
import signal
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import quote, urlsplit

PATIENCE_S = 600
PINS = "waymark.pins.v1.PinService"
PHOTOS = "waymark.photos.v1.PhotoService"
FINAL = {"ALBUM_STATE_COMPLETE", "ALBUM_STATE_EMPTY", "ALBUM_STATE_COMPLETE_WITH_ERRORS", "ALBUM_STATE_FAILED"}


class Failure(Exception):
    """What keeps a measurement from its end."""


class Started:
    """A program that prints a line of JSON when it is ready."""

    def __init__(self, folder, *words, **settings):
        plain = {name: value for name, value in os.environ.items() if not name.startswith("WAYMARK_")} | {
            "WAYMARK_FIRST_NETWORKS": "all"}
        given = {f"WAYMARK_{name.upper()}": str(value) for name, value in settings.items()}
        with open(Path(folder, f"{Path(str(words[0])).name}.log"), "wb") as log:
            self.process = subprocess.Popen(
                [str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                start_new_session=True, env=plain | given)
        end = time.monotonic() + PATIENCE_S
        while True:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise Failure(f"{words[0]} was not ready after {PATIENCE_S} s")
            line = self.process.stdout.readline()
            if not line:
                raise Failure(f"{words[0]} ended with {self.process.wait()}; see {folder}")
            event = json.loads(line) if line.startswith(b"{") else {}
            if event.get("event") == "ready" and event.get("http"):
                self.ready = event
                return

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


class Client:
    """Calls over HTTP, one after the other."""

    def __init__(self, address):
        self.connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE_S)

    def call(self, method, request):
        headers = {"Content-Type": "application/json", "Connect-Protocol-Version": "1"}
        self.connection.request("POST", f"/{method}", json.dumps(request), headers)
        answer = self.connection.getresponse()
        body = json.loads(answer.read() or b"{}")
        if answer.status != 200:
            raise Failure(f"{method} answered {answer.status}: {body}")
        return body

    def watch(self, method, request):
        """The messages of a watch, as they come."""
        self.connection.request("GET", "/events?watch=" + quote(f"{method}:{json.dumps(request)}", safe=""))
        answer = self.connection.getresponse()
        if answer.status != 200:
            raise Failure(f"the watch answered {answer.status}")
        for line in answer:
            if line.startswith(b"data:"):
                event = json.loads(line.removeprefix(b"data:"))
                if "message" in event:
                    yield event["message"]


class Memory:
    """The most memory that one of some processes had with its children, in MiB; what they share counts once."""

    def __init__(self, pids):
        self.pids, self.most = pids, 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.sample, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def sample(self):
        while not self.is_over.wait(0.05):
            for pid in self.pids:
                self.most = max(self.most, sum(self.own(each) for each in [pid, *self.children(pid)]) / 1024)

    @classmethod
    def children(cls, pid):
        found = []
        try:
            for listed in Path(f"/proc/{pid}/task").glob("*/children"):
                for child in listed.read_text().split():
                    found += [int(child), *cls.children(int(child))]
        except OSError:
            pass
        return found

    @staticmethod
    def own(pid):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        except OSError:
            pass
        return 0
