"""Data/map/world.pmtiles: the lines of the world; and beside it the names of countries and towns.

Shores of GSHHG and outlines of Natural Earth are only unpacked here: Waymark's own program WorldMap makes land, coasts,
borders and tiles of them.
"""

import json
import math
import subprocess
import tempfile
from pathlib import Path

import gazetteer
import pmtiles
from basemap import gshhg, natural_earth, outlines
from basemap.labels import important_towns, towns_of_squares
from basemap.rows import short, write_rows
from tables import write_text

# Of towns.
DECIMALS = 3
ABOUT = {
    "name": "world",
    "title": "The world",
    "attribution": "Natural Earth; GSHHG; GeoNames, CC BY 4.0",
    "links": {"Natural Earth": "https://www.naturalearthdata.com",
              "GSHHG": "https://www.soest.hawaii.edu/pwessel/gshhg/",
              "GeoNames, CC BY 4.0": "https://www.geonames.org"},
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
    pictures = labels("towns", 0, 5) | {"isOfPictures": True}
    return ABOUT | {"tiles": tiles, "labels": [labels("countries", 0, 7), pictures]}


def labels(name, *zoom):
    return {"name": name, "file": f"{name}.json", "zoom": list(zoom)}


def geojson(packages):
    """All shores of the sea as one feature, outlines of countries and lines of regions as others; and each lake and
    each town."""
    features = [feature("MultiLineString", "land", gshhg.land(packages)),
                feature("MultiLineString", "countries", outlines.countries(packages)),
                feature("MultiLineString", "regions", outlines.regions(packages))]
    features += [feature("Polygon", "lakes", lake) for lake in gshhg.lakes(packages)]
    features += [town(*found) for found in towns_of_squares(packages)]
    return {"type": "FeatureCollection", "features": features}


def rounded(point):
    return [round(value, DECIMALS) for value in point]


def feature(kind, layer, rings):
    coordinates = [[list(point) for point in ring] for ring in rings]
    return {"type": "Feature", "properties": {"layer": layer}, "geometry": {"type": kind, "coordinates": coordinates}}


def town(city, zoom):
    """One line of one point, so that all features have one form. Its people are rounded: it is for the order."""
    step = 10 ** max(0, int(math.log10(max(1, city["population"]))) - 1)
    about = {"layer": "towns", "name": city["name"], "population": city["population"] // step * step, "from": zoom}
    position = rounded((city["longitude"], city["latitude"]))
    return {"type": "Feature", "properties": about,
            "geometry": {"type": "MultiLineString", "coordinates": [[position]]}}


def country_labels(packages):
    """[name, latitude, longitude, rank, code]: GeoNames' name where Natural Earth has the same code, most important
    first."""
    table, _, middles = natural_earth.countries(packages, "50")
    names = {country["iso"]: country["name"] for country in gazetteer.countries(packages)[0]}
    rows = [[names.get(code, own), short(middle[1], 2), short(middle[0], 2), int(rank), code]
            for code, own, middle, rank in zip(table["iso_a2"], table["name"], middles, table["labelrank"])
            if code in names]
    return sorted(rows, key=lambda row: (row[3], row[0]))
