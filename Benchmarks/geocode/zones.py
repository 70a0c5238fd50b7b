"""Prints the country of each point of its input by its zone of time, in lower case, or nothing. The borders of zones
are those of OpenStreetMap, and no extract cuts them. Run with the peer's Python, which has timezonefinder."""
import importlib.resources
import sys

from timezonefinder import TimezoneFinder

TABLE = importlib.resources.files("tzdata").joinpath("zoneinfo/zone.tab").read_text()
COUNTRIES = {row[2]: row[0].lower() for row in (line.split("\t") for line in TABLE.splitlines() if line[0] != "#")}

finder = TimezoneFinder()
for line in sys.stdin:
    latitude, longitude = map(float, line.split(","))
    print(COUNTRIES.get(finder.timezone_at(lat=latitude, lng=longitude) or "", ""))
