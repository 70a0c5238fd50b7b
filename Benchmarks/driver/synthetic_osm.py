"""A seeded .osm.pbf of any size: quarters of streets, buildings and places, one beside the other. Each block of 8,000
nodes is one; there are some kinds of quarters, which come again and again. The same bytes for the same seed and size.
"""
import random
import struct
import zlib

BLOCK_NODES = 8000
KINDS = 24
# Of a quarter, in units of 1e-7 degrees; so many of them lie in a row.
SIDE = 60_000
ROW = 64
SOUTH, WEST = 450_000_000, 90_000_000
BUILDINGS, STREET_NODES, PLACES = 900, 10, 80
STREETS = ["residential"] * 12 + ["service"] * 6 + ["footway"] * 6 + ["tertiary", "secondary", "primary"]
WORDS = "Alder Bay Castle Dock East Fern Garden Hill Iron Juniper King Linden Mill North Orchard Park".split()


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def folded(number):
    return number << 1 if number >= 0 else (-number << 1) - 1


def field(number, value):
    """A field of bytes, or of a number."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def packed(values):
    return b"".join(map(varint, values))


def steps(values):
    return packed(folded(value - before) for before, value in zip(values, values[1:]))


def blob(kind, content, level=1):
    stored = field(2, len(content)) + field(3, zlib.compress(content, level))
    header = field(1, kind) + field(3, len(stored))
    return struct.pack(">I", len(header)) + header + stored


class Quarter:
    """One kind of quarter; all of its numbers but the first are steps, which are the same wherever it lies."""

    def __init__(self, chance):
        self.texts, self.nodes, self.tags, self.ways = [b""], [], [], []
        for _ in range(PLACES):
            name = f"{chance.choice(WORDS)} {chance.choice(WORDS)} {chance.randrange(1000)}"
            self.node(chance.randrange(SIDE), chance.randrange(SIDE), amenity="cafe", name=name)
        for _ in range(BUILDINGS):
            self.building(chance)
        while len(self.nodes) + STREET_NODES <= BLOCK_NODES:
            self.street(chance)
        while len(self.nodes) < BLOCK_NODES:
            self.node(chance.randrange(SIDE), chance.randrange(SIDE))
        north, east = zip(*self.nodes)
        self.first = (north[0], east[0])
        self.later = (packed([2] * (BLOCK_NODES - 1)), steps(north), steps(east))
        self.tag_list = packed(number for tags in self.tags for number in [*tags, 0])
        self.string_table = field(1, b"".join(field(1, text) for text in self.texts))

    def text(self, text):
        text = text.encode()
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def node(self, north, east, **tags):
        self.nodes.append((north, east))
        self.tags.append([number for pair in tags.items() for number in map(self.text, pair)])
        return len(self.nodes) - 1

    def way(self, points, closed=False, **tags):
        numbers = [self.node(*point) for point in points]
        self.ways.append((numbers + numbers[:1] if closed else numbers,
                          [self.text(key) for key in tags], [self.text(value) for value in tags.values()]))

    def building(self, chance):
        north, east = chance.randrange(SIDE), chance.randrange(SIDE)
        high, wide = chance.randrange(600, 1800), chance.randrange(600, 1800)
        self.way([(north, east), (north, east + wide), (north + high, east + wide), (north + high, east)], True,
                 building="yes")

    def street(self, chance):
        north, east = chance.randrange(SIDE), chance.randrange(SIDE)
        across, along = chance.choice([(0, 700), (700, 0), (500, 500)])
        points = [(north + across * step + chance.randrange(60), east + along * step) for step in range(STREET_NODES)]
        self.way(points, highway=chance.choice(STREETS), name=f"{chance.choice(WORDS)} Street")

    def bytes(self, first_id, north, east):
        """As a block, with its south-west corner there."""
        ids, norths, easts = self.later
        dense = field(1, varint(folded(first_id)) + ids)
        dense += field(8, varint(folded(north + self.first[0])) + norths)
        dense += field(9, varint(folded(east + self.first[1])) + easts) + field(10, self.tag_list)
        return self.string_table + field(2, field(2, dense))

    def way_bytes(self, first_id, first_way):
        ways = b""
        for index, (numbers, keys, values) in enumerate(self.ways):
            nodes = varint(folded(first_id + numbers[0])) + steps(numbers)
            ways += field(3, field(1, first_way + index) + field(2, packed(keys)) + field(3, packed(values))
                          + field(8, nodes))
        return self.string_table + field(2, ways)


def write(path, nodes, seed=7):
    """Writes the file; gives how many nodes and ways it has."""
    chance = random.Random(seed)
    quarters = [Quarter(chance) for _ in range(KINDS)]
    plan = [chance.choice(quarters) for _ in range(max(1, nodes // BLOCK_NODES))]
    features = b"".join(field(4, feature) for feature in (b"OsmSchema-V0.6", b"DenseNodes"))
    with open(path, "wb") as file:
        file.write(blob(b"OSMHeader", features))
        for index, quarter in enumerate(plan):
            north, east = SOUTH + index // ROW * SIDE, WEST + index % ROW * SIDE
            file.write(blob(b"OSMData", quarter.bytes(1 + index * BLOCK_NODES, north, east)))
        ways = 0
        for index, quarter in enumerate(plan):
            file.write(blob(b"OSMData", quarter.way_bytes(1 + index * BLOCK_NODES, 1 + ways)))
            ways += len(quarter.ways)
    return len(plan) * BLOCK_NODES, ways


def middle(nodes):
    """Latitude and longitude of a quarter in the middle of the file."""
    index = max(1, nodes // BLOCK_NODES) // 2
    return ((SOUTH + index // ROW * SIDE + SIDE // 2) / 1e7, (WEST + index % ROW * SIDE + SIDE // 2) / 1e7)
