"""Data/names/areas.tsv.gz: the outlines of countries and seas, for telling what a point lies in.

Countries are Natural Earth's of scale 1:50 million. The outlines of seas are our own and rough: they are asked about
points that are on no land, and of several that hold a point the first in seas.tsv counts.
"""

import csv
from pathlib import Path

from basemap import natural_earth
from extents import OWN_CODES
from tables import gzip_bytes, table_bytes

COLUMNS = ["kind", "code", "name", "outline"]
SEAS = Path(__file__).with_name("seas.tsv")
# Two decimals are a kilometre; the scale is good for less.
DECIMALS = 2
# An outline goes on in the next row.
POINTS_IN_A_ROW = 500


def build(packages, folder, names):
    """`names` has the countries' by their codes."""
    rows = [*countries(packages, names), *seas()]
    (folder / "areas.tsv.gz").write_bytes(gzip_bytes(table_bytes(COLUMNS, rows)))


def countries(packages, names):
    data, rings, _ = natural_earth.countries(packages, "50")
    for own, code, name, parts in zip(data["adm0_a3"], data["iso_a2"], data["name_long"], rings):
        # Some that Natural Earth draws apart have no code of their own.
        code = OWN_CODES.get(own, code) or ""
        for ring in parts:
            points = [text(latitude, longitude) for longitude, latitude in ring]
            points = [point for point, before in zip(points, [None, *points]) if point != before]
            for outline in pieces(points):
                yield {"kind": "land", "code": code, "name": names.get(code, name), "outline": outline}


def seas():
    with SEAS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            points = row["outline"].split(" ")
            yield {"kind": "sea", "code": "", "name": row["name"], "outline": " ".join([*points, points[0]])}


def pieces(points):
    """Parts of a closed outline; each begins where the one before ended."""
    for start in range(0, len(points) - 1, POINTS_IN_A_ROW - 1):
        yield " ".join(points[start:start + POINTS_IN_A_ROW])


def text(latitude, longitude):
    return ",".join(f"{number:.{DECIMALS}f}".rstrip("0").rstrip(".") for number in (latitude, longitude))
