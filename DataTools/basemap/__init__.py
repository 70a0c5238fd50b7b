"""Data/map: what the web app draws its own map from: the world in two finenesses, and central Helsinki."""

from basemap import city, world
from basemap.geojson import write_lines


def build(packages, target):
    folder = target / "map"
    sets = [world.build(packages, folder), city.build(packages, folder)]
    write_lines(folder / "index.json", '{"sets":[', sets, "]}")
