"""Data/streets: how the words of streets are shortened in many languages, for finding addresses however they are written.

street_words.tsv in this folder is Waymark's own list. A word that is short for several stands for all of them.
"""

import csv
from pathlib import Path

import folding
from tables import gzip_bytes, table_bytes

OWN_WORDS = Path(__file__).with_name("street_words.tsv")
COLUMNS = ["kind", "short", "long"]


def build(packages, target):
    folder = target / "streets"
    folder.mkdir(parents=True, exist_ok=True)
    with OWN_WORDS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    refuse_doubles(rows)
    (folder / "words.tsv.gz").write_bytes(gzip_bytes(table_bytes(COLUMNS, rows)))


def refuse_doubles(rows):
    """Each long form has one short one, and all are folded, as they are looked up."""
    seen = set()
    for row in rows:
        for word in [row["short"], *row["long"].split("|")]:
            if not word or word != folding.folded(word):
                raise ValueError(f"{word!r} of {OWN_WORDS.name} is not folded")
        for word in row["long"].split("|"):
            if (row["kind"], word) in seen:
                raise ValueError(f"{word} stands twice in {OWN_WORDS.name}")
            seen.add((row["kind"], word))
