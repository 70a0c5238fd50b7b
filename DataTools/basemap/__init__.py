"""Data/map: what the web app draws its own map from: the world in two finenesses, and central Helsinki."""

import shutil
from pathlib import Path

from basemap import city, world
from basemap.geojson import write_lines


def build(packages, target):
    folder = target / "map"
    sets = [world.build(packages, folder), city.build(packages, folder)]
    # How it is drawn; written by hand, for the web and for pictures of the map alike.
    shutil.copyfile(Path(__file__).with_name("styles.json"), folder / "styles.json")
    write_lines(folder / "index.json", '{"sets":[', sets, "]}")
