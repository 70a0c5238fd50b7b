"""What an extract says itself: its areas, made whole by osmium and not by us, and which of them hold a point."""
import collections
import json
import math
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "driver"))
from osm_reading import Extract  # noqa: E402

# Levels of municipalities, and what is one by how it is drawn.
MUNICIPAL, TOWNS = {"6", "7", "8"}, {"city", "town", "village", "municipality", "hamlet"}
METRES = 111_195
CELL = 0.005
Area = collections.namedtuple("Area", "name tags box polygons")


class Region:
    """An extract of OpenStreetMap, sorted as Nominatim needs it."""

    def __init__(self, path, folder):
        self.name = path.name.split(".")[0]
        self.sorted = folder / f"{self.name}.osm.pbf"
        osmium("sort", path, "-o", self.sorted)
        self.extract = Extract(self.sorted)
        borders = folder / f"{self.name}-borders.osm.pbf"
        osmium("tags-filter", self.sorted, "r/boundary=administrative", "-o", borders)
        self.areas = [area(feature) for feature in exported(self.sorted, "polygon")
                      if {"boundary", "place"} & feature["properties"].keys() and "name" in feature["properties"]]
        self.steps = [step for feature in exported(borders, "linestring", "-n", "-c", NOTHING_IS_AN_AREA)
                      for step in zip(feature["geometry"]["coordinates"], feature["geometry"]["coordinates"][1:])]
        points = self.extract.points.values()
        self.cells = sorted({(math.floor(north / CELL), math.floor(east / CELL)) for north, east in points})
        self.known = set(self.cells)

    def middle(self):
        points = sorted(points[0] for _, tags, points in self.extract.things if "name" in tags)
        east = sorted(point[1] for point in points)
        return points[len(points) // 2][0], east[len(east) // 2]

    def box(self):
        """South, west, north and east of nearly all that has a name."""
        points = [points[0] for _, tags, points in self.extract.things if "name" in tags]
        north, east = (sorted(point[axis] for point in points) for axis in (0, 1))
        cut = len(points) // 100
        return north[cut], east[cut], north[-1 - cut], east[-1 - cut]

    def points(self, count, chance):
        """Half anywhere in a cell of the extract, half at most two kilometres from a border in it."""
        found = []
        while len(found) < count // 2:
            north, east = chance.choice(self.cells)
            found.append(((north + chance.random()) * CELL, (east + chance.random()) * CELL))
        lengths = [math.dist(*step) for step in self.steps]
        while len(found) < count:
            ((east, north), (east2, north2)), = chance.choices(self.steps, lengths)
            along, turn, away = chance.random(), chance.uniform(0, math.tau), 2000 * math.sqrt(chance.random())
            latitude = north + along * (north2 - north) + away * math.sin(turn) / METRES
            longitude = east + along * (east2 - east) + away * math.cos(turn) / METRES / math.cos(math.radians(north))
            if (math.floor(latitude / CELL), math.floor(longitude / CELL)) in self.known:
                found.append((latitude, longitude))
        return found

    def holding(self, point):
        return [area for area in self.areas if holds(area, point)]

    def municipalities(self, point):
        return [area for area in self.holding(point) if area.tags.get("admin_level") in MUNICIPAL
                or area.tags.get("place") in TOWNS]

    def cut(self, level):
        """Names of relations of a level that no area was made of: the extract has a part of them."""
        whole = {area.name for area in self.areas}
        return {name for _, tags in self.extract.relations for name in names(tags)
                if tags.get("boundary") == "administrative" and tags.get("admin_level") == level
                and tags.get("name") not in whole}


def names(tags):
    return {value for key, value in tags.items() if key.split(":")[0] in ("name", "alt_name", "official_name")
            or key == "int_name"}


def area(feature):
    shape, tags = feature["geometry"], feature["properties"]
    polygons = shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
    east, north = zip(*(point for polygon in polygons for point in polygon[0]))
    return Area(tags["name"], tags, (min(north), min(east), max(north), max(east)), polygons)


def holds(area, point):
    south, west, north, east = area.box
    if not (south <= point[0] <= north and west <= point[1] <= east):
        return False
    return any(winds(polygon[0], point) and not any(winds(hole, point) for hole in polygon[1:])
               for polygon in area.polygons)


def winds(ring, point):
    """Whether the ring goes around the point, by the sum of the angles that it is seen under: another formula than
    ours, which counts crossings."""
    north, east = point
    turned, before = 0, math.atan2(ring[0][1] - north, ring[0][0] - east)
    for longitude, latitude in ring[1:]:
        now = math.atan2(latitude - north, longitude - east)
        turned += (now - before + math.pi) % math.tau - math.pi
        before = now
    return abs(turned) > math.pi


def osmium(*words):
    subprocess.run(["osmium", *map(str, words), "--overwrite", "--no-progress"], check=True, stderr=subprocess.PIPE)


NOTHING_IS_AN_AREA = {"linear_tags": True, "area_tags": False}


def exported(path, kind, *words):
    """The features of a file, as osmium makes them."""
    words = list(words)
    for index, word in enumerate(words):
        if isinstance(word, dict):
            words[index] = path.with_suffix(".json")
            words[index].write_text(json.dumps(word))
    done = subprocess.run(["osmium", "export", path, "-f", "geojsonseq", f"--geometry-types={kind}", "-x",
                           "print_record_separator=false", "--no-progress", *words], check=True, capture_output=True)
    return [json.loads(line) for line in done.stdout.splitlines()]
