"""Outlines of lakes by name for areas.py: those of Natural Earth's scale 1:50 million, by the points of lakes.tsv. That
table is our own: the English name of a lake, and a point that lies in no other one."""

import csv
from pathlib import Path

from basemap import natural_earth

POINTS = Path(__file__).with_name("lakes.tsv")


def named(packages):
    """The name and the rings of degrees, (east, north), of each lake; those of its islands count as holes."""
    outlines = natural_earth.lakes(packages)
    with POINTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        north, east = (float(number) for number in row["point"].split(","))
        # Some are there twice, by themselves and as a part of several.
        around = [outline for outline in outlines if holds(outline[0], east, north)]
        if not around:
            raise SystemExit(f"{POINTS.name}: no lake lies at {row['name']}")
        yield row["name"], [closed(ring) for ring in min(around, key=size)]


def closed(ring):
    return ring if ring[0] == ring[-1] else [*ring, ring[0]]


def holds(ring, east, north):
    """Whether a point is in a ring: a way from there due east crosses it an odd number of times."""
    is_in = False
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]]):
        if (ay > north) != (by > north) and east < ax + (north - ay) / (by - ay) * (bx - ax):
            is_in = not is_in
    return is_in


def size(outline):
    east, north = zip(*outline[0])
    return (max(east) - min(east)) * (max(north) - min(north))
