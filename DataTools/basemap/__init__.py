"""Data/map: what the web app draws its own map from: the lines of the world, and central Helsinki, whose archive of
tiles comes from the import of its places."""

import shutil
from pathlib import Path

import pmtiles
from basemap import world
from basemap.rows import write_lines

HELSINKI = {
    "name": "helsinki",
    "title": "Central Helsinki",
    "attribution": "© OpenStreetMap contributors",
    "links": {"© OpenStreetMap contributors": "https://www.openstreetmap.org/copyright"},
}


def build(packages, target, programs):
    folder = target / "map"
    tiles = pmtiles.about((folder / "helsinki.pmtiles").read_bytes())
    sets = [world.build(packages, folder, programs), HELSINKI | {"tiles": tiles}]
    # How it is drawn, and what things are called in tiles of others; written by hand, for the web and for pictures of
    # the map alike.
    for name in ["styles.json", "schema.json"]:
        shutil.copyfile(Path(__file__).with_name(name), folder / name)
    write_lines(folder / "index.json", '{"sets":[', sets, "]}")
