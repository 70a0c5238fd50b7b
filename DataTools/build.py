"""Makes the bundled data and the truth vectors, or compares the committed ones with freshly made ones."""

import argparse
import gzip
import sys
import tempfile
from pathlib import Path

import airports
import basemap
import geocode_truth
import helsinki
import hours
import kinds
import names
import postcards
import regions
import streets
import towns
import truth_vectors
from packages import Packages

DATA = Path("Data")
VECTORS = Path("Tests/GeoTests/Vectors")
TEXTS = Path("Tests/PlacesServiceTests/Vectors")
# What is made here and nowhere else, to find what is left over of it.
KEPT = [(DATA, "*/*.tsv*"), (DATA, "postcards/*/*"), (DATA, "map/*.json"), (DATA, "map/*.pmtiles"), (VECTORS, "*.jsonl"),
        (TEXTS, "*.tsv")]


def make(packages, programs, root):
    # The postcards stand where the places of the tables are, so they come after them.
    announce(helsinki)
    helsinki.build(packages, root / DATA, programs)
    for part in (airports, regions, towns, names, streets, kinds, hours, postcards):
        announce(part)
        part.build(packages, root / DATA)
    announce(basemap)
    basemap.build(packages, root / DATA, programs)
    print(f"making {VECTORS}", file=sys.stderr, flush=True)
    truth_vectors.write(root / VECTORS)
    print(f"making {TEXTS}", file=sys.stderr, flush=True)
    geocode_truth.write(packages, root / TEXTS)


def announce(part):
    print(f"making {DATA}: {part.__name__}", file=sys.stderr, flush=True)


def check(packages, programs, root):
    """How many files differ; each is named. Files that are not generated are ignored, left-over data is not."""
    with tempfile.TemporaryDirectory(prefix="waymark-data-") as temporary:
        fresh = Path(temporary)
        make(packages, programs, fresh)
        made = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
        kept = {path.relative_to(root) for folder, pattern in KEPT for path in (root / folder).glob(pattern)}
        faults = [fault for name in sorted(made | kept) if (fault := difference(name, fresh, root))]
    for fault in faults:
        print(fault)
    print(f"{len(faults)} files differ" if faults else f"all {len(made)} files are as committed")
    return len(faults)


def difference(name, fresh, root):
    """A sentence when the committed file isn't the fresh one; what is packed counts, not zlib's version."""
    if not (root / name).is_file():
        return f"{name} is missing"
    if not (fresh / name).is_file():
        return f"{name} is not made by script/data"
    return None if plain(fresh / name) == plain(root / name) else f"{name} differs"


def plain(path):
    """A file's bytes, unpacked; damaged gzip counts as it stands, and so as different."""
    data = path.read_bytes()
    try:
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except (OSError, EOFError):
        return data


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, required=True, help="folder with the downloaded archives")
    parser.add_argument("--programs", type=Path, required=True, help="folder with Waymark's programs")
    parser.add_argument("--root", type=Path, required=True, help="the repository")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    packages = Packages(options.packages)
    if options.check:
        sys.exit(1 if check(packages, options.programs, options.root) else 0)
    make(packages, options.programs, options.root)


main()
