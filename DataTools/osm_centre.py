"""Centres of OpenStreetMap elements.

A closed line is an area and has the centre of gravity of that area (inner rings taken off); an open line has
its middle by length. An element cut by the extract's edge gets the middle of the part of its outline that is there.
The plane ends at the antimeridian: what lies across it is turned to the middle, and its centre back. Sums run over
integers of 1e-9 degrees relative to the first point, so the result is the same everywhere.
"""

import math

NANO = 1_000_000_000
HALF_TURN = 180 * NANO


def way_centre(extract, nodes):
    """(latitude, longitude) in degrees, or None when none of the nodes is in the extract."""
    known = [extract.positions[node] for node in nodes if node in extract.positions]
    if not known:
        return None
    if len(known) == len(nodes) > 3 and nodes[0] == nodes[-1]:
        return area_centre([known], [])
    return line_middle(known)


def relation_centre(extract, members):
    """The centre of a multipolygon's known outer rings, or None when none is in the extract."""
    outers = member_ways(extract, members, "outer")
    if not outers:
        return None
    rings = joined(outers)
    closed = [positions(extract, ring) for ring in rings if ring[0] == ring[-1]]
    if not closed:
        return way_centre(extract, max(rings, key=len))
    holes = [positions(extract, ring) for ring in joined(member_ways(extract, members, "inner")) if ring[0] == ring[-1]]
    return area_centre(closed, holes)


def member_ways(extract, members, role):
    numbers = [number for kind, number, own in members if kind == "way" and own == role]
    return [list(extract.ways[number][1]) for number in numbers if number in extract.ways]


def positions(extract, nodes):
    return [extract.positions[node] for node in nodes if node in extract.positions]


def joined(lines):
    """Lines put together at shared end nodes until they close."""
    rings, left = [], [list(line) for line in lines]
    while left:
        ring = left.pop(0)
        while ring[0] != ring[-1]:
            following = next((line for line in left if ring[-1] in (line[0], line[-1])), None)
            if following is None:
                break
            left.remove(following)
            ring += (following if following[0] == ring[-1] else following[::-1])[1:]
        rings.append(ring)
    return rings


def area_centre(outers, holes):
    """Centre of gravity on the plane of latitude and longitude; good to centimetres at the size of a block."""
    if crosses_antimeridian([point for ring in outers for point in ring]):
        return turned_back(planar_area_centre([turned(ring) for ring in outers], [turned(ring) for ring in holes]))
    return planar_area_centre(outers, holes)


def line_middle(points):
    """The point half way along a line."""
    if crosses_antimeridian(points):
        return turned_back(planar_line_middle(turned(points)))
    return planar_line_middle(points)


def crosses_antimeridian(points):
    """Whether points lie in one half of the Earth, but not on the plane."""
    return width(points) > HALF_TURN >= width(turned(points))


def width(points):
    longitudes = [longitude for _, longitude in points]
    return max(longitudes) - min(longitudes)


def turned(points):
    """The same half a turn farther: the antimeridian is the plane's middle then."""
    return [(latitude, longitude + (HALF_TURN if longitude < 0 else -HALF_TURN)) for latitude, longitude in points]


def turned_back(centre):
    latitude, longitude = centre
    return latitude, longitude + (180 if longitude < 0 else -180)


def planar_area_centre(outers, holes):
    origin = outers[0][0]
    parts = [moments(ring, origin, 1) for ring in outers] + [moments(ring, origin, -1) for ring in holes]
    area, east, north = (sum(part[index] for part in parts) for index in range(3))
    if area <= 0:
        return planar_line_middle(outers[0])
    return (origin[0] + north / (3 * area)) / NANO, (origin[1] + east / (3 * area)) / NANO


def moments(ring, origin, sign):
    """Twice the area and six times the first moments of a ring, counted positive whichever way it turns."""
    area = east = north = 0
    points = [(longitude - origin[1], latitude - origin[0]) for latitude, longitude in ring]
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
        cross = x0 * y1 - x1 * y0
        area += cross
        east += (x0 + x1) * cross
        north += (y0 + y1) * cross
    turn = sign if area >= 0 else -sign
    return area * turn, east * turn, north * turn


def planar_line_middle(points):
    narrowing = math.cos(math.radians(points[0][0] / NANO))
    lengths = [math.hypot(b[0] - a[0], (b[1] - a[1]) * narrowing) for a, b in zip(points, points[1:])]
    half = sum(lengths) / 2
    for (a, b), length in zip(zip(points, points[1:]), lengths):
        if length > 0 and half <= length:
            share = half / length
            return (a[0] + (b[0] - a[0]) * share) / NANO, (a[1] + (b[1] - a[1]) * share) / NANO
        half -= length
    return points[-1][0] / NANO, points[-1][1] / NANO
