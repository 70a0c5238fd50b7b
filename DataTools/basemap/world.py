"""Data/map/world.pmtiles: the lines of the world; and beside it the names of countries and towns.

Natural Earth's outlines are only unpacked here: Waymark's own program WorldMap makes land, coasts, borders and tiles of
them.
"""

import json
import subprocess
import tempfile
from pathlib import Path

import gazetteer
import pmtiles
from basemap import natural_earth
from basemap.labels import important_towns
from basemap.rows import short, write_rows
from tables import write_text

# Neighbours meet only once their points are rounded.
DECIMALS = 3
ABOUT = {
    "name": "world",
    "title": "The world",
    "attribution": "Natural Earth; GeoNames, CC BY 4.0",
    "links": {"Natural Earth": "https://www.naturalearthdata.com", "GeoNames, CC BY 4.0": "https://www.geonames.org"},
}


def build(packages, folder, programs):
    """Writes the files and gives the set's entry for index.json."""
    archive = folder / "world.pmtiles"
    with tempfile.TemporaryDirectory(prefix="waymark-world-") as temporary:
        outlines = Path(temporary) / "outlines.geojson"
        write_text(outlines, json.dumps(geojson(packages)))
        subprocess.run([programs / "WorldMap", outlines, archive], check=True)
    archive.chmod(0o644)
    write_rows(folder / "countries.json", country_labels(packages))
    write_rows(folder / "towns.json", important_towns(packages))
    # A tile is made to be drawn 512 pixels wide.
    tiles = pmtiles.about(archive.read_bytes()) | {"pixels": 512}
    return ABOUT | {"tiles": tiles, "labels": [labels("countries", 0, 7), labels("towns", 3, 13)]}


def labels(name, *zoom):
    return {"name": name, "file": f"{name}.json", "zoom": list(zoom)}


def geojson(packages):
    """All outlines of countries as one feature, each lake as another one."""
    _, countries, _ = natural_earth.countries(packages, "50")
    features = [feature("MultiLineString", "countries", [ring for rings in countries for ring in rings])]
    features += [feature("Polygon", "lakes", lake) for lake in natural_earth.lakes(packages)]
    return {"type": "FeatureCollection", "features": features}


def feature(kind, layer, rings):
    coordinates = [[[round(value, DECIMALS) for value in point] for point in ring] for ring in rings]
    return {"type": "Feature", "properties": {"layer": layer}, "geometry": {"type": kind, "coordinates": coordinates}}


def country_labels(packages):
    """[name, latitude, longitude, rank]: GeoNames' name where Natural Earth has the same code, most important first."""
    table, _, middles = natural_earth.countries(packages, "50")
    names = {country["iso"]: country["name"] for country in gazetteer.countries(packages)[0]}
    rows = [[names.get(code, own), short(middle[1], 2), short(middle[0], 2), int(rank)]
            for code, own, middle, rank in zip(table["iso_a2"], table["name"], middles, table["labelrank"])
            if code in names]
    return sorted(rows, key=lambda row: (row[3], row[0]))
