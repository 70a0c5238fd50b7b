"""Writes the bundled tables: tab-separated, no quoting, always the same bytes for the same rows."""

import gzip
import io
import json
import re
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

CORE_COLUMNS = ["id", "name", "categories", "lat", "lon"]
_BLANKS = re.compile(r"\s+")


def clean(text):
    """One line of text: every run of blanks, tabs and line ends becomes a single space."""
    return _BLANKS.sub(" ", str(text)).strip()


def degrees(value):
    """A coordinate as text with at most seven decimals and no trailing zeros.

    The decimal text of the source decides, so no binary rounding enters here.
    """
    rounded = Decimal(str(value)).quantize(Decimal("1e-7"), ROUND_HALF_EVEN)
    text = f"{rounded:f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def table_bytes(columns, rows):
    """The header line and one line for each row, UTF-8 with LF ends."""
    out = io.StringIO()
    out.write("\t".join(columns) + "\n")
    for row in rows:
        out.write("\t".join(clean(row.get(column, "")) for column in columns) + "\n")
    return out.getvalue().encode("utf-8")


def gzip_bytes(plain):
    """Like `gzip -n -9`: no file name and no time inside."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=out, mtime=0) as packed:
        packed.write(plain)
    return out.getvalue()


def write_dataset(folder: Path, file_name, extra_columns, rows, about):
    """Writes a dataset's table and the dataset.json that describes it."""
    refuse_bad_rows(file_name, rows)
    columns = CORE_COLUMNS + extra_columns
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file_name).write_bytes(gzip_bytes(table_bytes(columns, rows)))
    order = ["name", "title", "attribution", "licence", "source", "version"]
    described = {key: about[key] for key in order}
    described |= {"file": file_name, "rows": len(rows), "network": "catalog"}
    write_text(folder / "dataset.json", json.dumps(described, ensure_ascii=False, indent=2) + "\n")


def write_text(path: Path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def refuse_bad_rows(file_name, rows):
    """A row that an importer would have to refuse must not get into a bundled file."""
    seen = set()
    for row in rows:
        identifier = row["id"]
        if not identifier or identifier in seen:
            raise SystemExit(f"{file_name}: id {identifier!r} is empty or there twice")
        seen.add(identifier)
        if not clean(row["name"]) or not row["categories"]:
            raise SystemExit(f"{file_name}: {identifier} has no name or no category")
        if not (abs(float(row["lat"])) <= 90 and abs(float(row["lon"])) <= 180):
            raise SystemExit(f"{file_name}: {identifier} lies outside the world")
