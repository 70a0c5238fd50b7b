"""The towns whose names a map of the world shows.

A name matters by the people who live there, and by how far it is to a larger town: Reykjavik says more on a map than a
suburb of Tokyo that is ten times as large. So the rank goes by the product of that distance and the root of the people.
Distances beyond FAR_KM count no more than it, or islands would come first; a capital counts as one that far away.
"""

import math

import numpy as np

import gazetteer
from basemap.rows import short

NUMBER, LARGEST, CELL_DEGREES, FAR_KM = 2_000, 4_000, 2, 700
EARTH_KM = 6_371.0088


def important_towns(packages):
    """[name, latitude, longitude, rank], rank 1 first."""
    capitals = {(country["iso"], country["capital"]) for country in gazetteer.countries(packages)[0]}
    towns = candidates(gazetteer.cities(packages)[0], capitals)
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
    return (city["countrycode"], city["name"]) in capitals


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
