"""A server of vector tiles in Shortbread's words, as full as a city's: it has the tiles of a map that was imported,
under the names that Shortbread has for what is in them, wherever it is asked."""
import gzip
import json
import math
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ZOOM = 14
LAYER, KEY = 3, 3
# Where ours has another name for a key of a feature.
WORDS = {b"class": b"kind"}


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out) + bytes([number])


def number_at(packed, at):
    number = shift = 0
    while True:
        byte = packed[at]
        at += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, at


def fields(packed):
    """(number, kind, content) of each field: bytes, or a number."""
    at = 0
    while at < len(packed):
        head, at = number_at(packed, at)
        if head & 7 == 2:
            size, at = number_at(packed, at)
            yield head >> 3, 2, packed[at:at + size]
            at += size
        else:
            number, at = number_at(packed, at)
            yield head >> 3, 0, number


def written(number, kind, content):
    head = varint(number << 3 | kind)
    return head + (varint(len(content)) + content if kind == 2 else varint(content))


def renamed(tile):
    """A tile with Shortbread's words instead of ours."""
    out = b""
    for number, kind, content in fields(tile):
        if number == LAYER:
            content = b"".join(written(own, how, WORDS.get(value, value) if own == KEY else value)
                               for own, how, value in fields(content))
        out += written(number, kind, content)
    return out


def tile_of(latitude, longitude):
    sine = math.sin(math.radians(latitude))
    return (int((longitude / 360 + 0.5) * 2 ** ZOOM),
            int((0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * 2 ** ZOOM))


class TileServer:
    def __init__(self):
        self.tiles = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                server.answer(self)

            def log_message(self, *words):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()

    def take(self, web, *points):
        """Takes the tiles at points of the imported map."""
        _, answer = web.call("waymark.places.v1.PlacesService/ListDatasets", {})
        version = next(one["tiles"]["version"] for one in answer["datasets"] if one["name"] == "city")
        for point in points:
            x, y = tile_of(*point)
            status, _, body = web.ask("GET", f"/tiles/city/{ZOOM}/{x}/{y}?v={version}", Accept_Encoding="gzip")
            if status != 200 or not body:
                raise SystemExit(f"script/bench mappictures: the city has no tile {x}/{y}: {status}")
            self.tiles.append(gzip.compress(renamed(gzip.decompress(body))))

    def answer(self, handler):
        path = handler.path.strip("/").split("/")
        if len(path) < 3:
            about = {"tilejson": "3.0.0", "tiles": [f"{self.address}/{{z}}/{{x}}/{{y}}"], "minzoom": 0, "maxzoom": ZOOM,
                     "attribution": "Bench"}
            return self.send(handler, "application/json", json.dumps(about).encode())
        tile = self.tiles[int(path[-2]) % len(self.tiles)]
        self.send(handler, "application/x-protobuf", tile, **{"Content-Encoding": "gzip"})

    def send(self, handler, kind, body, **fields):
        handler.send_response(200)
        for name, text in {"Content-Type": kind, "Content-Length": str(len(body)), **fields}.items():
            handler.send_header(name, text)
        handler.end_headers()
        handler.wfile.write(body)
