"""Photos that the entry of a place names; the numbers are those of Docs/Flows.md."""

import json
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from conftest import picture
from server import BIN, PINS, ROOT, System
from visitor import Visitor

BRIDGE = {"latitude": 48.8584, "longitude": 2.2945}


class CommonsSimulator(BaseHTTPRequestHandler):
    """A simulator of Wikimedia Commons with one file, "File:Old bridge.jpg", which no search by position finds."""

    def do_GET(self):
        url = urlsplit(self.path)
        if url.path.startswith("/files/"):
            return self.answer(sorted(Path(ROOT, "Data/postcards").glob("**/*.jpg"))[0].read_bytes(), "image/jpeg")
        titles = parse_qs(url.query).get("titles", [])
        pages = [self.page()] if titles == ["File:Old bridge.jpg"] else []
        self.answer(json.dumps({"query": {"pages": pages}} if pages else {}).encode(), "application/json")

    def page(self):
        address = f"http://127.0.0.1:{self.server.server_port}/files/1.jpg"
        return {
            "pageid": 1, "ns": 6, "title": "File:Old bridge.jpg",
            "imageinfo": [{
                "mime": "image/jpeg", "mediatype": "BITMAP", "width": 4000, "height": 3000, "thumburl": address,
                "url": address, "descriptionurl": "https://commons.wikimedia.org/wiki/File:Old_bridge.jpg",
                "extmetadata": {"Artist": {"value": "Ann"}, "LicenseShortName": {"value": "CC BY-SA 4.0"}},
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


@pytest.fixture
def paris(tmp_path):
    """A Waymark that knows one place in Paris, and asks a simulator of Commons."""
    simulator = ThreadingHTTPServer(("127.0.0.1", 0), CommonsSimulator)
    threading.Thread(target=simulator.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{simulator.server_port}"
    system = System(
        bundled="none",
        commons_url=f"{url}/w/api.php", commons_files=f"{url}/files", wikidata_url=f"{url}/items",
        contact="a@b.example")
    try:
        place = {
            "type": "Feature", "id": 1,
            "geometry": {"type": "Point", "coordinates": [BRIDGE["longitude"], BRIDGE["latitude"]]},
            "properties": {
                "name": "Old bridge", "category": "tourism/attraction", "wikimedia_commons": "File:Old_bridge.jpg",
            },
        }
        file = tmp_path / "paris.geojson"
        file.write_text(json.dumps({"type": "FeatureCollection", "features": [place]}))
        words = ["import", file, "--dataset", "paris", "--name-column", "name", "--categories", "category",
                 "--licence", "CC0-1.0", "--attribution", "us", "--target", system.gateway]
        subprocess.run([BIN / "waymark", *words], check=True, capture_output=True)
        yield system
    finally:
        system.stop()
        simulator.shutdown()


def test_f53_a_place_shows_the_photo_that_its_own_entry_names_and_says_why(paris, context, watchman, size):
    watchman.server = type("Paris", (), {"address": paris.http})
    status, answer = paris.web().call(f"{PINS}/CreatePin", {"position": BRIDGE, "radiusM": 300, "name": "Paris"})
    assert status == 200
    pin_id = answer["pin"]["id"]
    visitor = Visitor(context.new_page(), paris.http, size == "phone")
    visitor.open(f"#/pin/{pin_id}/places")
    row = visitor.panel().locator("li.place", has_text="Old bridge")
    visitor.tap(row.locator(".place-head"))
    photo = row.locator(".strip-photo")
    expect(photo).to_have_count(1)
    expect(photo.locator("img.shown, img")).to_be_visible()
    picture(visitor.page, "place-own-photo")
    visitor.tap(photo)
    viewer = visitor.page.locator("#viewer")
    expect(viewer.get_by_text("This place's own entry names it")).to_be_visible()
    expect(viewer.get_by_text("CC BY-SA 4.0")).to_be_visible()
    picture(visitor.page, "place-own-photo-viewed")
