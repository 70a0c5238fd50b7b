"""A small reader of OpenStreetMap's .osm.pbf, with the standard library alone.

The file is a row of blobs: a 4-byte big-endian length, a BlobHeader, a Blob (zlib or raw). An OSMData blob
holds a PrimitiveBlock: a table of strings and groups of nodes, dense nodes, ways or relations. Field numbers
are those of the public fileformat.proto and osmformat.proto. Coordinates stay integers of 1e-9 degrees.
"""

import struct
import zlib
from dataclasses import dataclass, field

MEMBER_KINDS = ("node", "way", "relation")


@dataclass
class Extract:
    """All elements of a file by their number."""

    positions: dict = field(default_factory=dict)      # node -> (latitude, longitude) in 1e-9 degrees
    node_tags: dict = field(default_factory=dict)      # only nodes that carry tags
    ways: dict = field(default_factory=dict)           # way -> (tags, [node, ...])
    relations: dict = field(default_factory=dict)      # relation -> (tags, [(kind, number, role), ...])


def varint(data, at):
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result, at
        shift += 7


def fields(data):
    """Each (field number, value) of a message; the value is an int or the bytes of a field with a length."""
    at, end = 0, len(data)
    while at < end:
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        elif kind in (1, 5):
            length = 8 if kind == 1 else 4
            value, at = data[at:at + length], at + length
        else:
            raise ValueError(f"wire type {kind} is not used by .osm.pbf")
        yield key >> 3, value


def packed(data):
    at, end, values = 0, len(data), []
    while at < end:
        value, at = varint(data, at)
        values.append(value)
    return values


def signed(value):
    """Undoes the zigzag form of sint32 and sint64."""
    return (value >> 1) ^ -(value & 1)


def int64(value):
    """A plain int64 travels as its two's complement."""
    return value - (1 << 64) if value >= 1 << 63 else value


def running(values):
    total, sums = 0, []
    for value in values:
        total += signed(value)
        sums.append(total)
    return sums


def blobs(data):
    at = 0
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        header = dict(fields(data[at + 4:at + 4 + length]))
        at += 4 + length
        blob = dict(fields(data[at:at + header[3]]))
        at += header[3]
        yield header[1].decode(), blob[1] if 1 in blob else zlib.decompress(blob[3])


def read(data):
    """Reads a whole file that is in memory."""
    extract = Extract()
    for kind, content in blobs(data):
        if kind == "OSMData":
            read_block(content, extract)
    return extract


class Block:
    """What the groups of one PrimitiveBlock share."""

    def __init__(self, content):
        self.strings, self.groups = [], []
        self.granularity, self.latitude_offset, self.longitude_offset = 100, 0, 0
        for number, value in fields(content):
            if number == 1:
                self.strings = [text.decode("utf-8") for _, text in fields(value)]
            elif number == 2:
                self.groups.append(value)
            elif number == 17:
                self.granularity = value
            elif number == 19:
                self.latitude_offset = int64(value)
            elif number == 20:
                self.longitude_offset = int64(value)

    def position(self, latitude, longitude):
        return (self.latitude_offset + self.granularity * latitude,
                self.longitude_offset + self.granularity * longitude)

    def tags(self, keys, values):
        return {self.strings[key]: self.strings[value] for key, value in zip(keys, values)}


def read_block(content, extract):
    block = Block(content)
    readers = {1: read_node, 2: read_dense, 3: read_way, 4: read_relation}
    for group in block.groups:
        for number, value in fields(group):
            if number in readers:
                readers[number](block, value, extract)


def read_node(block, data, extract):
    found = dict(fields(data))
    number = signed(found[1])
    extract.positions[number] = block.position(signed(found[8]), signed(found[9]))
    tags = block.tags(packed(found.get(2, b"")), packed(found.get(3, b"")))
    if tags:
        extract.node_tags[number] = tags


def read_dense(block, data, extract):
    found = dict(fields(data))
    numbers = running(packed(found[1]))
    positions = zip(running(packed(found[8])), running(packed(found[9])))
    tags = dense_tags(block, packed(found.get(10, b"")))
    for number, (latitude, longitude) in zip(numbers, positions):
        extract.positions[number] = block.position(latitude, longitude)
        own = next(tags, None)
        if own:
            extract.node_tags[number] = own


def dense_tags(block, keys_values):
    """Key, value, key, value, 0 for each node in turn."""
    own, at = {}, 0
    while at < len(keys_values):
        if keys_values[at] == 0:
            yield own
            own, at = {}, at + 1
        else:
            own[block.strings[keys_values[at]]] = block.strings[keys_values[at + 1]]
            at += 2


def read_way(block, data, extract):
    found = dict(fields(data))
    tags = block.tags(packed(found.get(2, b"")), packed(found.get(3, b"")))
    extract.ways[found[1]] = (tags, running(packed(found.get(8, b""))))


def read_relation(block, data, extract):
    found = dict(fields(data))
    tags = block.tags(packed(found.get(2, b"")), packed(found.get(3, b"")))
    roles = [block.strings[role] for role in packed(found.get(8, b""))]
    kinds = [MEMBER_KINDS[kind] for kind in packed(found.get(10, b""))]
    extract.relations[found[1]] = (tags, list(zip(kinds, running(packed(found.get(9, b""))), roles)))
