"""Data/airports: airports and landing strips of the world, by PyPI's airportsdata."""

import csv
import io
import zipfile
from decimal import Decimal

from tables import clean, degrees, write_dataset

METRES_PER_FOOT = Decimal("0.3048")
COLUMNS = ["iata", "icao", "city", "subdivision", "country", "elevation_m", "timezone"]
ABOUT = {
    "name": "airports",
    "title": "Airports of the world",
    "attribution": "airportsdata by Mike Borsetti, MIT",
    "licence": "MIT",
    "source": "https://github.com/mborsetti/airportsdata, PyPI airportsdata",
}


def build(packages, target):
    archive, version = packages.archive("airportsdata")
    with zipfile.ZipFile(archive) as wheel:
        table = csv.DictReader(io.StringIO(wheel.read("airportsdata/airports.csv").decode("utf-8")))
        rows = sorted((airport(entry) for entry in table), key=lambda row: row["id"])
        licence = next(name for name in wheel.namelist() if name.endswith("/LICENSE"))
        text = wheel.read(licence).decode("utf-8").replace("\r\n", "\n")
    write_dataset(target / "airports", "airports.tsv.gz", COLUMNS, rows, ABOUT | {"version": f"airportsdata {version}"})
    (target / "airports" / "LICENSE").write_bytes(text.encode("utf-8"))


def airport(entry):
    """The id is the ICAO code, else the code of the country's own list; a strip without a name has its id."""
    identifier = clean(entry["icao"] or entry["lid"])
    return {"id": identifier, "name": clean(entry["name"]) or identifier, "categories": "airport",
            "lat": degrees(entry["lat"]), "lon": degrees(entry["lon"]),
            "iata": entry["iata"], "icao": entry["icao"], "city": entry["city"], "subdivision": entry["subd"],
            "country": entry["country"], "elevation_m": metres(entry["elevation"]), "timezone": entry["tz"]}


def metres(feet):
    """Whole metres; airportsdata gives feet."""
    return str(round(Decimal(feet) * METRES_PER_FOOT)) if feet.strip() else ""
