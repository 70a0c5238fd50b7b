"""Data/map/world: land, borders, lakes, and the names of countries and towns."""

import gazetteer
from basemap import natural_earth
from basemap.cells import cells
from basemap.geojson import feature, ring, short, twice_area, write_features, write_rows
from basemap.labels import important_towns
from basemap.outlines import coasts_and_borders, polygons

# The coarse set is what a map of the whole world shows first; the fine one is fetched from FINE_ZOOM on.
COARSE_DECIMALS, FINE_DECIMALS, FINE_ZOOM, LAST_ZOOM = 2, 3, 5, 22
# The fine one is in cells of so many degrees: what a view needs of it is one file of at most 15 kB.
CELL_DEGREES = 15
# What is not to be seen at those zooms: lakes below this size, and steps of their shores below this length.
COARSE_LAKE_SQUARE_DEGREES, COARSE_LAKE_STEP_DEGREES = 0.4, 0.12
# Web Mercator ends here, and Antarctica with it.
SOUTHERN_END = -85.06
# In the order in which they are painted.
OUTLINES = [("land", "area"), ("lakes", "area"), ("borders", "line")]
ABOUT = {
    "name": "world",
    "title": "The world",
    "box": [-180, SOUTHERN_END, 180, 84],
    "attribution": "Natural Earth; GeoNames, CC BY 4.0",
    "links": {"Natural Earth": "https://www.naturalearthdata.com", "GeoNames, CC BY 4.0": "https://www.geonames.org"},
}


def build(packages, target):
    """Writes the files and gives the set's entry for index.json."""
    folder = target / "world"
    lakes = natural_earth.lakes(packages)
    large = [[thinned(shore) for shore in lake] for lake in lakes
             if abs(twice_area(lake[0])) / 2 >= COARSE_LAKE_SQUARE_DEGREES]
    painted = outlines(packages, "110", COARSE_DECIMALS, large)
    for name, _ in OUTLINES:
        write_features(folder / f"{name}.json", painted[name])
    fine = cells(outlines(packages, "50", FINE_DECIMALS, lakes).items(), CELL_DEGREES, FINE_DECIMALS)
    for name, features in fine.items():
        write_features(folder / "fine" / f"{name}.json", features)
    write_rows(folder / "countries.json", country_labels(packages))
    write_rows(folder / "towns.json", important_towns(packages))
    layers = [layer(name, kind, name, (0, FINE_ZOOM - 1)) for name, kind in OUTLINES]
    layers.append(layer("fine", "cells", "fine/{}", (FINE_ZOOM, LAST_ZOOM)) |
                  {"degrees": CELL_DEGREES, "cells": list(fine)})
    layers += [layer("countries", "label", "countries", (0, 7)), layer("towns", "label", "towns", (3, LAST_ZOOM))]
    return ABOUT | {"layers": layers}


def layer(name, kind, file_name, zoom):
    return {"name": name, "kind": kind, "file": f"world/{file_name}.json", "zoom": list(zoom)}


def outlines(packages, scale, decimals, lakes):
    """The features of each layer. Neighbours meet only once their points are rounded, so that comes first."""
    _, countries, _ = natural_earth.countries(packages, scale)
    rounded = [ring(clamped(outline), decimals) for rings in countries for outline in rings]
    coasts, borders = coasts_and_borders([[tuple(point) for point in outline] for outline in rounded if outline])
    return {"land": list(areas(polygons(coasts), decimals)), "lakes": list(areas(lakes, decimals)),
            "borders": [feature("LineString", border) for border in borders]}


def areas(polygons, decimals):
    """A feature for each polygon: the outer ring turns left and holes turn right, as GeoJSON has it."""
    for outlines in polygons:
        rings = [ring(clamped(outline), decimals) for outline in outlines]
        if rings[0] is not None:
            turned = [turning(one, left=index == 0) for index, one in enumerate(rings) if one is not None]
            yield feature("Polygon", turned)


def thinned(shore):
    """A ring without the points that are close to the one before."""
    found = shore[:1]
    for point in shore[1:-1]:
        if max(abs(point[0] - found[-1][0]), abs(point[1] - found[-1][1])) >= COARSE_LAKE_STEP_DEGREES:
            found.append(point)
    return found + shore[-1:]


def clamped(outline):
    return [(longitude, max(latitude, SOUTHERN_END)) for longitude, latitude in outline]


def turning(outline, left):
    return outline if (twice_area(outline) > 0) == left else outline[::-1]


def country_labels(packages):
    """[name, latitude, longitude, rank]: GeoNames' name where Natural Earth has the same code, most important first."""
    table, _, middles = natural_earth.countries(packages, "50")
    names = {country["iso"]: country["name"] for country in gazetteer.countries(packages)[0]}
    rows = [[names.get(code, own), short(middle[1], 2), short(middle[0], 2), int(rank)]
            for code, own, middle, rank in zip(table["iso_a2"], table["name"], middles, table["labelrank"])
            if code in names]
    return sorted(rows, key=lambda row: (row[3], row[0]))
