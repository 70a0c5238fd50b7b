"""How fast pictures of cameras become thumbnails, against vipsthumbnail, and are looked through, against exiftool."""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

import web_pictures
from children import Children
from failure import Failure
from waymark import Waymark

LARGE = (4000, 3000)
# Files of about 150 kB.
SMALL = (1050, 780)
KINDS = 20
PHOTOS = "/waymark.photos.v1.PhotoService/"
LIMIT_S = 300


def jpeg(seed, width, height):
    """Noise in colour over a slope, another one for each seed, and the same each time."""
    chance = random.Random(seed)
    grey = bytes(128 + (value * 26 >> 8) - 13 for value in range(256))
    rows = chance.randbytes(width * height * 3).translate(grey)
    picture = b"P6\n%d %d\n255\n" % (width, height) + rows
    done = subprocess.run(["cjpeg", "-quality", "85"], input=picture, capture_output=True, check=True)
    return done.stdout


def make(folder, count, size):
    """So many files, each with a position of its own; of a few pictures, since noise takes long to make."""
    folder.mkdir()
    kinds = [web_pictures.with_position(jpeg(seed, *size)) for seed in range(min(KINDS, count))]
    for number in range(count):
        # The last of the numbers of the longitude: seconds in hundredths.
        file = kinds[number % len(kinds)].replace(
            struct.pack(">6I", *web_pictures.LONGITUDE), struct.pack(">6I", 24, 1, 56, 1, number, 100))
        (folder / f"{number:05}.jpg").write_bytes(file)


class MemoryWatch:
    """The most memory that a process and all that it started have together; what they share counts once."""

    def __init__(self, pid):
        self.pid, self.most_kib = pid, 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.sample)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def family(self, pid):
        yield pid
        try:
            for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
                yield from self.family(int(child))
        except OSError:
            pass

    def sample(self):
        while not self.is_over.wait(0.02):
            self.most_kib = max(self.most_kib, sum(self.kib(pid) for pid in self.family(self.pid)))

    @staticmethod
    def kib(pid):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            return 0
        return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


class Gateway:
    def __init__(self, address):
        self.address = address

    def call(self, method, **fields):
        request = urllib.request.Request(
            f"http://{self.address}{PHOTOS}{method}", json.dumps(fields).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            return json.load(answer)

    def thumbnails(self, count):
        """Makes favourites of all, which has their thumbnails made; the time until the last one is there."""
        began = time.monotonic()
        for number in range(count):
            self.call("ChangeFavourite", photoId=f"folder/{number:05}.jpg", change="FAVOURITE_CHANGE_ADD")
        while time.monotonic() < began + LIMIT_S:
            found = self.call("ListFavourites", pageSize=250).get("favourites", [])
            states = [favourite["photo"].get("state") for favourite in found]
            if "PHOTO_STATE_FAILED" in states:
                raise Failure("a picture could not be made")
            if states.count("PHOTO_STATE_READY") == count:
                return time.monotonic() - began
            time.sleep(0.02)
        raise Failure("the thumbnails are not there")


def seconds(*words):
    began = time.monotonic()
    done = subprocess.run([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode:
        raise Failure(f"{words[0]} failed: {done.stderr.decode(errors='replace')[-300:]}")
    return time.monotonic() - began


def vips(files, folder):
    """Both sizes of all, by as many processes as there are processors, each of which has all of them too."""
    folder.mkdir()
    began = time.monotonic()
    workers = []
    share = os.cpu_count() or 1
    for first in range(share):
        for side in (320, 160):
            words = ["vipsthumbnail", "--size", str(side), "-o", f"{folder}/%s-{side}.jpg[Q=80,strip]"]
            workers.append(subprocess.Popen(words + [str(file) for file in files[first::share]]))
    if any([worker.wait() for worker in workers]):
        raise Failure("vipsthumbnail failed")
    return time.monotonic() - began


def measure(options, folder):
    pictures, scanned = folder / "pictures", folder / "scanned"
    make(pictures, options.thumbnails, LARGE)
    make(scanned, options.scanned, SMALL)
    files = sorted(pictures.iterdir())
    with Children() as children:
        waymark = Waymark(options, children, folder)
        waymark.serve("photo-service", "--pictures", pictures, core=None)
        waymark.serve("gateway", "--photos", waymark.addresses["photo-service"], "--http", "127.0.0.1:0", "--rate", 0,
                      core=None)
        target = ["--target", waymark.addresses["gateway"]]
        waymark.run("waymark", "photo", "scan", *target)
        with MemoryWatch(waymark.services["photo-service"].pid) as watch:
            ours = Gateway(waymark.http["gateway"]).thumbnails(options.thumbnails)
        theirs = vips(files, folder / "vips")
        yield {"bench": "thumbnails", "pictures": options.thumbnails, "seconds": round(ours, 2),
               "vipsthumbnail_seconds": round(theirs, 2), "ratio": round(theirs / ours, 2),
               "memory_mib": watch.most_kib >> 10}
        # The folder gets them all at once.
        scanned.rename(pictures / "scanned")
        began = time.monotonic()
        waymark.run("waymark", "photo", "scan", *target)
        ours = time.monotonic() - began
        theirs = seconds("exiftool", "-n", "-gps*", "-q", "-r", pictures / "scanned")
        yield {"bench": "scan", "pictures": options.scanned, "seconds": round(ours, 2),
               "exiftool_seconds": round(theirs, 2), "ratio": round(theirs / ours, 2)}


def main():
    parser = argparse.ArgumentParser(prog="script/bench photos", description=__doc__)
    parser.add_argument("--thumbnails", type=int, default=200)
    parser.add_argument("--scanned", type=int, default=5_000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for result in measure(options, Path(folder)):
            if options.json:
                print(json.dumps(result))
                continue
            print(", ".join(f"{name}: {value}" for name, value in result.items()), flush=True)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"script/bench: {failure}")
