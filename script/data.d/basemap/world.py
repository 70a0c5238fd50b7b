"""Data/map/world: land, borders, lakes, and the names of countries and towns."""

import gazetteer
from basemap import natural_earth
from basemap.geojson import feature, ring, short, twice_area, write_features, write_rows
from basemap.labels import important_towns
from basemap.outlines import coasts_and_borders, polygons

# The coarse set is what a map of the whole world shows first; the fine one is fetched from FINE_ZOOM on.
COARSE_DECIMALS, FINE_DECIMALS, FINE_ZOOM, LAST_ZOOM = 2, 3, 5, 22
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
    coarse, fine = (0, FINE_ZOOM - 1), (FINE_ZOOM, LAST_ZOOM)
    lakes = natural_earth.lakes(packages)
    large = [[thinned(shore) for shore in lake] for lake in lakes
             if abs(twice_area(lake[0])) / 2 >= COARSE_LAKE_SQUARE_DEGREES]
    write_outlines(packages, folder, "110", "", COARSE_DECIMALS)
    write_outlines(packages, folder, "50", "-fine", FINE_DECIMALS)
    write_features(folder / "lakes.json", areas(large, COARSE_DECIMALS))
    write_features(folder / "lakes-fine.json", areas(lakes, FINE_DECIMALS))
    write_rows(folder / "countries.json", country_labels(packages))
    write_rows(folder / "towns.json", important_towns(packages))
    layers = [layer(name, kind, f"{name}{end}", zoom) for name, kind in OUTLINES
              for end, zoom in (("", coarse), ("-fine", fine))]
    layers += [layer("countries", "label", "countries", (0, 7)), layer("towns", "label", "towns", (3, LAST_ZOOM))]
    return ABOUT | {"layers": layers}


def layer(name, kind, file_name, zoom):
    return {"name": name, "kind": kind, "file": f"world/{file_name}.json", "zoom": list(zoom)}


def write_outlines(packages, folder, scale, end, decimals):
    """Neighbours meet only once their points are rounded, so that comes first."""
    _, countries, _ = natural_earth.countries(packages, scale)
    rounded = [ring(clamped(outline), decimals) for rings in countries for outline in rings]
    coasts, borders = coasts_and_borders([[tuple(point) for point in outline] for outline in rounded if outline])
    write_features(folder / f"land{end}.json", areas(polygons(coasts), decimals))
    write_features(folder / f"borders{end}.json", [feature("LineString", border) for border in borders])


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
