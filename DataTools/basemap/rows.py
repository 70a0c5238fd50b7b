"""Writes JSON in few bytes: short numbers, no blanks, one row on a line."""

import json
from pathlib import Path


def write_lines(path: Path, head, rows, tail):
    """A JSON array with a row on each line, so that a change can be read in a diff."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    path.write_bytes((head + "\n" + ",\n".join(lines) + "\n" + tail + "\n").encode("utf-8"))


def write_rows(path: Path, rows):
    write_lines(path, "[", rows, "]")


def short(value, decimals):
    """A coordinate with at most so many decimals; a whole number without a point."""
    rounded = round(value, decimals)
    return int(rounded) if rounded == int(rounded) else rounded
