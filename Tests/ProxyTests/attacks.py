"""The bad requests of Tests/HTTPTests/Vectors, each with a request hidden in it where only a misreading runs it."""

import json
import re

from waymark_system import ROOT

SHAPES = [shape.encode() for shape in json.loads((ROOT / "Tests/HTTPTests/Vectors/bad-requests.json").read_text())]
# Nothing is wrong with it: the hidden request is its body, and any proxy passes it on. It has to stay a body.
GOOD = b"POST / HTTP/1.1\r\nHost: x\r\n\r\n"
# As long as the body that one of the shapes declares.
HIDDEN_BYTES = 80


def hidden_requests(name):
    """One that is whole, and one that ends in a field, so that what comes next on the connection becomes its rest."""
    begin = b"GET /hidden HTTP/1.1\r\nHost: x\r\nX-Request-Id: %s\r\nA: " % name.encode()
    return begin.ljust(HIDDEN_BYTES - 4, b"a") + b"\r\n\r\n", begin.ljust(HIDDEN_BYTES, b"a")


def places(shape, hidden):
    """The shape and the hidden request, in each place where one reader may see a body and another a request."""
    if re.search(rb"(?i)content-length|transfer-encoding", shape):
        # It is the content of a chunk, whose first line is 5 bytes long, for who reads chunks.
        yield shape + b"%03x\r\n" % len(hidden) + hidden + b"\r\n0\r\n\r\n"
        # It comes after the last chunk, or after 5 bytes.
        yield shape + b"0\r\n\r\n" + hidden
        # It comes after a chunk of one byte that the shape began.
        yield shape + b"x\r\n0\r\n\r\n" + hidden
        yield shape + hidden
        return
    if b"Host" not in shape:
        shape += b"Host: x\r\n\r\n"
    yield shape + hidden
    # It is a body whose length is declared before the bad part, or after it.
    shape, length = shape.replace(b"GET", b"POST", 1), b"Content-Length: %d\r\n" % len(hidden)
    for at in sorted({shape.rindex(b"\n", 0, shape.index(b"Host")) + 1, empty_line(shape)}):
        yield shape[:at] + length + shape[at:] + hidden


def empty_line(shape):
    """Where the line begins that ends the head."""
    return re.search(rb"(?<=\n)\r*\n\Z", shape).start()


def attacks(shapes):
    """(name, bytes); the hidden request of each has that name."""
    for number, shape in enumerate(shapes):
        for kind, hidden in enumerate(hidden_requests("hidden-00000")):
            for place, attack in enumerate(places(shape, hidden)):
                name = f"hidden-{number:03}{kind}{place}"
                yield name, attack.replace(b"hidden-00000", name.encode())
