"""Writes GeoJSON in few bytes: short numbers, no blanks, one feature on a line."""

import json
from pathlib import Path


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_lines(path: Path, head, rows, tail):
    """A JSON array with a row on each line, so that a change can be read in a diff."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = head + "\n" + ",\n".join(compact(row) for row in rows) + "\n" + tail + "\n"
    path.write_bytes(text.encode("utf-8"))


def write_features(path: Path, features):
    write_lines(path, '{"type":"FeatureCollection","features":[', features, "]}")


def write_rows(path: Path, rows):
    write_lines(path, "[", rows, "]")


def feature(kind, coordinates, properties=None):
    return {"type": "Feature", "properties": properties or {}, "geometry": {"type": kind, "coordinates": coordinates}}


def short(value, decimals):
    """A coordinate with at most so many decimals; a whole number without a point."""
    rounded = round(value, decimals)
    return int(rounded) if rounded == int(rounded) else rounded


def line(points, decimals):
    """Rounded (longitude, latitude) positions; neighbours that became the same are one."""
    found = []
    for longitude, latitude in points:
        position = [short(longitude, decimals), short(latitude, decimals)]
        if not found or found[-1] != position:
            found.append(position)
    return found


def ring(points, decimals):
    """A closed line, or None when rounding has left nothing of the area."""
    found = line(points, decimals)
    if found[0] != found[-1]:
        found.append(list(found[0]))
    return found if len(found) >= 4 and twice_area(found) != 0 else None


def twice_area(points):
    """Positive for a ring that turns to the left, as outer rings of GeoJSON do."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:]))


def contains(points, position):
    """Whether a position lies inside a closed ring: a ray to the east crosses it an odd number of times."""
    x, y = position
    crossings = 0
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            crossings += 1
    return crossings % 2 == 1
