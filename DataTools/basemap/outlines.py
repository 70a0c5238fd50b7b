"""The outlines of Natural Earth, scale 1:10m, as Debian's qgis-common carries them in a GeoPackage: SQLite with
geometries in OGC's binary form (https://www.geopackage.org/spec/#gpb_format). They were simplified there, together, so
that neighbours share their points exactly."""

import sqlite3
import struct
import tempfile
from collections import Counter, defaultdict

import debian

WORLD = "usr/share/qgis/resources/data/world_map.gpkg"
# Neighbours meet once their points are rounded.
DECIMALS = 4
# They were cut off at this longitude, east and west, and go on to the antimeridian.
CUT = 179.9
# Bytes of the box before a geometry, by its kind.
BOXES = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}
POLYGON, MULTIPOLYGON = 3, 6


def countries(packages):
    """All rings of all countries; outer ones turn right, holes left."""
    return [ring for _, rings in shapes(packages, "SELECT iso_a2, geom FROM countries ORDER BY fid") for ring in rings]


def regions(packages):
    """The lines between two regions of one country."""
    owners = defaultdict(list)
    found = shapes(packages, "SELECT adm0_a3, geom FROM states_provinces ORDER BY fid")
    for index, (country, rings_of_one) in enumerate(found):
        for ring in rings_of_one:
            for a, b in zip(ring, ring[1:]):
                owners[min(a, b), max(a, b)].append((country, index))
    return chains([edge for edge, found in owners.items()
                   if len({index for _, index in found}) > 1 and len({country for country, _ in found}) == 1])


def states(packages):
    """First-level regions: code and three letters of the country, its name, the region's name, and rings."""
    query = "SELECT iso_a2 || char(9) || adm0_a3 || char(9) || admin || char(9) || coalesce(name, ''), geom" \
            " FROM states_provinces ORDER BY fid"
    return [(*text.split("\t"), rings_of_one) for text, rings_of_one in shapes(packages, query)]


def shapes(packages, query):
    """(text, rings) of each row."""
    with tempfile.NamedTemporaryFile(suffix=".gpkg") as file:
        file.write(debian.file_of(packages.debian("qgis-common"), WORLD))
        file.flush()
        database = sqlite3.connect(file.name)
        rows = [(text, rings(geometry)) for text, geometry in database.execute(query)]
        database.close()
    return rows


def rings(geometry):
    at = 8 + BOXES[geometry[3] >> 1 & 7]
    return [turned(ring, index > 0) for polygon in polygons(geometry, at)[0] for index, ring in enumerate(polygon)]


def polygons(data, at):
    """Those of a geometry, each as a list of rings; and where it ends."""
    order = "<" if data[at] == 1 else ">"
    kind, count = struct.unpack_from(f"{order}II", data, at + 1)
    at += 9
    if kind not in (POLYGON, MULTIPOLYGON):
        raise SystemExit(f"a geometry of kind {kind} is no area")
    found = []
    for _ in range(count):
        if kind == MULTIPOLYGON:
            inner, at = polygons(data, at)
            found += inner
        else:
            (size,) = struct.unpack_from(f"{order}I", data, at)
            flat = struct.unpack_from(f"{order}{2 * size}d", data, at + 4)
            at += 4 + 16 * size
            found.append([point(*pair) for pair in zip(flat[::2], flat[1::2])])
    return ([found] if kind == POLYGON else found), at


def point(longitude, latitude):
    if abs(longitude) > CUT - 0.001:
        longitude = 180.0 if longitude > 0 else -180.0
    return round(longitude, DECIMALS), round(latitude, DECIMALS)


def turned(ring, is_hole):
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, ring[1:]))
    return ring if (area > 0) == is_hole else ring[::-1]


def chains(edges):
    """The lines that edges make, each from where more or fewer than two of them meet to the next such point."""
    ends = Counter(point for edge in edges for point in edge)
    beside = defaultdict(list)
    for edge in sorted(edges):
        for point in edge:
            beside[point].append(edge)
    used, lines = set(), []
    starts = [point for point in sorted(beside) if ends[point] != 2]
    for start in [*starts, *sorted(beside)]:
        for edge in beside[start]:
            if edge in used:
                continue
            used.add(edge)
            line = [start, other(edge, start)]
            while ends[line[-1]] == 2 and (more := next((one for one in beside[line[-1]] if one not in used), None)):
                used.add(more)
                line.append(other(more, line[-1]))
            lines.append(line)
    return lines


def other(edge, point):
    return edge[1] if edge[0] == point else edge[0]
