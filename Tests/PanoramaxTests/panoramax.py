"""A pin's album from a real Panoramax server. Started by `run`, which has the packages."""

import json
import os
import pwd
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ClientTests"))

from ports import held_port  # noqa: E402
from waymark_system import PATIENCE_S, ROOT, System, lacks_programs, skipped  # noqa: E402

POSTGRES = Path("/usr/lib/postgresql/15/bin")
PINS = "waymark.pins.v1.PinService"
PHOTOS = "waymark.photos.v1.PhotoService"
PARIS = {"latitude": 48.8584, "longitude": 2.2945}


def until(what, is_so):
    """What a condition gives once it gives something."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if found := is_so():
            return found
        time.sleep(0.1)
    raise AssertionError(f"not within {PATIENCE_S} s: {what}")


class Database:
    """PostgreSQL with PostGIS."""

    def __init__(self, folder):
        self.folder, self.port = Path(folder, "postgres"), held_port()
        self.folder.mkdir()
        # It refuses to run as root.
        self.user = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self.run("initdb", "-D", "data", "-U", "pano", "-A", "trust", "-E", "UTF8")
        self.process = subprocess.Popen(
            [POSTGRES / "postgres", "-D", "data", "-h", "127.0.0.1", "-p", str(self.port), "-k", self.folder,
             "-c", "fsync=off"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.user)
        until("PostgreSQL", lambda: subprocess.run(
            [POSTGRES / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode == 0)
        self.run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "pano", "pano")
        for extension in ("postgis", '"uuid-ossp"', "pg_trgm"):
            self.run("psql", "-q", self.url, "-c", f"CREATE EXTENSION {extension}")

    def run(self, program, *words):
        subprocess.run([POSTGRES / program, *words], cwd=self.folder, check=True, capture_output=True, **self.user)

    @property
    def url(self):
        return f"postgres://pano@127.0.0.1:{self.port}/pano"

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Panoramax:
    """geovisio, with pictures under a free licence."""

    def __init__(self, folder, database):
        self.port = held_port()
        settings = {
            "DB_URL": database.url, "FS_URL": str(Path(folder, "pano")), "FLASK_SECRET_KEY": "x",
            "API_PICTURES_LICENSE_SPDX_ID": "CC-BY-SA-4.0",
            "API_PICTURES_LICENSE_URL": "https://creativecommons.org/licenses/by-sa/4.0/",
            "PICTURE_PROCESS_DERIVATES_STRATEGY": "ON_DEMAND", "PICTURE_PROCESS_THREADS_LIMIT": "1",
        }
        with open(Path(folder, "geovisio.log"), "wb") as log:
            self.process = subprocess.Popen(
                [Path(sys.executable).with_name("flask"), "--app", "geovisio", "run", "--port", str(self.port)],
                cwd=folder, env=os.environ | settings, stdout=log, stderr=log)
        until("geovisio", self.is_there)
        self.collection = self.post("/collections", {"title": "a walk"})["id"]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/api"

    def is_there(self):
        try:
            return self.ask("/configuration")
        except OSError:
            assert self.process.poll() is None, "geovisio ended"
            return None

    def ask(self, path, method="GET", body=None, kind="application/json"):
        request = urllib.request.Request(self.url + path, body, {"Content-Type": kind} if body else {}, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.loads(answer.read() or b"{}")

    def post(self, path, message):
        return self.ask(path, "POST", json.dumps(message).encode())

    def add(self, number, file, latitude, longitude):
        """A picture's id, once it is shown."""
        fields = {
            "position": number, "override_latitude": latitude, "override_longitude": longitude,
            "override_capture_time": "2025-05-01T10:00:00Z",
        }
        mark = "waymark-part"
        parts = [f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
                 for name, value in fields.items()]
        head = f'--{mark}\r\nContent-Disposition: form-data; name="picture"; filename="{number}.jpg"\r\n'
        parts += [f"{head}Content-Type: image/jpeg\r\n\r\n".encode(), file.read_bytes(), f"\r\n--{mark}--\r\n".encode()]
        items = f"/collections/{self.collection}/items"
        made = self.ask(items, "POST", b"".join(parts), f"multipart/form-data; boundary={mark}")["id"]
        until("the picture", lambda: self.ask(f"/search?ids={made}")["features"])
        return made


    def stop(self):
        self.process.terminate()
        self.process.wait()


class PanoramaxTests(unittest.TestCase):
    """P18 P45 Albums from a real Panoramax server."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="waymark-panoramax-")
        os.chmod(folder.name, 0o755)
        cls.addClassCleanup(folder.cleanup)
        database = Database(folder.name)
        cls.addClassCleanup(database.stop)
        cls.panoramax = Panoramax(folder.name, database)
        cls.addClassCleanup(cls.panoramax.stop)
        files = sorted(Path(ROOT, "Data/postcards").glob("**/*.jpg"))
        cls.near = [
            cls.panoramax.add(number + 1, file, PARIS["latitude"] + number * 0.0005, PARIS["longitude"])
            for number, file in enumerate(files[:3])
        ]
        cls.panoramax.add(4, files[3], 48.9, 2.4)
        cls.system = System(
            panoramax_url=cls.panoramax.url, panoramax_files=cls.panoramax.url, contact="a@b.example",
            panoramax_rate=100)
        cls.addClassCleanup(cls.system.stop)
        cls.web = cls.system.web()
        cls.addClassCleanup(cls.web.connection.close)

    def call(self, method, request):
        status, answer = self.web.call(method, request)
        self.assertEqual(status, 200, answer)
        return answer

    def test_an_album_fills_with_what_is_near_and_who_made_it(self):
        made = self.call(f"{PINS}/CreatePin", {"position": PARIS, "radiusM": 500, "name": "Paris"})
        subject = f"pin/{made['pin']['id']}"

        def whole():
            status, answer = self.web.call(f"{PHOTOS}/GetAlbum", {"subject": subject})
            state = answer.get("album", {}).get("summary", {}).get("state")
            return answer if status == 200 and state == "ALBUM_STATE_COMPLETE" else None

        photos = until("the album", whole)["photos"]
        self.assertEqual([photo["id"] for photo in photos], [f"panoramax/{picture}" for picture in self.near])
        for photo in photos:
            self.assertEqual(photo["licence"], "CC BY-SA 4.0")
            self.assertEqual(photo["author"], "Waymark samples")
            self.assertEqual(photo["state"], "PHOTO_STATE_READY")
            status, _, picture = self.web.ask("GET", photo["thumbnailUrl"])
            self.assertEqual((status, picture[:2]), (200, b"\xff\xd8"))


if __name__ == "__main__":
    if missing := lacks_programs():
        sys.exit(skipped(missing))
    result = unittest.main(exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed or not result.testsRun else 0)
