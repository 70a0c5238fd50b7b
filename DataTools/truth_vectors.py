"""Writes the truth vectors of the radius search: brute force with numpy, knowing nothing of the Swift code.

A query is drawn again when rounding in some other, equally right program could change its answer.
"""

import argparse
from decimal import Decimal
from pathlib import Path

from truth_points import HALF, QUARTER, answer, check_formula
from truth_shapes import Draw, antipodes, city, edges, few, none, world

FILES = [("city-1", city, 600), ("city-2", city, 600), ("edges-1", edges, 500), ("edges-2", edges, 500),
         ("world-1", world, 330), ("world-2", world, 330), ("antipodes", antipodes, 200), ("one-point", few, 40),
         ("no-points", none, 10)]


def written(units, more=0):
    """Degrees as decimal text; `more` are further digits of 1e-10 degrees that rounding takes away again."""
    text = f"{Decimal(units * 1000 + more).scaleb(-10):f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def metres_text(metres):
    """Eight digits or more, at most seven decimals: finer than 1e-7 of the value."""
    digits = len(str(int(metres)))
    return f"{metres:.{max(1, min(7, 8 - digits))}f}"


def point_line(points):
    rows = [f'["{identifier}",{written(int(latitude))},{written(int(longitude))}]'
            for identifier, latitude, longitude in zip(points.ids, points.latitudes, points.longitudes)]
    return '{"points":[' + ",".join(rows) + "]}"


def query_line(draw, query, result):
    latitude, longitude, radius, limit = query
    inner = abs(latitude) < QUARTER and -HALF < longitude < HALF
    more = draw.whole(-400, 400) if inner and radius > 0 and draw.one_in(4) else 0
    count, ids, distances = result
    return (f'{{"lat":{written(latitude, more)},"lon":{written(longitude, more)},"radius_m":{radius},"limit":{limit},'
            f'"count":{count},"ids":[' + ",".join(f'"{identifier}"' for identifier in ids)
            + '],"distances_m":[' + ",".join(metres_text(distance) for distance in distances) + "]}")


def file_text(stream, make, number):
    draw = Draw(stream)
    points, next_query = make(draw)
    check_formula(points)
    lines = [point_line(points)]
    while len(lines) <= number:
        query = next_query()
        result = answer(points, *query)
        if result is not None:
            lines.append(query_line(draw, query, result))
    return "\n".join(lines) + "\n"


def write(folder: Path):
    folder.mkdir(parents=True, exist_ok=True)
    for stream, (name, make, number) in enumerate(FILES):
        (folder / f"{name}.jsonl").write_bytes(file_text(stream, make, number).encode("utf-8"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes the truth vectors of the radius search.")
    parser.add_argument("folder", type=Path)
    write(parser.parse_args().folder)
