#!/usr/bin/env python3
"""The right answers by brute force: haversine over every point, nearest first, ties by id.

    oracle.py DATADIR COUNT      one line a query on standard output: id:distance_m id:distance_m ...

Mean sphere, R = 6371008.8 m. A point is inside when its distance is at most the radius and a micrometre.
"""
import sys
from pathlib import Path

import numpy as np

EARTH_RADIUS_M = 6371008.8


def columns(path, names):
    with open(path, encoding="utf-8") as file:
        header = file.readline().rstrip("\n").split("\t")
        wanted = [header.index(name) for name in names]
        rows = [line.rstrip("\n").split("\t") for line in file]
    return [np.array([float(row[i]) for row in rows]) for i in wanted]


def main():
    data, count = Path(sys.argv[1]), int(sys.argv[2])
    ids, lat, lon = columns(data / "points.tsv", ["id", "lat", "lon"])
    lat, lon, cos_lat = np.radians(lat), np.radians(lon), np.cos(np.radians(lat))
    queries = columns(data / "queries.tsv", ["lat", "lon", "radius_m", "limit"])
    for q_lat, q_lon, radius, limit in list(zip(*queries))[:count]:
        q_lat, q_lon = np.radians(q_lat), np.radians(q_lon)
        h = np.sin((lat - q_lat) / 2) ** 2 + cos_lat * np.cos(q_lat) * np.sin((lon - q_lon) / 2) ** 2
        distance = 2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.minimum(1, h)))
        inside = np.nonzero(distance <= radius + 1e-6)[0]
        nearest = inside[np.lexsort((ids[inside], distance[inside]))][: int(limit)]
        print(" ".join(f"{int(ids[i])}:{distance[i]:.4f}" for i in nearest))


main()
