#!/usr/bin/env python3
"""Writes the points and the queries that every nearby benchmark uses, ours and the peers'.

    make.py CITIES.csv OUTDIR

points.tsv   id name categories lat lon          one million places, clustered like a world of cities
queries.tsv  id lat lon radius_m limit           ten thousand searches, most of them where places are

The same bytes come out on every machine: the seed is fixed, and every factor that goes through a
function whose last bit differs between processors (cos, exp) is rounded before it is used.
Coordinates are whole multiples of 1e-7 degree, and all ids have seven digits, so that ties sort
alike whether an engine compares ids as numbers or as text.
"""
import csv
import sys
from pathlib import Path

import numpy as np

SEED = 20240611
POINTS = 1_000_000
QUERIES = 10_000
FIRST_ID = 1_000_000
RADIUS_M = 1000
LIMIT = 50
KM_PER_DEGREE = 111.195

CATEGORIES = {
    "restaurant": 20, "shop": 22, "cafe": 14, "parking": 11, "school": 8, "bar": 7,
    "bank": 5, "hotel": 4, "pharmacy": 4, "fuel": 2.5, "museum": 1.5, "hospital": 1,
}
WORDS = [
    "Blue", "Old", "Grand", "Corner", "Royal", "Green", "Café", "Nord", "Sun", "Zürich",
    "Little", "Garden", "Señor", "Lucky", "Central", "Market", "Stone", "Harbour", "Łódź", "Golden",
]


def read_cities(path):
    """Names, latitudes and longitudes of the cities that are not next to a pole."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if abs(float(r["lat"])) < 80]
    names = [r["name"].replace("\t", " ")[:16] for r in rows]
    return names, np.array([float(r["lat"]) for r in rows]), np.array([float(r["lon"]) for r in rows])


def scatter(rng, lat, lon, sigma_km):
    """Moves each position by a normal distance and gives it in units of 1e-7 degree."""
    per_degree_east = KM_PER_DEGREE * np.round(np.cos(np.radians(lat)), 6)
    north = lat + rng.normal(0, 1, len(lat)) * sigma_km / KM_PER_DEGREE
    east = lon + rng.normal(0, 1, len(lat)) * sigma_km / per_degree_east
    east = (east + 180) % 360 - 180
    return np.rint(np.clip(north, -89.9, 89.9) * 1e7).astype(np.int64), np.rint(east * 1e7).astype(np.int64)


def place_points(rng, lat, lon):
    """95 % around four thousand cities by a power law, the rest thinly around all cities."""
    count = 4000
    large = rng.permutation(len(lat))[:count]
    share = np.round(np.arange(1, count + 1) ** -0.8, 12)
    share /= share.sum()
    urban = POINTS * 95 // 100
    # A bigger city spreads further, but less than its number of places grows.
    spread = np.round(0.36 * (share * urban / 60) ** 0.36 * rng.lognormal(0, 0.4, count), 6).clip(0.5, 8)
    pick = rng.choice(count, urban, p=share)
    rural = rng.integers(0, len(lat), POINTS - urban)
    city = np.concatenate([large[pick], rural])
    sigma = np.concatenate([spread[pick], rng.uniform(0.5, 8, POINTS - urban)])
    north, east = scatter(rng, lat[city], lon[city], sigma)
    # Malls and towers: some places stand exactly where another one does.
    copies = rng.choice(POINTS, POINTS // 200, replace=False)
    originals = rng.integers(0, POINTS, len(copies))
    north[copies], east[copies], city[copies] = north[originals], east[originals], city[originals]
    order = rng.permutation(POINTS)
    return north[order], east[order], city[order]


def write_points(rng, path, names, city, north, east):
    weight = np.array(list(CATEGORIES.values()))
    category = rng.choice(list(CATEGORIES), POINTS, p=weight / weight.sum())
    word = rng.integers(0, len(WORDS), POINTS)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("id\tname\tcategories\tlat\tlon\n")
        for i in range(POINTS):
            name = f"{WORDS[word[i]]} {category[i].capitalize()} {names[city[i]]}"
            file.write(f"{FIRST_ID + i}\t{name}\t{category[i]}\t{north[i] / 1e7:.7f}\t{east[i] / 1e7:.7f}\n")


def write_queries(rng, path, north, east, lat, lon):
    """Centres near a random place; one in 33 near any city, where little may be found."""
    near = rng.integers(0, POINTS, QUERIES)
    anywhere = rng.random(QUERIES) < 0.03
    city = rng.integers(0, len(lat), QUERIES)
    centre_lat = np.where(anywhere, lat[city], north[near] / 1e7)
    centre_lon = np.where(anywhere, lon[city], east[near] / 1e7)
    north, east = scatter(rng, centre_lat, centre_lon, np.where(anywhere, 3.0, 0.3))
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("id\tlat\tlon\tradius_m\tlimit\n")
        for i in range(QUERIES):
            file.write(f"{i + 1}\t{north[i] / 1e7:.7f}\t{east[i] / 1e7:.7f}\t{RADIUS_M}\t{LIMIT}\n")


def main():
    cities, out = sys.argv[1], Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    rng = np.random.Generator(np.random.PCG64(SEED))
    names, lat, lon = read_cities(cities)
    north, east, city = place_points(rng, lat, lon)
    write_points(rng, out / "points.tsv", names, city, north, east)
    write_queries(rng, out / "queries.tsv", north, east, lat, lon)


main()
