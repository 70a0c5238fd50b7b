"""Data/hours: which time zone and country goes where, and which days are public holidays in a country.

Zones are those of the time zone boundaries of OpenStreetMap as PyPI's timezonefinder carries them, sampled on a grid of
a hundredth of a degree: a row has its runs of one zone, from west to east. Holidays are those that PyPI's holidays
knows: days of each year, days by Easter, and what is left for each of some years; what goes in some regions only is
marked.
"""

import datetime
import io
import json
import zipfile

import holidays
import numpy
from dateutil.easter import easter
from tables import gzip_bytes, table_bytes

CELLS = 100
ROWS, COLUMNS = 180 * CELLS, 360 * CELLS
YEARS = range(2020, 2036)
COUNTS = {"poly": "<u4", "hole": "<u2"}

def build(packages, target):
    archive, _ = packages.archive("timezonefinder")
    tables, _ = packages.archive("tzdata")
    folder = target / "hours"
    with zipfile.ZipFile(archive) as wheel:
        names, rows = zone_rows(wheel)
    countries = zone_countries(tables)
    write(folder / "zones.tsv.gz", ["zone", "country"], [
        {"zone": name, "country": countries.get(name, "")} for name in names])
    write(folder / "grid.tsv.gz", ["rows", "runs"], rows)
    write(folder / "holidays.tsv.gz", ["country", "years", "days"], holiday_rows(sorted(set(countries.values()))))


def write(path, columns, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip_bytes(table_bytes(columns, rows)))


# Zones.


def zone_rows(wheel):
    """Names of zones, and the runs of each row: "zone*count zone*count"; rows that are the same are one."""
    names = json.loads(wheel.read("timezonefinder/timezone_names.json"))
    crossings = [[] for _ in range(ROWS)]
    ids = numpy.frombuffer(wheel.read("timezonefinder/poly_zone_ids.bin"), dtype="<u2")
    for polygon, ring in rings(wheel, "poly"):
        add_crossings(ring, polygon, crossings)
    registry = json.loads(wheel.read("timezonefinder/hole_registry.json"))
    of_hole = {first + number: int(polygon)
               for polygon, (count, first) in registry.items() for number in range(count)}
    for hole, ring in rings(wheel, "hole"):
        add_crossings(ring, of_hole[hole], crossings)
    rows, last = [], None
    for row in range(ROWS):
        runs = row_runs(crossings[row], ids)
        if runs == last:
            rows[-1]["rows"] += 1
        else:
            rows.append({"rows": 1, "runs": runs})
        last = runs
    return names, [{"rows": str(row["rows"]), "runs": row["runs"]} for row in rows]


def rings(wheel, kind):
    """Each ring with its number: degrees east and north."""
    counts = numpy.frombuffer(wheel.read(f"timezonefinder/{kind}_coord_amount.bin"), dtype=COUNTS[kind])
    data = numpy.frombuffer(wheel.read(f"timezonefinder/{kind}_data.bin"), dtype="<i4")
    start = 0
    for number, count in enumerate(counts):
        count = int(count)
        yield number, data[start:start + 2 * count].reshape(2, count) / 1e7
        start += 2 * count


def add_crossings(ring, polygon, crossings):
    """Where the ring crosses the middle of rows, counted from the south."""
    east, north = ring
    east_next, north_next = numpy.roll(east, -1), numpy.roll(north, -1)
    low, high = numpy.minimum(north, north_next), numpy.maximum(north, north_next)
    first = numpy.ceil((low + 90) * CELLS - 0.5).astype(int)
    last = numpy.ceil((high + 90) * CELLS - 0.5).astype(int)
    for edge in numpy.nonzero(first < last)[0]:
        for row in range(max(0, first[edge]), min(ROWS, last[edge])):
            part = ((row + 0.5) / CELLS - 90 - north[edge]) / (north_next[edge] - north[edge])
            crossings[row].append((polygon, east[edge] + part * (east_next[edge] - east[edge])))


def row_runs(crossings, ids):
    zones = numpy.full(COLUMNS, -1, dtype=int)
    by_polygon = {}
    for polygon, east in crossings:
        by_polygon.setdefault(polygon, []).append(east)
    for polygon in sorted(by_polygon):
        edges = sorted(by_polygon[polygon])
        for west, east in zip(edges[::2], edges[1::2]):
            start, end = (max(0, min(COLUMNS, int(numpy.ceil((edge + 180) * CELLS - 0.5)))) for edge in (west, east))
            zones[start:end] = ids[polygon]
    starts = numpy.concatenate([[0], numpy.nonzero(numpy.diff(zones))[0] + 1, [COLUMNS]])
    return " ".join(f"{zones[start] if zones[start] >= 0 else ''}*{end - start}"
                    for start, end in zip(starts, starts[1:]))


def zone_countries(tables):
    with zipfile.ZipFile(tables) as wheel:
        lines = io.TextIOWrapper(wheel.open("tzdata/zoneinfo/zone.tab"), encoding="utf-8")
        fields = [line.split("\t") for line in lines if not line.startswith("#")]
    return {name.strip(): country for country, _, name, *_ in fields}


# Holidays.


def holiday_rows(countries):
    known = holidays.list_supported_countries()
    rows = []
    for country in countries:
        if country not in known:
            continue
        whole = days(country, None)
        parts = set().union(*(days(country, part) for part in known[country])) - whole
        rows.append({"country": country, "years": f"{YEARS[0]}-{YEARS[-1]}",
                     "days": " ".join(words(whole) + ["?" + word for word in words(parts)])})
    return rows


def days(country, part):
    return set(holidays.country_holidays(country, subdiv=part, years=YEARS))


def words(dates):
    """Days of each year, days by Easter, and the others."""
    left = set(dates)
    yearly, shifts, listed = [], [], []
    for month, day in sorted({(date.month, date.day) for date in dates}):
        same = {datetime.date(year, month, day) for year in YEARS if (month, day) != (2, 29)}
        if same and same <= dates:
            yearly.append(f"{month:02}{day:02}")
            left -= same
    for shift in range(-60, 120):
        same = {easter(year) + datetime.timedelta(shift) for year in YEARS}
        if same <= dates and same & left:
            shifts.append(f"e{shift}")
            left -= same
    listed = [f"{date:%Y%m%d}" for date in sorted(left)]
    return yearly + shifts + listed
