"""Reads the named things of a small .osm.pbf: their tags and some of their points."""
import struct
import zlib


def fields(data):
    """Number, wire type and value of each field of a message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            size = {1: 8, 5: 4}[key & 7]
            value, at = data[at:at + size], at + size
        yield key >> 3, key & 7, value


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def packed(data):
    at, numbers = 0, []
    while at < len(data):
        number, at = varint(data, at)
        numbers.append(number)
    return numbers


def unfolded(number):
    return number >> 1 ^ -(number & 1)


def sums(numbers):
    total, out = 0, []
    for number in numbers:
        total += unfolded(number)
        out.append(total)
    return out


def blocks(path):
    data, at = path.read_bytes(), 0
    while at < len(data):
        size = struct.unpack(">I", data[at:at + 4])[0]
        header = {number: value for number, _, value in fields(data[at + 4:at + 4 + size])}
        at += 4 + size
        blob = {number: value for number, _, value in fields(data[at:at + header[3]])}
        at += header[3]
        if header[1] == b"OSMData":
            yield zlib.decompress(blob[3]) if 3 in blob else blob[1]


class Extract:
    """Things with a tag, each with its points (latitude, longitude); and relations, by their ids and tags."""

    def __init__(self, path):
        self.points, self.things, self.ways, self.relations = {}, [], [], []
        for block in blocks(path):
            self.read(block)
        for tags, ids in self.ways:
            points = [self.points[id] for id in ids if id in self.points]
            if points:
                self.things.append(("way", tags, points))

    def read(self, block):
        texts, groups, unit, north, east = [], [], 100, 0, 0
        for number, _, value in fields(block):
            if number == 1:
                texts = [text.decode() for _, _, text in fields(value)]
            elif number == 2:
                groups.append(value)
            elif number == 17:
                unit = value
            elif number == 19:
                north = value
            elif number == 20:
                east = value
        for group in groups:
            for number, _, value in fields(group):
                if number == 2:
                    self.dense(value, texts, unit, north, east)
                elif number == 3:
                    self.way(value, texts)
                elif number == 4:
                    self.relation(value, texts)

    def dense(self, data, texts, unit, north, east):
        parts = {number: value for number, _, value in fields(data)}
        ids = sums(packed(parts[1]))
        latitudes, longitudes = sums(packed(parts[8])), sums(packed(parts[9]))
        pairs = iter(packed(parts.get(10, b"")))
        for id, latitude, longitude in zip(ids, latitudes, longitudes):
            point = (north + unit * latitude) / 1e9, (east + unit * longitude) / 1e9
            self.points[id] = point
            tags = {}
            for key in pairs:
                if key == 0:
                    break
                tags[texts[key]] = texts[next(pairs)]
            if tags:
                self.things.append(("node", tags, [point]))

    def way(self, data, texts):
        keys = values = ids = b""
        for number, _, value in fields(data):
            keys, values, ids = (value if number == 2 else keys, value if number == 3 else values,
                                 value if number == 8 else ids)
        tags = {texts[key]: texts[value] for key, value in zip(packed(keys), packed(values))}
        if tags:
            self.ways.append((tags, sums(packed(ids))))

    def relation(self, data, texts):
        parts = {number: value for number, _, value in fields(data) if number < 4}
        keys, values = packed(parts.get(2, b"")), packed(parts.get(3, b""))
        self.relations.append((parts[1], {texts[key]: texts[value] for key, value in zip(keys, values)}))
