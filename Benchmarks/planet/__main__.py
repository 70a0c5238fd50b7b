"""What a large .osm.pbf costs: grown of a region, imported, brought up to date by a day's changes, and imported again
with these changes applied by osmium, beside what osmium takes for a pass over the same file. The dataset that was
brought up to date has to be, byte for byte, the one of the new import.
"""
import argparse
import gzip
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "driver"))

import grow  # noqa: E402
from children import Children  # noqa: E402
from failure import Failure  # noqa: E402
from import_rate import Watch  # noqa: E402
from waymark import Waymark  # noqa: E402

WRITTEN = 1_777_593_600  # 2026-05-01
CHANGED = "2026-05-01T12:00:00Z"


def write_changes(path, region, copies, share, seed):
    """A day's changes of a share of all nodes: most of them moved, some made, some gone."""
    chance, count, drawn = random.Random(seed), 0, set()
    nodes = list(grow.nodes(region))
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=6) as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<osmChange version="0.6" generator="bench">\n')
        for _ in range(round(share * copies * len(nodes))):
            one, latitude, longitude, is_tagged = chance.choice(nodes)
            shift, down, right = grow.shift_of(chance.randrange(copies))
            # Of two changes of one version each reader has its own idea.
            if one + shift in drawn:
                continue
            drawn.add(one + shift)
            place = (f'version="9999" timestamp="{CHANGED}" lat="{latitude - down + chance.uniform(-1e-4, 1e-4):.7f}" '
                     f'lon="{longitude + right + chance.uniform(-1e-4, 1e-4):.7f}"')
            kind = chance.random()
            if kind < 0.1:
                made = grow.ID_STEP * copies + count
                file.write(f'<create><node id="{made}" {place}><tag k="amenity" v="cafe"/>'
                           f'<tag k="name" v="Café {count}"/></node></create>\n')
            elif kind < 0.15 and is_tagged:
                file.write(f'<delete><node id="{one + shift}" {place}/></delete>\n')
            else:
                file.write(f'<modify><node id="{one + shift}" {place}/></modify>\n')
            count += 1
        file.write("</osmChange>\n")
    return count


def timed(*command):
    """Processor seconds of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def dataset(folder, name):
    """The hashes of a dataset's files, by what they are: without the number of the import."""
    found = {}
    for path in sorted((folder / "places-service/datasets" / name).iterdir()):
        kind = path.name.partition(".")[2]
        if kind and not kind.endswith(".osm.pbf") and kind != "json":
            with open(path, "rb") as file:
                found[kind] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def measure(options, folder):
    file, changes, after = folder / "large.osm.pbf", folder / "day.osc.gz", folder / "after.osm.pbf"
    copies = max(1, round(options.megabytes * 1e6 / options.region.stat().st_size))
    grow.write(options.region, file, copies, WRITTEN)
    count = write_changes(changes, options.region, copies, options.share, options.seed)
    size = file.stat().st_size
    with Children() as children:
        waymark = Waymark(options, children, folder)
        waymark.serve("places-service", "--bundled", "none", *(["--memory", options.memory] if options.memory else []))
        waymark.serve("gateway", "--http", "none", "--places", waymark.addresses["places-service"])

        def run(*words):
            with Watch(waymark.services["places-service"].pid) as watch:
                waymark.run("waymark", "import", *words, "--target", waymark.addresses["gateway"])
            return watch

        first = run(file, "--dataset", "large")
        yield "import", "an .osm.pbf to places, names, addresses, areas and tiles; goal 3.5 GB", {
            "megabytes": round(size / 1e6), "cpu_s": round(first.used, 1), "elapsed_s": round(first.elapsed, 1),
            "gigabytes_per_cpu_hour": round(size / 1e9 / (first.used / 3600), 2),
            "own_memory_mib": first.most_kib // 1024}
        update = run("--update", changes, "--dataset", "large")
        yield "update", "a day's changes; goal 0.01 of the import", {
            "changes": count, "cpu_s": round(update.used, 1), "elapsed_s": round(update.elapsed, 1),
            "of_import": round(update.used / first.used, 3), "own_memory_mib": update.most_kib // 1024}
        ours = dataset(folder, "large")
        applying = timed("osmium", "apply-changes", file, changes, "-o", after, "-O")
        run(after, "--dataset", "large")
        theirs = dataset(folder, "large")
        other = sorted(kind for kind in ours.keys() | theirs.keys() if ours.get(kind) != theirs.get(kind))
        yield "same", "files that differ from those of an import of what osmium apply-changes gives; goal none", {
            "files": len(ours), "different": ", ".join(other) or "none"}
        reading = timed("osmium", "fileinfo", "-e", file)
        yield "osmium", "processor time of osmium for a pass over the same file", {
            "apply_changes_s": round(applying, 1), "fileinfo_s": round(reading, 1),
            "import_of_fileinfo": round(first.used / reading, 1)}


def main():
    parser = argparse.ArgumentParser(prog="script/bench planet", description=__doc__)
    parser.add_argument("region", type=Path)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--share", type=float, default=0.001, help="of all nodes that change in a day")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--memory", help="what places-service may use")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, what, values in measure(options, Path(folder)):
            if options.json:
                print(json.dumps({"case": name, "what": what, **values}), flush=True)
            else:
                print(f"{name}: {what}: " + ", ".join(f"{key} {value}" for key, value in values.items()), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Failure, OSError, subprocess.CalledProcessError) as failure:
        sys.exit(f"script/bench: {failure}")
