"""A simulator of servers of vector tiles: one in OpenMapTiles' schema with an edition in its path, one in Shortbread's
without an ending. Each tile of them has the same: a street through its middle, a park, a building, water at its top."""

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from smallcity import field, folded, packed, varint

EXTENT = 4096
ATTRIBUTION = "Free Map © Mappers"
POINT, LINE, AREA = 1, 2, 3


def geometry(kind, points):
    """Of points in parts of the tile's width."""
    numbers, at = [], (0, 0)
    for index, (x, y) in enumerate(points):
        if index == 0:
            numbers.append(1 << 3 | 1)
        elif index == 1:
            numbers.append((len(points) - 1) << 3 | 2)
        here = (round(x * EXTENT), round(y * EXTENT))
        numbers += [folded(here[0] - at[0]), folded(here[1] - at[1])]
        at = here
    return numbers + ([1 << 3 | 7] if kind == AREA else [])


def value(thing):
    """A text, a truth or a number, as a tile has it."""
    if isinstance(thing, str):
        return field(1, thing.encode())
    return varint(7 << 3 | 0) + varint(int(thing)) if isinstance(thing, bool) else field(5, thing)


def layer(name, *features):
    """Features are (kind, points, tags)."""
    keys, values, body = [], [], field(15, 2) + field(1, name.encode())
    for kind, points, tags in features:
        numbers = []
        for key, thing in tags.items():
            for known, one in ((keys, key), (values, thing)):
                if one not in known:
                    known.append(one)
            numbers += [keys.index(key), values.index(thing)]
        body += field(2, packed(2, numbers) + field(3, kind) + packed(4, geometry(kind, points)))
    body += b"".join(field(3, key.encode()) for key in keys) + b"".join(field(4, value(one)) for one in values)
    return field(3, body + field(5, EXTENT))


def box(left, top, right, bottom):
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


STREET = [(-0.05, 0.5), (1.05, 0.5)]
PARK, BUILDING, WATER = box(0.1, 0.15, 0.4, 0.4), box(0.6, 0.6, 0.9, 0.9), box(-0.05, -0.05, 1.05, 0.08)
NAMES = {"name": "Hauptstraße", "name:fi": "Pääkatu"}
OPEN_MAP_TILES = b"".join([
    layer("water", (AREA, WATER, {"class": "lake"})), layer("park", (AREA, PARK, {"class": "national_park"})),
    layer("transportation", (LINE, STREET, {"class": "primary"})),
    layer("transportation_name", (LINE, STREET, {"class": "primary", "name:latin": "Hauptstraße", **NAMES})),
    layer("building", (AREA, BUILDING, {"render_height": 5})),
    layer("constructor", (AREA, PARK, {"class": "toString"})),
])
SHORTBREAD = b"".join([
    layer("ocean", (AREA, WATER, {})), layer("land", (AREA, PARK, {"kind": "park"})),
    layer("streets", (LINE, STREET, {"kind": "primary", "tunnel": False, "link": False})),
    layer("street_labels", (LINE, STREET, {"kind": "primary", "name": "Hauptstraße", "name_fi": "Pääkatu"})),
    layer("buildings", (AREA, BUILDING, {})),
])


# Water everywhere.
FLOOD = layer("water", (AREA, box(-0.05, -0.05, 1.05, 1.05), {"class": "ocean"}))


class TileSimulator:
    def __init__(self):
        self.asked = []
        self.is_away = self.is_flooded = False
        simulator = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                simulator.answer(self)

            def log_message(self, *words):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, handler):
        self.asked.append(handler.path)
        if self.is_away:
            return self.send(handler, 503, "text/plain", b"away")
        schema, *rest = handler.path.strip("/").split("/")
        ending = ".pbf" if schema == "openmaptiles" else ""
        if not rest:
            description = {
                "tilejson": "3.0.0", "tiles": [f"{self.address}/{schema}/1/{{z}}/{{x}}/{{y}}{ending}"], "minzoom": 0,
                "maxzoom": 14, "attribution": '<a href="https://x.example">Free Map</a> &copy; Mappers'}
            return self.send(handler, 200, "application/json", json.dumps(description).encode())
        tile = FLOOD if self.is_flooded else OPEN_MAP_TILES if ending else SHORTBREAD
        encoding = {"Content-Encoding": "gzip"} if ending else {}
        self.send(handler, 200, "application/x-protobuf", gzip.compress(tile), **encoding)

    def send(self, handler, status, kind, body, **fields):
        handler.send_response(status)
        for name, text in {"Content-Type": kind, "Content-Length": str(len(body)), **fields}.items():
            handler.send_header(name, text)
        handler.end_headers()
        handler.wfile.write(body)
