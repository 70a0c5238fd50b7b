"""From countries to land and borders.

Two neighbours run through the same points along their border, one in each direction. Such pairs are borders; what
is left of all rings are the coasts, and closes to rings again.
"""

import math

from basemap.geojson import contains, twice_area


def coasts_and_borders(rings):
    """(rings of coast with land on their right, lines of border) from rings that turn right around land."""
    steps = dict.fromkeys(step for ring in rings for step in zip(ring, ring[1:]))
    coast = [step for step in steps if step[::-1] not in steps]
    shared = [step for step in steps if step[::-1] in steps and step < step[::-1]]
    return chained(coast), list(chained_both_ways(shared))


def chained(steps):
    """Closed rings from directed steps; as many steps enter each point as leave it."""
    leaving = {}
    for start, end in steps:
        leaving.setdefault(start, []).append(end)
    rings = []
    for first in list(leaving):
        while leaving[first]:
            ring = [first, leaving[first].pop()]
            while ring[-1] != first:
                ring.append(leaving[ring[-1]].pop())
            rings.append(ring)
    return rings


def chained_both_ways(steps):
    """Long lines from steps without a direction, each from a junction or an end to the next."""
    beside = {}
    for start, end in steps:
        beside.setdefault(start, []).append(end)
        beside.setdefault(end, []).append(start)
    ends = [point for point, others in beside.items() if len(others) != 2]
    # What is left after all lines between junctions are closed borders, as Lesotho's.
    for first in ends + list(beside):
        while beside[first]:
            yield walked(first, beside, set(ends))


def walked(first, beside, ends):
    line = [first]
    while beside[line[-1]] and (len(line) == 1 or line[-1] not in ends):
        following = beside[line[-1]].pop(0)
        beside[following].remove(line[-1])
        line.append(following)
    return line


def polygons(rings):
    """Rings that turn right, largest first, each with the holes that lie in it, smallest possible owner."""
    outers = sorted((ring for ring in rings if twice_area(ring) < 0), key=twice_area)
    found = [[ring] for ring in outers]
    for hole in (ring for ring in rings if twice_area(ring) > 0):
        owner = next((polygon for polygon in reversed(found) if contains(polygon[0], inner_point(hole))), None)
        if owner is None:
            raise SystemExit(f"a hole at {hole[0]} lies in no land")
        owner.append(hole)
    return found


def inner_point(ring):
    """A position inside a ring that turns left: next to the middle of its longest step."""
    (x0, y0), (x1, y1) = max(zip(ring, ring[1:]), key=lambda step: math.dist(*step))
    return (x0 + x1) / 2 - (y1 - y0) * 1e-6, (y0 + y1) / 2 + (x1 - x0) * 1e-6
