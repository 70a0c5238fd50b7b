"""What Waymark's own importer makes of a file, its places and its map: services that live for that take it in and give
it back."""

import contextlib
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

DATASET = "imported"
WORLD = ["-90", "-180", "90", "180"]


def imported(programs: Path, name, content):
    """((id in the file, Place as JSON) for each place of a file, PMTiles archive of its map); `programs` is the folder
    with Waymark's."""
    with tempfile.TemporaryDirectory(prefix="waymark-import-") as folder:
        file = Path(folder) / name
        file.write_bytes(content)
        with running(programs, folder) as target:
            call(programs, target, "import", file, "--dataset", DATASET, "--max-bad", "0")
            found = [place for words in ([], ["--category", "address"]) for page in values(
                call(programs, target, "within", *WORLD, "--dataset", DATASET, *words, "--all", "--json"))
                for place in page["places"]]
        (archive,) = Path(folder).glob("data/**/*.pmtiles")
        tiles = archive.read_bytes()
    prefix = f"catalog/{DATASET}/"
    return [(place["id"].removeprefix(prefix), place) for place in found], tiles


@contextlib.contextmanager
def running(programs, folder):
    """All services of a system without any data; gives the address of its gateway."""
    command = [programs / "waymark", "up", "--data", f"{folder}/data", "--bundled", "none", "--port", "0",
               "--http-port", "0"]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True) as services:
        try:
            lines = (re.fullmatch(r"\s*gateway\s+(\S+)\s*", line) for line in services.stdout)
            address = next((found[1] for found in lines if found), None)
            if address is None:
                raise SystemExit("waymark up did not start; see above")
            yield address
        finally:
            services.terminate()


def call(programs, target, *words):
    command = [programs / "waymark", *words, "--target", target]
    return subprocess.run(command, env=environment(), stdout=subprocess.PIPE, text=True, check=True).stdout


def environment():
    """Without what the caller has set for a Waymark of their own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("WAYMARK_")}


def values(text):
    """The JSON values that stand one behind the other in a text."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        at += len(text[at:]) - len(text[at:].lstrip())
        yield value
