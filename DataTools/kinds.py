"""Data/kinds: words for kinds of places in many languages, signs for them, and what people write around them.

kind_words.tsv in this folder is Waymark's own list, written from what is known of OpenStreetMap's tags.
"""

import csv
from pathlib import Path

from tables import gzip_bytes, table_bytes

OWN_WORDS = Path(__file__).with_name("kind_words.tsv")
COLUMNS = ["kinds", "cuisine", "language", "words"]


def build(packages, target):
    folder = target / "kinds"
    folder.mkdir(parents=True, exist_ok=True)
    with OWN_WORDS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    refuse_bad(rows)
    (folder / "words.tsv.gz").write_bytes(gzip_bytes(table_bytes(COLUMNS, rows)))


def refuse_bad(rows):
    """Each row has words, and each kind one row for a language."""
    seen = set()
    for row in rows:
        words = row["words"].split("|")
        if not all(words) or len(set(words)) < len(words):
            raise ValueError(f"{row['kinds']} has an empty or a repeated word in {row['language']}")
        key = row["kinds"], row["cuisine"], row["language"]
        if key in seen:
            raise ValueError(f"{key} stands twice in {OWN_WORDS.name}")
        seen.add(key)
