"""How soon a new pin's album shows something, and what an origin sees of many viewers who open many albums at once."""

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from system import FINAL, PHOTOS, PINS, Client, Failure, Memory, Started

HERE = Path(__file__).resolve().parent
DELAY_MS = 100
CENTRE = (48.86, 2.34)
# Places in a grid with steps of some 200 m.
ALBUMS, WIDE, STEP = 50, 8, 0.002
VIEWERS = 100


class Origin:
    def __init__(self, picture, spots, delay_ms):
        self.process = subprocess.Popen(
            [sys.executable, HERE / "origin.py", picture, json.dumps(spots), str(delay_ms)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"

    def counted(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    @property
    def settings(self):
        """Of a Waymark that asks it."""
        return {"commons_url": f"{self.url}/w/api.php", "commons_files": f"{self.url}/files", "contact": "a@b.example",
                "commons_rate": 100, "rate": 0}

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def first(options, picture, rounds=5):
    """Milliseconds from the origin's answer to the first placeholder, and from the call to the first picture."""
    placeholders, pictures = [], []
    spots = [(CENTRE[0] + number * 0.1, CENTRE[1]) for number in range(rounds)]
    origin = Origin(picture, spots, DELAY_MS)
    try:
        with tempfile.TemporaryDirectory() as folder:
            system = Started(folder, options.bin / "waymark", "up", "--json", "--data", Path(folder, "data"), "--port", 0,
                             "--http-port", 0, **origin.settings)
            try:
                for latitude, longitude in spots:
                    request = {"position": {"latitude": latitude, "longitude": longitude}, "radiusM": 300, "name": "x"}
                    began = time.monotonic()
                    pin = Client(system.ready["http"]).call(f"{PINS}/CreatePin", request)["pin"]["id"]
                    shown = seen = None
                    watch = Client(system.ready["http"]).watch(f"{PHOTOS}/WatchAlbum", {"subject": f"pin/{pin}"})
                    for message in watch:
                        photos = message.get("photos", [])
                        if photos and not shown:
                            shown = time.monotonic()
                        if not seen and any(photo.get("state") == "PHOTO_STATE_READY" for photo in photos):
                            seen = time.monotonic()
                        if message.get("album", {}).get("summary", {}).get("state") in FINAL:
                            break
                    if not seen:
                        raise Failure("the album showed no picture")
                    answered = [moment for moment in origin.counted()["answered"] if moment >= began]
                    placeholders.append((shown - answered[0]) * 1000)
                    pictures.append((seen - began) * 1000)
            finally:
                system.stop()
    finally:
        origin.stop()
    return placeholders, pictures


def view(address, albums, start, seconds):
    client = Client(address)
    start.wait()
    began = time.monotonic()
    left = [f"place/catalog/bench/{number}" for number in range(albums)]
    for subject in left:
        client.call(f"{PHOTOS}/OpenAlbum", {"subject": subject})
    while left:
        answer = client.call(f"{PHOTOS}/GetAlbum", {"subject": left[-1], "pageSize": 1})
        if answer["album"]["summary"]["state"] == "ALBUM_STATE_COMPLETE":
            left.pop()
        else:
            time.sleep(0.2)
    seconds.append(time.monotonic() - began)


def storm(options, picture):
    """Seconds of each viewer, how often the origin was asked for each picture, and the photo services' memory."""
    spots = [(CENTRE[0] + number // WIDE * STEP, CENTRE[1] + number % WIDE * STEP) for number in range(ALBUMS)]
    origin = Origin(picture, spots, DELAY_MS)
    try:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            system = Started(
                folder, sys.executable, "-B", options.root / "script/demo.d/replicas.py", "--bin", options.bin, "--data",
                Path(folder, "data"), "--s3", options.s3, **origin.settings)
            try:
                fill(options, Path(folder), system.ready["gateway"], spots)
                return measure(origin, system, Path(folder))
            finally:
                system.stop()
    finally:
        origin.stop()


def fill(options, folder, gateway, spots):
    table = folder / "places.csv"
    rows = [f"{number},Place {number},tourism/attraction,{latitude},{longitude}"
            for number, (latitude, longitude) in enumerate(spots)]
    table.write_text("\n".join(["id,name,categories,lat,lon", *rows]) + "\n")
    words = [options.bin / "waymark", "import", table, "--dataset", "bench", "--target", gateway]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def measure(origin, system, folder):
    client = Client(system.ready["maps"][0])
    middle = {"latitude": CENTRE[0] + 3 * STEP, "longitude": CENTRE[1] + WIDE / 2 * STEP}
    pin = client.call(f"{PINS}/CreatePin", {"position": middle, "radiusM": 2000, "name": "x"})["pin"]["id"]
    for message in client.watch(f"{PINS}/WatchPin", {"id": pin}):
        if message.get("pin", {}).get("state") == "PIN_STATE_READY":
            break
    pids = [int(line.split()[1]) for line in (folder / "data/pids").read_text().splitlines() if line.startswith("photos")]
    start, seconds = threading.Event(), []
    viewers = [threading.Thread(target=view, args=(system.ready["maps"][number % 2], ALBUMS, start, seconds))
               for number in range(VIEWERS)]
    with Memory(pids) as memory:
        for viewer in viewers:
            viewer.start()
        start.set()
        for viewer in viewers:
            viewer.join()
    if len(seconds) < VIEWERS:
        raise Failure(f"{VIEWERS - len(seconds)} viewers did not get to the end")
    return seconds, origin.counted()["fetched"], memory.most
