"""The list of postcards, cards.tsv, joined with the positions of the bundled places."""

import csv
import gzip
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

TABLES = {"helsinki": "helsinki/places.tsv.gz", "towns": "towns/towns.tsv.gz", "airports": "airports/airports.tsv.gz"}


@dataclass(frozen=True)
class Card:
    """`file` is the path below Data/postcards; `orientation` is EXIF's number of how the pixels are turned."""

    file: str
    title: str
    where: str
    scene: str
    light: str
    latitude: float
    longitude: float
    taken: datetime
    orientation: int
    has_thumbnail: bool
    has_baggage: bool


def cards(data: Path):
    with open(Path(__file__).with_name("cards.tsv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    wanted = {(row["set"], row["id"]) for row in rows}
    places = {key: place for name in TABLES for key, place in entries(data, name) if key in wanted}
    return [card(row, places) for row in rows]


def entries(data, name):
    with gzip.open(data / TABLES[name], "rt", encoding="utf-8", newline="") as file:
        for place in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield (name, place["id"]), place


def card(row, places):
    """A card stands where its place is: the id must be there, and must still have the name that it was chosen for."""
    place = places.get((row["set"], row["id"]))
    if place is None or place["name"] != row["name"]:
        raise SystemExit(f"cards.tsv: {row['set']} has no {row['id']} named {row['name']!r}")
    extras = row["extras"].split(";")
    turned = [int(extra.removeprefix("turned-")) for extra in extras if extra.startswith("turned-")]
    return Card(row["file"], row["title"], row["where"], row["scene"], row["light"], float(place["lat"]),
                float(place["lon"]), datetime.fromisoformat(row["taken"]), turned[0] if turned else 1,
                "thumbnail" in extras, "baggage" in extras)
