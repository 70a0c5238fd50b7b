"""A whole Waymark for tests in Python: started on free ports with the sample postcards, asked over HTTP, stopped."""

import http.client
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid
from pathlib import Path
from urllib.parse import quote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("WAYMARK_BIN_DIR", ROOT / ".build/testing/release")).resolve()
# How long a test waits for what has to come; only a failure takes this long.
PATIENCE_S = 60


def lacks_programs():
    """Why nothing can be started here; None when all is there."""
    missing = [name for name in ("waymark", "gateway", "places-service", "pin-service", "photo-service")
               if not (BIN / name).exists()]
    return f"{', '.join(missing)} not built in {BIN} (script/test builds them)" if missing else None


class Program:
    """A program that reports on its standard output, with a line of JSON, when it is ready."""

    def __init__(self, folder, name, *words, **settings):
        self.log = Path(folder, f"{name}.log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [str(BIN / name), *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                start_new_session=True, env=environment(settings))
        try:
            self.ready = self.await_ready()
        except BaseException:
            self.stop()
            raise

    def await_ready(self):
        until, unread, line = time.monotonic() + PATIENCE_S, b"", b""
        while True:
            *lines, unread = unread.split(b"\n")
            for line in lines:
                event = json.loads(line) if line.startswith(b"{") else {}
                if event.get("event") == "ready" and (event.get("http") or event.get("service")):
                    return event
            left = max(0, until - time.monotonic())
            if not select.select([self.process.stdout], [], [], left)[0]:
                raise RuntimeError(f"not ready after {PATIENCE_S} s{self.last_words()}")
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                said = line.decode(errors="replace")
                raise RuntimeError(f"it ended with {self.process.wait()}: {said}{self.last_words()}")
            unread += more

    def last_words(self):
        return ":\n" + "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()


def environment(settings):
    """Nothing of the caller's own settings, so that a test is the same everywhere. Accounts need not choose networks."""
    settings = {"first_networks": "all"} | settings
    plain = {name: value for name, value in os.environ.items() if not name.startswith("WAYMARK_")}
    return plain | {f"WAYMARK_{name.upper()}": str(value) for name, value in settings.items()}


class System:
    """`waymark up`. Settings become variables: `trusted_proxies` is WAYMARK_TRUSTED_PROXIES. `http_port` is for one
    whose address has to be known before; by default it is a free one. `places` is a folder of places to begin with:
    without one, the bundled places are imported. `pictures` is another folder of pictures than the bundled one."""

    def __init__(self, http_port=0, places=None, pictures=ROOT / "Data/postcards", **settings):
        self.folder = tempfile.TemporaryDirectory(prefix="waymark-clients-")
        self.data = Path(self.folder.name, "data")
        words = ["up", "--json", "--data", self.data, "--port", 0, "--http-port", http_port,
                 "--pictures", pictures]
        try:
            if places:
                self.data.mkdir(mode=0o700)
                shutil.copytree(places, self.data / "places")
            self.up = Program(self.folder.name, "waymark", *words, **settings)
        except BaseException:
            self.folder.cleanup()
            raise
        self.http, self.gateway = self.up.ready["http"], self.up.ready["gateway"]

    def stop(self):
        self.up.stop()
        self.folder.cleanup()

    def web(self, **more):
        """A connection to the gateway's HTTP side."""
        return Web(http.client.HTTPConnection(urlsplit(self.http).netloc, timeout=PATIENCE_S, **more))


class Web:
    """Requests over one connection, and what came back."""

    def __init__(self, connection, **headers):
        self.connection, self.headers = connection, headers

    def ask(self, method, path, body=None, **headers):
        """(status, headers, bytes)"""
        answer = self.begin(method, path, body, **headers)
        return answer.status, answer.headers, answer.read()

    def begin(self, method, path, body=None, **headers):
        named = {name.replace("_", "-"): value for name, value in (self.headers | headers).items()}
        self.connection.request(method, path, body, named)
        return self.connection.getresponse()

    def call(self, method, request, **headers):
        """(status, message) of a unary call after the Connect protocol, in JSON."""
        headers = {"Content_Type": "application/json", "Connect_Protocol_Version": "1"} | headers
        status, _, body = self.ask("POST", "/" + method, json.dumps(request), **headers)
        return status, json.loads(body) if body else {}

    def events(self, path, **headers):
        """The data of each server-sent event, as it comes, until none comes for PATIENCE_S. The connection serves nothing
        else from then on."""
        answer = self.begin("GET", path, **headers)
        if answer.status != 200:
            raise AssertionError(f"{path} answered {answer.status}: {answer.read()[:500]}")
        last = time.monotonic()
        for line in answer:
            if line.startswith(b"data:"):
                yield json.loads(line.removeprefix(b"data:"))
                last = time.monotonic()
            # Comments come all the time, so that the connection's own timeout never ends it.
            elif time.monotonic() - last > PATIENCE_S:
                raise AssertionError(f"{path}: no event for {PATIENCE_S} s")


def new_pin(web, latitude=60.1675, longitude=24.9430, **more):
    """Drops a pin where there are postcards around."""
    position = {"latitude": latitude, "longitude": longitude}
    request = {"position": position, "radiusM": 300, "requestId": str(uuid.uuid4())} | more
    status, answer = web.call("waymark.pins.v1.PinService/CreatePin", request)
    if status != 200:
        raise AssertionError(f"CreatePin answered {status}: {answer}")
    return answer["pin"]


def ready_photo(web, events, pin):
    """A photo of the pin's album whose picture is there. Takes a connection of its own for the events."""
    watch = "waymark.photos.v1.PhotoService/WatchAlbum:" + json.dumps({"subject": f"pin/{pin['id']}"})
    status, answer = web.call("waymark.photos.v1.PhotoService/OpenAlbum", {"subject": f"pin/{pin['id']}"})
    # The photo service may not know of the pin yet.
    if status not in (200, 503):
        raise AssertionError(f"OpenAlbum answered {status}: {answer}")
    for event in events.events("/events?watch=" + quoted(watch)):
        if "message" not in event:
            raise AssertionError(f"the watch ended: {event}")
        for photo in event["message"].get("photos", []):
            if photo.get("state") == "PHOTO_STATE_READY" and photo.get("thumbnailUrl"):
                return photo
    raise AssertionError("the watch ended before a picture was there")


def quoted(text):
    """For the query of a URL."""
    return quote(text, safe="")


def skipped(reason):
    """Prints why nothing was tested. Returns the exit code for that."""
    print(f"SKIPPED: {reason}\n0 passed, 0 failed, 1 skipped")
    return 77


def run(module="__main__", names=()):
    """Runs a file's tests, or some; the last line has the counts. Returns the exit code, 1 when one failed."""
    # Stopping the tests also stops what they have started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    loader, tests = unittest.defaultTestLoader, sys.modules[module]
    suite = loader.loadTestsFromNames(names, tests) if names else loader.loadTestsFromModule(tests)
    outcome = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len({str(test) for test, _ in outcome.failures + outcome.errors}) + len(outcome.unexpectedSuccesses)
    left_out = len(outcome.skipped)
    print(f"{max(0, outcome.testsRun - failed - left_out)} passed, {failed} failed, {left_out} skipped")
    return 1 if failed or outcome.testsRun == 0 else 0
