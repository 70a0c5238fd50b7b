"""A simulator of the networks that places and photos come from: Overpass, Wikimedia Commons and Panoramax, each with a
little of what they have anywhere."""

import io
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from PIL import Image

PLACES = ("Café Meridian", "Albatross Museum")


class NetworkSimulator:
    def __init__(self):
        self.asked = []
        simulator = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                simulator.answer(self, "")

            def do_POST(self):
                simulator.answer(self, self.rfile.read(int(self.headers["Content-Length"])).decode())

            def log_message(self, *words):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def settings(self):
        """For a system that asks it, and nobody else."""
        return {
            "openstreetmap_url": f"{self.address}/overpass", "commons_url": f"{self.address}/commons",
            "commons_files": f"{self.address}/files", "panoramax_url": f"{self.address}/panoramax",
            "panoramax_files": f"{self.address}/files", "contact": "tester@example.org",
        }

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, handler, body):
        url = urlsplit(handler.path)
        network = url.path.split("/")[1]
        self.asked.append(network)
        if network == "files":
            return self.send(handler, "image/jpeg", picture(int(re.search(r"(\d+)\.jpg", url.path)[1])))
        answer = {"overpass": self.overpass, "commons": self.commons}.get(network, lambda *_: {"features": []})
        self.send(handler, "application/json", json.dumps(answer(parse_qs(url.query), body)).encode())

    def send(self, handler, kind, body):
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def overpass(self, _, body):
        # Places all over what is asked for, so that some are near enough.
        boxes = re.findall(r"\((-?\d+\.\d+),(-?\d+\.\d+),(-?\d+\.\d+),(-?\d+\.\d+)\)", parse_qs(body)["data"][0])
        souths, wests, norths, easts = ([float(edge) for edge in edges] for edges in zip(*boxes))
        steps = [(step + 0.5) / 8 for step in range(8)]
        points = [(min(souths) + up * (max(norths) - min(souths)), min(wests) + right * (max(easts) - min(wests)))
                  for up in steps for right in steps]
        return {"elements": [
            {"type": "node", "id": hash(point) % 10**9, "lat": point[0], "lon": point[1],
             "tags": {"name": PLACES[number % len(PLACES)], "amenity": "cafe"}}
            for number, point in enumerate(points)]}

    def commons(self, query, _):
        latitude, longitude = (float(part) for part in query["ggscoord"][0].split("|"))
        return {"query": {"pages": [self.page(number, latitude, longitude) for number in range(1, 5)]}}

    def page(self, number, latitude, longitude):
        address = f"{self.address}/files/{number}.jpg"
        number += hash((latitude, longitude)) % 10**7 * 10
        return {
            "pageid": number, "ns": 6, "title": f"File:Lighthouse {number % 10}.jpg",
            "coordinates": [{"lat": latitude + number % 10 * 1e-5, "lon": longitude, "globe": "earth"}],
            "imageinfo": [{
                "mime": "image/jpeg", "mediatype": "BITMAP", "width": 800, "height": 600, "thumburl": address,
                "url": address, "descriptionurl": f"https://commons.wikimedia.org/wiki/{number}",
                "extmetadata": {"Artist": {"value": "Ann"}, "LicenseShortName": {"value": "CC BY-SA 4.0"}},
            }],
        }


def picture(number):
    file = io.BytesIO()
    Image.linear_gradient("L").resize((800, 600)).rotate(90 * number).convert("RGB").save(file, "JPEG")
    return file.getvalue()
