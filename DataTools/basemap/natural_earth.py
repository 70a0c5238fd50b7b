"""Natural Earth, as two packages of Debian carry it: countries in R's form, lakes in Marble's."""

import struct

import debian
import r_data

R_FOLDER = "usr/lib/R/site-library/rnaturalearthdata/data"
LAKES = "usr/share/marble/data/naturalearth/ne_50m_lakes.pn2"
# Marble counts in half minutes of arc.
STEPS_PER_DEGREE = 120
# Kinds of elements: an outer ring, and one that only says in a byte how many of the next belong together. The others
# are inner rings.
OUTER, GROUP = 2, 4


def countries(packages, scale):
    """The countries of scale "110" or "50": their attributes by name, and of each its rings and where its label goes.

    Rings are closed lists of (longitude, latitude); outer ones turn right, holes left. Neighbours share their
    points exactly.
    """
    package = packages.debian("r-cran-rnaturalearthdata")
    index, chunks = (debian.file_of(package, f"{R_FOLDER}/Rdata.{end}") for end in ("rdx", "rdb"))
    table = r_data.database(index, chunks)(f"countries{scale}").attributes
    shapes = [shape.attributes for shape in table["polygons"]]
    rings = [[points(part.attributes["coords"]) for part in shape["Polygons"]] for shape in shapes]
    return table["data"].named(), rings, [shape["labpt"] for shape in shapes]


def points(matrix):
    """The rows of a matrix with two columns, which R keeps column by column."""
    rows, _ = matrix.attributes["dim"]
    return list(zip(matrix.content[:rows], matrix.content[rows:]))


def lakes(packages):
    """Each lake as an outer ring and the rings of its islands."""
    data = debian.file_of(packages.debian("marble-qt-data"), LAKES)
    if data[0] != 2:
        raise SystemExit(f"Marble's file of lakes has version {data[0]}, 2 is read here")
    at, found = struct.calcsize(">BIB"), []
    while at < len(data):
        kind, _ = struct.unpack_from(">BI", data, at)
        at += struct.calcsize(">BI")
        if kind == GROUP:
            at += 1
        else:
            outline, at = marble_ring(data, at)
            found.append([outline]) if kind == OUTER else found[-1].append(outline)
    return found


def marble_ring(data, at):
    """A number of positions, each followed by others that are stored as steps from it; and where the ring ends."""
    (nodes,) = struct.unpack_from(">I", data, at)
    at += struct.calcsize(">I")
    outline = []
    for _ in range(nodes):
        latitude, longitude, near = struct.unpack_from(">hhH", data, at)
        at += struct.calcsize(">hhH")
        steps = [(0, 0), *struct.iter_unpack(">bb", data[at:at + 2 * near])]
        at += 2 * near
        outline += [((longitude + east) / STEPS_PER_DEGREE, (latitude + north) / STEPS_PER_DEGREE)
                    for north, east in steps]
    return outline, at
