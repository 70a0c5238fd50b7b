"""Grows an .osm.pbf: copies of a region beside each other, with ids of their own, sorted as the region is.

Blocks are not unpacked to elements: a block has an offset for its positions, and ids are distances from the one before,
so that a copy differs in a few numbers only. https://wiki.openstreetmap.org/wiki/PBF_Format
"""
import struct
import zlib

# Above all ids that there are.
ID_STEP = 1 << 34
COLUMNS = 64
STEP_DEGREES = 0.25
LATITUDE_OFFSET, LONGITUDE_OFFSET = 19, 20


def varint(number):
    out = bytearray()
    while number > 0x7f:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def read_varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 0x7f) << shift
        if byte < 0x80:
            return number, at
        shift += 7


def fields(data):
    """The fields of a message: number, type and value."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 == 0:
            value, at = read_varint(data, at)
        elif key & 7 == 2:
            size, at = read_varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise ValueError(f"a field of type {key & 7}")
        yield key >> 3, key & 7, value


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def unfolded(number):
    return number >> 1 ^ -(number & 1)


def folded(number):
    return number << 1 if number >= 0 else (-number << 1) - 1


def first_and_rest(packed):
    value, at = read_varint(packed, 0)
    return unfolded(value), packed[at:]


class Block:
    """A block of one kind, as a template for its copies."""

    def __init__(self, content):
        self.texts, self.groups, self.rest, self.offsets = b"", [], b"", {LATITUDE_OFFSET: 0, LONGITUDE_OFFSET: 0}
        for number, _, value in fields(content):
            if number == 1:
                self.texts = field(1, value)
            elif number == 2:
                self.groups.append(self.group(value))
            elif number in self.offsets:
                self.offsets[number] = value - (1 << 64) if value >> 63 else value
            else:
                self.rest += field(number, value)

    def group(self, content):
        """Parts of a group: bytes that stay, and (number of the field, parts of the message) with the ids in them."""
        parts = []
        for number, _, value in fields(content):
            packed = {2: 1, 3: 8, 4: 9}[number]
            message = []
            for inner, kind, data in fields(value):
                if inner == packed and kind == 2 and data:
                    message.append((inner, *first_and_rest(data)))
                elif inner == 1 and number != 2:
                    message.append((inner, data, None))
                else:
                    message.append(field(inner, data))
            parts.append((number, message))
            self.kind = number
        return parts

    def copy(self, shift, down, right):
        out = [self.texts]
        for group in self.groups:
            parts = []
            for number, message in group:
                body = b"".join(
                    part if isinstance(part, bytes)
                    else field(part[0], part[1] + shift) if part[2] is None
                    else field(part[0], varint(folded(part[1] + shift)) + part[2]) for part in message)
                parts.append(field(number, body))
            out.append(field(2, b"".join(parts)))
        moved = {LATITUDE_OFFSET: self.offsets[LATITUDE_OFFSET] - down,
                 LONGITUDE_OFFSET: self.offsets[LONGITUDE_OFFSET] + right}
        out += [field(number, value & (1 << 64) - 1) for number, value in moved.items()]
        return b"".join([*out, self.rest])


def blobs(path):
    """Type, stored bytes with their header, and the content of each blob."""
    data, at = path.read_bytes(), 0
    while at < len(data):
        start = at
        size = struct.unpack(">I", data[at:at + 4])[0]
        header = {number: value for number, _, value in fields(data[at + 4:at + 4 + size])}
        at += 4 + size
        blob = {number: value for number, _, value in fields(data[at:at + header[3]])}
        at += header[3]
        yield header[1], data[start:at], blob[1] if 1 in blob else zlib.decompress(blob[3])


def packed(kind, content):
    blob = field(2, len(content)) + field(3, zlib.compress(content, 6))
    header = field(1, kind) + field(3, len(blob))
    return struct.pack(">I", len(header)) + header + blob


def header_of(content, timestamp):
    """The header without what was cut out of the world; with a time, after which changes come."""
    kept = b"".join(field(number, value) for number, _, value in fields(content) if number in (4, 5, 16))
    return kept + field(32, timestamp)


def shift_of(copy):
    """How far the ids of a copy are from those of the region, and how many degrees it lies to the south and east."""
    return copy * ID_STEP, copy // COLUMNS * STEP_DEGREES, copy % COLUMNS * STEP_DEGREES


def write(region, path, copies, timestamp):
    """Writes so many copies of a region."""
    blocks = []
    with open(path, "wb") as file:
        for kind, _, content in blobs(region):
            if kind == b"OSMHeader":
                file.write(packed(kind, header_of(content, timestamp)))
            else:
                blocks.append(Block(content))
        for kind in (2, 3, 4):
            for copy in range(copies):
                shift, down, right = shift_of(copy)
                for block in blocks:
                    if block.kind == kind:
                        content = block.copy(shift, round(down * 1e9), round(right * 1e9))
                        file.write(packed(b"OSMData", content))


def nodes(region):
    """Ids, latitudes and longitudes of the nodes of a region, and whether each has tags."""
    for kind, _, content in blobs(region):
        if kind != b"OSMData":
            continue
        for number, _, group in fields(content):
            if number != 2:
                continue
            for inner, _, dense in fields(group):
                if inner == 2:
                    yield from dense_nodes(dense)


def dense_nodes(dense):
    lists = {number: value for number, _, value in fields(dense)}
    tags, tag_at = lists.get(10, b""), 0
    ids, latitudes, longitudes = (sums(lists[number]) for number in (1, 8, 9))
    for one, latitude, longitude in zip(ids, latitudes, longitudes):
        count = 0
        while tag_at < len(tags):
            value, tag_at = read_varint(tags, tag_at)
            if value == 0:
                break
            count += 1
        yield one, latitude / 1e7, longitude / 1e7, count > 0


def sums(data):
    at = total = 0
    while at < len(data):
        value, at = read_varint(data, at)
        total += unfolded(value)
        yield total
