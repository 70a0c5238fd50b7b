"""A simulator of Wikimedia Commons: four files around each of some spots, answered after a while. It counts.

Usage: origin.py FILE SPOTS DELAY-MS   The first line that it prints is its port; a line of input is answered by what it
has counted.
"""

import collections
import json
import math
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PER_SPOT = 4


class Origin(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    picture, files, delay = b"", [], 0.0
    fetched, answered, lock = collections.Counter(), [], threading.Lock()

    def do_GET(self):
        time.sleep(self.delay)
        url = urlsplit(self.path)
        if url.path.startswith("/files/"):
            with self.lock:
                self.fetched[url.path] += 1
            # No two pictures are the same bytes.
            number = int(url.path.rpartition("/")[2].partition(".")[0])
            comment = b"\xff\xfe\x00\x06" + number.to_bytes(4, "big")
            return self.answer(self.picture[:2] + comment + self.picture[2:], "image/jpeg")
        query = parse_qs(url.query)
        pages = []
        if "ggscoord" in query:
            latitude, longitude = map(float, query["ggscoord"][0].split("|"))
            radius = float(query["ggsradius"][0])
            pages = [self.page(*file) for file in self.files if self.metres(file, latitude, longitude) <= radius]
        self.answer(json.dumps({"query": {"pages": pages[:500]}} if pages else {}).encode(), "application/json")
        with self.lock:
            self.answered.append(time.monotonic())

    @staticmethod
    def metres(file, latitude, longitude):
        return math.hypot((file[1] - latitude) * 111_195,
                          (file[2] - longitude) * 111_195 * math.cos(math.radians(latitude)))

    def page(self, number, latitude, longitude):
        address = f"http://127.0.0.1:{self.server.server_port}/files/{number}.jpg"
        return {
            "pageid": number, "ns": 6, "title": f"File:{number}.jpg",
            "coordinates": [{"lat": latitude, "lon": longitude, "globe": "earth"}],
            "imageinfo": [{
                "mime": "image/jpeg", "mediatype": "BITMAP", "width": 1280, "height": 960, "thumburl": address,
                "url": address, "descriptionurl": f"https://commons.wikimedia.org/wiki/{number}",
                "extmetadata": {"Artist": {"value": "Ann"}, "LicenseShortName": {"value": "CC0"}},
            }],
        }

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    file, spots, delay = sys.argv[1:]
    Origin.picture, Origin.delay = Path(file).read_bytes(), int(delay) / 1000
    for number, (latitude, longitude) in enumerate(json.loads(spots)):
        Origin.files += [(number * PER_SPOT + each + 1, latitude + each * 5e-5, longitude) for each in range(PER_SPOT)]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Origin)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    for _ in sys.stdin:
        with Origin.lock:
            counted = {"fetched": dict(Origin.fetched), "answered": list(Origin.answered)}
        print(json.dumps(counted), flush=True)


if __name__ == "__main__":
    main()
