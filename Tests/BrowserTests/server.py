"""The Waymark system that the tests use, and calls to it that bypass the page."""

import copy
import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import uuid
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ClientTests"))
from waymark_system import BIN, ROOT, Program, System, lacks_programs  # noqa: E402,F401 (for the tests)

PINS = "waymark.pins.v1.PinService"
PHOTOS = "waymark.photos.v1.PhotoService"
TRACKS = "waymark.pins.v1.TrackService"
FINAL = {"ALBUM_STATE_COMPLETE", "ALBUM_STATE_EMPTY", "ALBUM_STATE_COMPLETE_WITH_ERRORS", "ALBUM_STATE_FAILED"}
# What the map shows at the beginning of each test.
REGION = {
    "centre": {"latitude": 60.1690, "longitude": 24.9440},
    "span": {"latitudeDelta": 0.012, "longitudeDelta": 0.02},
}


# Of the bundled places, imported. They are imported again when they, or the program, are others.
IMPORTED = ROOT / ".build/test/places"


def imported_places():
    """A folder with the bundled places, which to import takes longer than most tests. Its name says what of."""
    made_of = [BIN / "places-service", *sorted((ROOT / "Data").glob("*/*"))]
    stamps = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in made_of]
    folder = IMPORTED / hashlib.sha256(json.dumps(stamps).encode()).hexdigest()[:16]
    IMPORTED.mkdir(parents=True, exist_ok=True)
    with open(IMPORTED / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            for other in IMPORTED.glob("*/"):
                shutil.rmtree(other)
            system = System()
            # It ends when all is written.
            system.up.stop()
            shutil.copytree(system.data / "places", IMPORTED / "new")
            (IMPORTED / "new").rename(folder)
            system.stop()
    return folder


class Server:
    """With the bundled map for tests that look at it: to draw it is a fifth of what a page costs."""

    def __init__(self, has_map=False, **settings):
        self.has_map = has_map
        self.system = System(places=imported_places(), **({} if has_map else {"map": "none"}), **settings)
        self.address = self.system.http
        self.host = urlsplit(self.address).netloc
        # The folder of postcards is read in the background; from here on it is known.
        scan = [BIN / "waymark", "photo", "scan", "--target", self.system.gateway]
        subprocess.run(scan, check=True, capture_output=True)

    def stop(self):
        self.system.stop()

    def call(self, method, request=None):
        status, answer = self.system.web().call(method, request or {})
        assert status == 200, f"{method} answered {status}: {answer}"
        return answer

    def pins(self):
        return self.call(f"{PINS}/ListPins", {"pageSize": 500}).get("pins", [])

    def clear(self):
        for pin in self.pins():
            self.call(f"{PINS}/DeletePin", {"id": pin["id"]})
        for track in self.call(f"{TRACKS}/ListTracks", {}).get("tracks", []):
            self.call(f"{TRACKS}/DeleteTrack", {"id": track["id"]})
        self.call(f"{PINS}/SetMapRegion", {"region": REGION})

    def drop(self, latitude=60.1675, longitude=24.9430, name="Esplanadi", radius=300):
        """A pin's id."""
        request = {"position": {"latitude": latitude, "longitude": longitude}, "radiusM": radius, "name": name}
        return self.call(f"{PINS}/CreatePin", request | {"requestId": str(uuid.uuid4())})["pin"]["id"]

    def filled(self, *position, **more):
        """The id of a pin that is green, with an album that is full."""
        pin_id = self.drop(*position, **more)
        self.await_pin(pin_id, lambda pin: pin["state"] == "PIN_STATE_READY" and
                       pin.get("album", {}).get("state") in FINAL)
        return pin_id

    def await_pin(self, pin_id, is_so):
        watch = f"{PINS}/WatchPin:" + json.dumps({"id": pin_id})
        for event in self.system.web().events("/events?watch=" + quote(watch, safe="")):
            pin = event.get("message", {}).get("pin")
            if pin and is_so(pin):
                return pin
        raise AssertionError("the watch of the pin ended")

    def pid(self, name):
        return self.system.up.ready["pids"][name]

    def gateway_pid(self):
        """Of the gateway as it runs now: `waymark up` starts another one for one that ended."""
        parent = self.system.up.process.pid
        threads = Path(f"/proc/{parent}/task").glob("*/children")
        children = [pid for thread in threads for pid in thread.read_text().split()]
        return next(int(pid) for pid in children if Path(f"/proc/{pid}/comm").read_text().strip() == "gateway")

    @contextmanager
    def halted(self, *names):
        """Services that take no step for a while, as on a machine that is far too busy."""
        for name in names:
            os.kill(self.pid(name), signal.SIGSTOP)
        try:
            yield
        finally:
            for name in names:
                os.kill(self.pid(name), signal.SIGCONT)


class SecondGateway:
    """Another gateway in front of the same services."""

    def __init__(self, server, folder, listen, *words):
        words = ["--listen", listen, "--http", "127.0.0.1:0", "--data", folder,
                 "--key-file", Path(server.system.folder.name, "data/key"), *words]
        words += [] if server.has_map else ["--map", "none"]
        for name, address in server.system.up.ready["services"].items():
            words += [f"--{name}", address]
        self.program = Program(folder, "gateway", *words)
        self.host = self.program.ready["http"]

    def stop(self):
        self.program.stop()


class PrivateGateway(SecondGateway):
    """One that requires a token. Its --listen is not loopback, or it would be open."""

    def __init__(self, server, folder, tokens):
        Path(folder, "tokens").write_text("\n".join(tokens) + "\n")
        Path(folder, "tokens").chmod(0o600)
        super().__init__(server, folder, "0.0.0.0:0", "--token-file", Path(folder, "tokens"))
        self.address = "http://" + self.host


class SecureGateway(SecondGateway):
    """One that speaks https, and so HTTP/2 with a browser."""

    def __init__(self, server, folder):
        certificate, key = Path(folder, "certificate.pem"), Path(folder, "key.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
        key.chmod(0o600)
        super().__init__(server, folder, "127.0.0.1:0",
                         "--http-tls-certificate", certificate, "--http-tls-key", key)
        self.address = "https://" + self.host


def over_https(server, folder):
    """The same server, which browsers reach by https."""
    gateway = SecureGateway(server, folder)
    secure = copy.copy(server)
    secure.address, secure.host = gateway.address, gateway.host
    yield secure
    gateway.stop()
