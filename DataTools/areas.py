"""Data/names/areas.tsv.gz: the outlines of first-level regions, with their countries, finer borders of countries, and
outlines of lakes, islands and seas, for telling what a point lies in.

Regions are Natural Earth's of scale 1:10 million, which share their edges exactly. Each is the region, and in the
country, that most of the towns in it are in; several of one region of GeoNames' are one here. The outlines of seas are
our own and rough: they are asked about points that are on no land, and of several that hold a point the first in
seas.tsv counts.
"""

import csv
import gzip
from collections import Counter
from pathlib import Path

import borders
import islands
import lakes
import numpy
from basemap import outlines
from extents import OWN_CODES
from tables import gzip_bytes, table_bytes

COLUMNS = ["kind", "code", "country", "region", "outline"]
SEAS = Path(__file__).with_name("seas.tsv")
# Of a degree: some eleven metres.
STEPS = 10_000
# Where several claim parts of a continent, their towns there do not divide it.
SHARED = {"AQ"}
# Comparisons of a town with an edge at a time.
BATCH = 4_000_000


def build(packages, folder, names):
    """`names` has the countries' by their codes."""
    towns = folder.parent / "towns" / "towns.tsv.gz"
    rows = [*regions(packages, names, Towns(towns)), *countries(packages, names),
            *named("lake", lakes.named(packages)),
            *named("island", islands.named(packages, set(names.values()))), *seas()]
    (folder / "areas.tsv.gz").write_bytes(gzip_bytes(table_bytes(COLUMNS, rows)))


def regions(packages, names, towns):
    found = {}
    for code, own, country, name, rings in outlines.states(packages):
        # Some that Natural Earth draws apart have no code of their own.
        code = OWN_CODES.get(own, code if len(code) == 2 and code.isalpha() else "")
        inside = [] if code in SHARED else towns.inside(rings)
        if inside:
            (code, name), _ = min(Counter(inside).items(), key=lambda pair: (-pair[1], pair[0]))
        key = code, names.get(code, country), "" if code in SHARED else name
        found.setdefault(key, []).extend(rings)
    for (code, country, name), rings in sorted(found.items()):
        for ring in rings:
            yield {"kind": "land", "code": code, "country": country, "region": name, "outline": text(ring)}


def countries(packages, names):
    for code, ring in sorted(borders.countries(packages)):
        outline = text(ring)
        if outline.count(" ") > 2:
            yield {"kind": "country", "code": code, "country": names.get(code, ""), "region": "", "outline": outline}


def named(kind, found):
    for name, rings in found:
        for ring in rings:
            outline = text(ring)
            if outline.count(" ") > 2:
                yield {"kind": kind, "code": "", "country": "", "region": name, "outline": outline}


def seas():
    with SEAS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            points = [[float(number) for number in reversed(pair.split(","))] for pair in row["outline"].split(" ")]
            yield {"kind": "sea", "code": "", "country": "", "region": row["name"],
                   "outline": text([*points, points[0]])}


def text(ring):
    """Each point as steps of latitude and longitude from the one before, the first from zero."""
    points = [(round(latitude * STEPS), round(longitude * STEPS)) for longitude, latitude in ring]
    points = [point for point, before in zip(points, [None, *points]) if point != before]
    return " ".join(f"{a[0] - b[0]},{a[1] - b[1]}" for a, b in zip(points, [(0, 0), *points]))


class Towns:
    """The towns of the table, by latitude."""

    def __init__(self, path):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        rows.sort(key=lambda row: (float(row["lat"]), row["id"]))
        self.regions = [(row["country"], row["region"]) for row in rows]
        self.latitudes = numpy.array([float(row["lat"]) for row in rows])
        self.longitudes = numpy.array([float(row["lon"]) for row in rows])

    def inside(self, rings):
        """Country and region of each town in an odd number of the rings."""
        odd = Counter(town for ring in rings for town in self.inside_one(ring))
        return [self.regions[town] for town, count in odd.items() if count % 2 == 1]

    def inside_one(self, ring):
        x, y = (numpy.array(numbers) for numbers in zip(*ring))
        first, end = numpy.searchsorted(self.latitudes, y.min()), numpy.searchsorted(self.latitudes, y.max(), "right")
        own = numpy.arange(first, end)
        own = own[(self.longitudes[own] >= x.min()) & (self.longitudes[own] <= x.max())]
        found = []
        for some in numpy.array_split(own, max(1, len(own) * len(x) // BATCH)):
            north, east = self.latitudes[some][:, None], self.longitudes[some][:, None]
            crosses = (y[:-1] > north) != (y[1:] > north)
            with numpy.errstate(all="ignore"):
                at = x[:-1] + (north - y[:-1]) / (y[1:] - y[:-1]) * (x[1:] - x[:-1])
            found += some[(crosses & (east < at)).sum(1) % 2 == 1].tolist()
        return found
