"""The towns whose names a map of the world shows: on the web the important ones of each square, at each zoom level, and
in pictures of half the world the most important ones of all.

In those a name matters by the people who live there, and by how far it is to a larger town: Reykjavik says more on a
map than a suburb of Tokyo that is ten times as large. So the rank goes by the product of that distance and the root of
the people. Distances beyond FAR_KM count no more than it, or islands would come first; a capital counts as one that far
away.
"""

import math

import numpy as np

import gazetteer
from basemap.rows import short

NUMBER, LARGEST, CELL_DEGREES, FAR_KM = 2_000, 4_000, 2, 700
EARTH_KM = 6_371.0088
MERCATOR = 85

# A square of the map is so many pixels wide, at zoom levels of tiles 256 pixels wide; the smallest town of one.
SQUARE, ZOOMS, LEAST = 80, range(3, 9), 1_000
# A capital counts as so many people more, so that a country is not known by its port.
CAPITAL = 2_000_000


def towns_of_squares(packages):
    """(town, zoom level from which on it is shown): the one with most people of each square of each zoom level, of
    those that have no name there already."""
    cities, _ = gazetteer.cities(packages)
    seats = capital_ids(cities, gazetteer.countries(packages)[0])

    def people(city):
        return city["population"] + (CAPITAL if city["geonameid"] in seats else 0)

    ordered = sorted((city for city in cities if abs(city["latitude"]) < MERCATOR and people(city) >= LEAST),
                     key=lambda city: (-people(city), city["geonameid"]))
    found, left = [], [(city, *place(city)) for city in ordered]
    for zoom in ZOOMS:
        cell, squares, rest = SQUARE / (256 << zoom), set(), []
        for city, x, y in left:
            square = (math.floor(x / cell), math.floor(y / cell))
            if square in squares:
                rest.append((city, x, y))
            else:
                squares.add(square)
                found.append((city, zoom))
        left = rest
    return found


def place(city):
    """Where it is on the map, in widths of the world."""
    sine = math.sin(math.radians(city["latitude"]))
    return city["longitude"] / 360 + 0.5, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)


def capital_ids(cities, countries):
    """Of several towns with the name of a capital in its country it is the one with most people."""
    names = {(country["iso"], country["capital"]) for country in countries}
    largest = {}
    for city in sorted(cities, key=lambda city: (city["population"], -city["geonameid"])):
        largest[city["countrycode"], city["name"]] = city["geonameid"]
    return {largest[name] for name in names if name in largest}


def important_towns(packages):
    """[name, latitude, longitude, rank], rank 1 first."""
    cities, _ = gazetteer.cities(packages)
    capitals = capital_ids(cities, gazetteer.countries(packages)[0])
    towns = candidates(cities, capitals)
    ranked = sorted(zip(towns, distances_to_larger(towns)), key=lambda entry: importance(*entry, capitals))
    return [[town["name"], short(town["latitude"], 3), short(town["longitude"], 3), rank]
            for rank, (town, _) in enumerate(ranked[:NUMBER], start=1)]


def candidates(cities, capitals):
    """The largest towns, the largest of each cell of the map, and the capitals; those with most people first."""
    ordered = sorted(cities, key=lambda city: (-city["population"], city["geonameid"]))
    taken, cells = [], set()
    for place, city in enumerate(ordered):
        cell = (math.floor(city["latitude"] / CELL_DEGREES), math.floor(city["longitude"] / CELL_DEGREES))
        if place < LARGEST or cell not in cells or is_capital(city, capitals):
            taken.append(city)
            cells.add(cell)
    return taken


def is_capital(city, capitals):
    return city["geonameid"] in capitals


def distances_to_larger(towns):
    """Whole kilometres from each town to the nearest one before it, so that the last bit of a sine decides nothing."""
    latitudes = np.radians([town["latitude"] for town in towns])
    longitudes = np.radians([town["longitude"] for town in towns])
    points = np.stack([np.cos(latitudes) * np.cos(longitudes), np.cos(latitudes) * np.sin(longitudes),
                       np.sin(latitudes)], axis=-1)
    chords = [np.linalg.norm(points[:index] - points[index], axis=-1).min() for index in range(1, len(towns))]
    return [FAR_KM] + [round(2 * EARTH_KM * math.asin(min(1.0, float(chord) / 2))) for chord in chords]


def importance(town, kilometres, capitals):
    """A key to sort by, the most important first."""
    distance = FAR_KM if is_capital(town, capitals) else min(kilometres, FAR_KM)
    return -distance * math.sqrt(town["population"]), town["geonameid"]
