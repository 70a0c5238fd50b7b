"""Grows an .osm.pbf: copies of a region beside each other, with ids of their own, sorted as the region is.

Blocks are not unpacked to elements: a block has an offset for its positions, and ids are distances from the one before,
so that a copy differs in a few numbers only. https://wiki.openstreetmap.org/wiki/PBF_Format
"""
import osm_reading as reading
import synthetic_osm as writing

# Above all ids that there are.
ID_STEP = 1 << 34
COLUMNS = 64
STEP_DEGREES = 0.25
LATITUDE_OFFSET, LONGITUDE_OFFSET = 19, 20
# Kinds of elements, by the numbers of their fields in a group; and the field of each that has ids as distances.
KINDS = {2: 1, 3: 8, 4: 9}


def first_and_rest(packed):
    value, at = reading.varint(packed, 0)
    return reading.unfolded(value), packed[at:]


class Block:
    """A block of one kind, as a template for its copies."""

    def __init__(self, content):
        self.texts, self.groups, self.rest, self.offsets = b"", [], b"", {LATITUDE_OFFSET: 0, LONGITUDE_OFFSET: 0}
        for number, _, value in reading.fields(content):
            if number == 1:
                self.texts = writing.field(1, value)
            elif number == 2:
                self.groups.append(self.group(value))
            elif number in self.offsets:
                self.offsets[number] = value - (1 << 64) if value >> 63 else value
            else:
                self.rest += writing.field(number, value)

    def group(self, content):
        """Parts of a group: bytes that stay, and (number of the field, parts of the message) with the ids in them."""
        parts = []
        for number, _, value in reading.fields(content):
            message = []
            for inner, kind, data in reading.fields(value):
                if inner == KINDS[number] and kind == 2 and data:
                    message.append((inner, *first_and_rest(data)))
                elif inner == 1 and number != 2:
                    message.append((inner, data, None))
                else:
                    message.append(writing.field(inner, data))
            parts.append((number, message))
            self.kind = number
        return parts

    def copy(self, shift, down, right):
        out = [self.texts]
        for group in self.groups:
            parts = [writing.field(number, b"".join(self.shifted(part, shift) for part in message))
                     for number, message in group]
            out.append(writing.field(2, b"".join(parts)))
        moved = {LATITUDE_OFFSET: self.offsets[LATITUDE_OFFSET] - down,
                 LONGITUDE_OFFSET: self.offsets[LONGITUDE_OFFSET] + right}
        out += [writing.field(number, value & (1 << 64) - 1) for number, value in moved.items()]
        return b"".join([*out, self.rest])

    @staticmethod
    def shifted(part, shift):
        if isinstance(part, bytes):
            return part
        number, first, rest = part
        if rest is None:
            return writing.field(number, first + shift)
        return writing.field(number, writing.varint(writing.folded(first + shift)) + rest)


def header(timestamp):
    """One with a time, after which changes come."""
    features = b"".join(writing.field(4, name) for name in (b"OsmSchema-V0.6", b"DenseNodes"))
    return features + writing.field(5, b"Sort.Type_then_ID") + writing.field(32, timestamp)


def shift_of(copy):
    """How far the ids of a copy are from those of the region, and how many degrees it lies to the south and east."""
    return copy * ID_STEP, copy // COLUMNS * STEP_DEGREES, copy % COLUMNS * STEP_DEGREES


def write(region, path, copies, timestamp):
    """Writes so many copies of a region, packed as osmium packs."""
    blocks = [Block(content) for content in reading.blocks(region)]
    with open(path, "wb") as file:
        file.write(writing.blob(b"OSMHeader", header(timestamp)))
        for kind in KINDS:
            for copy in range(copies):
                shift, down, right = shift_of(copy)
                for block in blocks:
                    if block.kind == kind:
                        content = block.copy(shift, round(down * 1e9), round(right * 1e9))
                        file.write(writing.blob(b"OSMData", content, level=6))


def nodes(region):
    """Ids, latitudes and longitudes of the nodes of a region, and whether each has tags."""
    for content in reading.blocks(region):
        for number, _, group in reading.fields(content):
            if number != 2:
                continue
            for inner, _, dense in reading.fields(group):
                if inner == 2:
                    yield from dense_nodes({number: value for number, _, value in reading.fields(dense)})


def dense_nodes(lists):
    ids, latitudes, longitudes = (reading.sums(reading.packed(lists[number])) for number in (1, 8, 9))
    tags = iter(reading.packed(lists.get(10, b"")))
    for one, latitude, longitude in zip(ids, latitudes, longitudes):
        # Keys and values, up to a 0.
        is_tagged = bool(sum(1 for _ in iter(lambda: next(tags, 0), 0)))
        yield one, latitude / 1e7, longitude / 1e7, is_tagged
