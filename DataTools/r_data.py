"""A small reader of R's saved objects, as far as the package of Natural Earth uses them.

A lazy-load database is a file of compressed chunks, and an index that has the place and the length of each. A chunk is
an object in R's external form: four bytes of flags and type, what the type asks for, then the attributes. Numbers are
big-endian. Vectors become tuples and lists, and an object with attributes becomes a `Value`.
"""

import lzma
import struct
import zlib
from dataclasses import dataclass

NIL, REFERENCE, SYMBOL, PAIRS, TEXT, STRINGS, LIST, S4 = 254, 255, 1, 2, 9, 16, 19, 25
LOGICAL, INTEGER, REAL = 10, 13, 14
NUMBERS = {LOGICAL: "i", INTEGER: "i", REAL: "d"}
HAS_ATTRIBUTES, HAS_TAG = 0x200, 0x400
# The index says nothing of it: R packs with this filter at its highest setting.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6}]


@dataclass
class Value:
    """What carries attributes: names, dimensions, the slots of an S4 object."""

    content: object
    attributes: dict

    def named(self):
        """The elements by their names."""
        return dict(zip(self.attributes["names"], self.content))


def database(index, chunks):
    """A function that gives an object of a lazy-load database by its name."""
    places = Reader(zlib.decompress(index, 31)).whole().named()["variables"].named()
    return lambda name: Reader(chunk(chunks, *places[name])).whole()


def chunk(chunks, start, length):
    """The chunk's own length in 4 bytes, `Z` for xz, then the raw stream."""
    size, kind = struct.unpack_from(">Ic", chunks, start)
    plain = lzma.decompress(chunks[start + 5:start + length], lzma.FORMAT_RAW, filters=FILTERS)
    if kind != b"Z" or len(plain) != size:
        raise SystemExit("the lazy-load database is packed in another way than expected")
    return plain


class Reader:
    def __init__(self, data):
        self.data, self.at, self.symbols = data, 2, []
        version, _, _ = self.numbers("i", 3)
        if data[:2] != b"X\n" or version not in (2, 3):
            raise SystemExit("not an R object in its external form")
        if version == 3:
            self.text()

    def whole(self):
        return self.item(self.number())

    def number(self):
        return self.numbers("i", 1)[0]

    def numbers(self, kind, count):
        form = f">{count}{kind}"
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values

    def text(self):
        """None is R's NA."""
        length = self.number()
        if length < 0:
            return None
        self.at += length
        return self.data[self.at - length:self.at].decode("utf-8", "replace")

    def item(self, flags):
        kind = flags & 0xFF
        if kind == NIL:
            return None
        if kind == REFERENCE:
            return self.symbols[(flags >> 8 or self.number()) - 1]
        if kind == SYMBOL:
            self.symbols.append(self.item(self.number()))
            return self.symbols[-1]
        if kind == PAIRS:
            return self.pairs(flags)
        if kind == TEXT:
            return self.text()
        return self.vector(kind, flags & HAS_ATTRIBUTES)

    def vector(self, kind, has_attributes):
        if kind in NUMBERS:
            content = self.numbers(NUMBERS[kind], self.number())
        elif kind in (STRINGS, LIST):
            content = [self.whole() for _ in range(self.number())]
        elif kind == S4:
            content = None
        else:
            raise SystemExit(f"R's type {kind} is not read here")
        return Value(content, self.whole()) if has_attributes else content

    def pairs(self, flags):
        """A linked list of tagged values."""
        found = {}
        while flags & 0xFF == PAIRS:
            if flags & HAS_ATTRIBUTES:
                self.whole()
            tag = self.whole() if flags & HAS_TAG else len(found)
            found[tag] = self.whole()
            flags = self.number()
        return found
