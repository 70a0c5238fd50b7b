"""A small town as an .osm.pbf, written by hand: streets, a rail, a river, a park, buildings, a coast and names."""

import struct

# Where it lies: far from all bundled cities, on land that the coarse lines of the world have.
LATITUDE, LONGITUDE = 48.0, 15.0
# Of its width, in degrees east.
WIDTH = 0.02


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out) + bytes([number])


def folded(number):
    return number << 1 if number >= 0 else (-number << 1) - 1


def field(number, value):
    """A field of bytes, or of a number."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def packed(number, values):
    return field(number, b"".join(varint(value) for value in values))


def steps(values):
    return [folded(value - before) for before, value in zip([0, *values], values)]


class Town:
    def __init__(self):
        self.texts, self.nodes, self.ways = [b""], [], []

    def text(self, text):
        text = text.encode()
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def node(self, north, east, **tags):
        """At so many parts of the town's width; its id."""
        self.nodes.append((LATITUDE + north * WIDTH, LONGITUDE + east * WIDTH, tags))
        return len(self.nodes)

    def way(self, *points, closed=False, **tags):
        ids = [self.node(*point) for point in points]
        self.ways.append((ids + ids[:1] if closed else ids, tags))

    def tags(self, tags):
        return [(self.text(key.replace("__", ":")), self.text(value)) for key, value in tags.items()]

    def bytes(self):
        dense = packed(1, steps(range(1, len(self.nodes) + 1)))
        for number, side in ((8, 0), (9, 1)):
            dense += packed(number, steps([round(node[side] * 1e7) for node in self.nodes]))
        dense += packed(10, [number for node in self.nodes for number in [*sum(self.tags(node[2]), ()), 0]])
        ways = b""
        for index, (ids, tags) in enumerate(self.ways):
            pairs = self.tags(tags)
            ways += field(3, field(1, index + 1) + packed(2, [key for key, _ in pairs])
                          + packed(3, [value for _, value in pairs]) + packed(8, steps(ids)))
        texts = field(1, b"".join(field(1, text) for text in self.texts))
        header = b"".join(field(4, feature) for feature in (b"OsmSchema-V0.6", b"DenseNodes"))
        return blob(b"OSMHeader", header) + blob(b"OSMData", texts + field(2, field(2, dense)) + field(2, ways))


def blob(kind, content):
    stored = field(1, content)
    header = field(1, kind) + field(3, len(stored))
    return struct.pack(">I", len(header)) + header + stored


def small_town():
    """A grid of streets; the west half is a park, the south is the sea."""
    town = Town()
    town.node(0.5, 0.5, place="town", name="Kleinstadt", name__en="Smalltown", name__fi="Pikkukaupunki",
              population="9000")
    town.node(0.15, 0.75, natural="peak", name="Kogel", ele="812")
    town.node(0.55, 0.55, amenity="cafe", name="Café Mitte", addr__street="Hauptstraße", addr__housenumber="1")
    town.node(0.65, 0.65, addr__street="Hauptstraße", addr__housenumber="21")
    for step in range(1, 10):
        kind = {"highway": "primary", "ref": "B 1"} if step == 5 else {"highway": "residential"}
        town.way((step / 10, 0), (step / 10, 1), **kind, name=f"Querstraße {step}", name__fi=f"Poikkikatu {step}")
        town.way((0.1, step / 10), (0.9, step / 10), highway="residential", name=f"Straße {step}")
    for row in range(1, 9):
        for column in range(5, 9):
            north, east = row / 10 + 0.03, column / 10 + 0.03
            town.way((north, east), (north, east + 0.04), (north + 0.04, east + 0.04), (north + 0.04, east),
                     closed=True, building="yes")
    town.way((0.22, 0.12), (0.22, 0.38), (0.78, 0.38), (0.78, 0.12), closed=True, leisure="park", name="Stadtpark")
    town.way((0.95, 0), (0.95, 1), railway="rail")
    town.way((0.85, 0), (0.88, 0.5), (0.86, 1), waterway="river", name="Bach")
    # With the water on its right.
    town.way((0, 0), (0, 1), natural="coastline")
    for east in range(0, 11):
        town.way((-0.2, east / 10), (-0.2, east / 10 + 0.02), highway="footway")
    return town.bytes()
