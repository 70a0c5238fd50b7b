"""Tests/PlacesServiceTests/Vectors/geocode.tsv: what texts name, to test the geocoder with.

Drawn by chance with a fixed seed, straight from CLDR and GeoNames. A text that rightly names several things is not
drawn: of towns of one name the one with most people is meant, everything else is left out.
"""

import random
import unicodedata
from collections import defaultdict

from babel import Locale

import gazetteer
from regions import region_names
from tables import clean, table_bytes

SEED = 20261122
LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl", "pl", "ru", "uk", "el", "tr", "ar", "he", "fa", "hi", "th", "ko",
             "ja", "zh"]
COLUMNS = ["text", "kind", "expected", "drawn"]
COUNTRIES, ALTERNATES, QUALIFIED, WORDS = 150, 150, 125, 75
LARGE, MEDIUM = 15_000, 5_000


def write(packages, folder):
    chance, truth = random.Random(SEED), Truth(packages)
    rows = [*countries(chance, truth), *alternates(chance, truth), *qualified(chance, truth), *words(chance, truth)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "geocode.tsv").write_bytes(table_bytes(COLUMNS, rows))


class Truth:
    """Who has which name, by the sources alone."""

    def __init__(self, packages):
        self.cities = gazetteer.cities(packages)[0]
        self.regions = region_names(packages)
        self.codes = {country["iso"]: country["name"] for country in gazetteer.countries(packages)[0]}
        self.towns, self.lands = defaultdict(list), defaultdict(set)
        for city in self.cities:
            for name in {same(name) for name in [city["name"], *city["alternatenames"]]}:
                self.towns[name].append(city)
        self.locales = {language: Locale.parse(language) for language in LANGUAGES}
        for locale in self.locales.values():
            for code, name in locale.territories.items():
                self.lands[same(name)].add(code)
        self.areas = {same(name) for name in self.regions.values()}


def same(name):
    """A name as people compare it."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return clean("".join(" " if letter == "-" else letter for letter in plain if not unicodedata.combining(letter)))


def countries(chance, truth):
    drawn = [(language, code, name) for language, locale in truth.locales.items()
             for code, name in sorted(locale.territories.items())
             if code in truth.codes and truth.lands[same(name)] == {code}]
    for language, code, name in chance.sample(drawn, COUNTRIES):
        yield {"text": name, "kind": "country", "expected": code, "drawn": f"CLDR {language}"}


def alternates(chance, truth):
    """Other names of larger towns, as many of each script."""
    by_script = defaultdict(list)
    for city in truth.cities:
        for name in city["alternatenames"] if city["population"] >= LARGE else ():
            if is_drawable(name, truth):
                by_script[script(name)].append((name, city))
    scripts = sorted(key for key, found in by_script.items() if len(found) >= 200)
    for number in range(ALTERNATES):
        key = scripts[number % len(scripts)]
        name, _ = chance.choice(by_script[key])
        yield {"text": name, "kind": "town", "expected": largest(truth.towns[same(name)]), "drawn": f"alternate {key}"}


def is_drawable(name, truth):
    """Codes of three letters, and what countries and regions are called too, name more than a town."""
    return name and len(name) >= (2 if ord(name[0]) >= 0x2E80 else 4) and same(name) not in truth.lands \
        and same(name) not in truth.areas and len({city["geonameid"] for city in truth.towns[same(name)]}) > 0


def script(name):
    letter = next((letter for letter in name if letter.isalpha()), "a")
    return unicodedata.name(letter, "LATIN").split()[0].split("-")[0]


def largest(cities):
    return str(max(cities, key=lambda city: (city["population"], -city["geonameid"]))["geonameid"])


def qualified(chance, truth):
    """Towns with their region, written in several ways."""
    towns = [city for city in truth.cities
             if city["population"] >= MEDIUM and (city["countrycode"], city["admin1code"]) in truth.regions]
    for number, city in enumerate(chance.sample(towns, QUALIFIED)):
        country, code, name = city["countrycode"], city["admin1code"], city["name"]
        region, land = truth.regions[country, code], truth.codes[country]
        forms = [f"{name}, {region}", f"{name} {region}".lower(), f"{region} {name}", f"{name}, {region}, {land}",
                 f"{name.upper()}, {code if country == 'US' else land}"]
        inside = [other for other in truth.towns[same(name)] if other["countrycode"] == country
                  and (other["admin1code"] == code or number % 5 == 4 and country != "US")]
        yield {"text": forms[number % 5], "kind": "town", "expected": largest(inside), "drawn": "qualified"}


def words(chance, truth):
    """Words that name no place: months, weekdays, units, currencies."""
    found = set()
    for locale in truth.locales.values():
        found |= set(locale.months["stand-alone"]["wide"].values()) | set(locale.days["stand-alone"]["wide"].values())
        found |= {name for name in locale.currencies.values()}
        found |= {patterns.get("other", "").replace("{0}", "") for patterns in unit_patterns(locale)}
    names = sorted(name for name in map(clean, found)
                   if len(name) >= 4 and same(name) not in truth.towns and same(name) not in truth.lands)
    for name in chance.sample(names, WORDS):
        yield {"text": name, "kind": "none", "expected": "", "drawn": "word"}


def unit_patterns(locale):
    return [patterns["long"] for patterns in locale._data["unit_patterns"].values() if "long" in patterns]
