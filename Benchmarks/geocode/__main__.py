"""Where points are and what texts find, beside a Nominatim with the same extracts."""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import compared
import extracts
import texts
from nominatim import Nominatim, install
from sides import Ours, OurServices, Theirs

from children import Children
from failure import Failure

ROOT = Path(__file__).resolve().parents[2]
SERVER_CORE, CLIENT_CORE = 0, 1
SHOWN = 5


def figures(options, folder):
    """Cases with their values, one after the other."""
    program = install(options.peers_build / "nominatim") if options.peers else None
    regions = [extracts.Region(path, folder) for path in options.regions]
    chance = random.Random(options.seed)
    points = [(region, point) for region in regions
              for point in region.points(options.points // len(regions), chance)]
    asked = [(text, region) for region in regions
             for text in texts.drawn(region, options.texts // len(regions), chance)]
    with Children() as children:
        ours = Ours(OurServices(options, children, folder, [(region.name, region.sorted) for region in regions]))
        theirs = None
        if program:
            paths = [region.sorted for region in regions]
            theirs = Theirs(Nominatim(program, children, options.peers_build, folder, paths))
        os.sched_setaffinity(0, {CLIENT_CORE})
        sides = {"ours": ours} | ({"theirs": theirs} if theirs else {})
        yield "import", {name: {"processor_s": round(side.server.import_used, 2),
                                "s": round(side.server.import_seconds, 2)} for name, side in sides.items()}
        yield "reverse", {name: rates(side, side.reverse, [point for _, point in points[::4]])
                          for name, side in sides.items()}
        found = {name: side.timed(side.search, asked) for name, side in sides.items()}
        yield "search", {name: rounded(*one[1:]) for name, one in found.items()}
        yield from first_places(asked, {
            name: [sides[name].first(answer, text) for answer, (text, _) in zip(one[0], asked)]
            for name, one in found.items()}, options)
        if theirs:
            yield from places(points, ours, theirs, zones(program, points))


def rates(side, ask, questions):
    for question in questions[:100]:
        ask(question)
    return rounded(*side.timed(ask, questions)[1:])


def rounded(core, wall):
    return {"a_core_second": round(core), "a_second": round(wall)}


def first_places(asked, found, options):
    tallies = collections.defaultdict(lambda: collections.Counter())
    for index, (text, region) in enumerate(asked):
        right = {name: texts.is_right(text, answers[index]) for name, answers in found.items()}
        for key in ("all", f"{text.sort}, {text.spelling}"):
            tallies[key].update(["texts", *(name for name, is_right in right.items() if is_right)])
        if options.wrong and not right["ours"]:
            got = {name: answers[index][0] if answers[index] else "nothing" for name, answers in found.items()}
            print(region.name, text.sort, text.spelling, text.text, got,
                  "theirs is right" if right.get("theirs") else "", sep="\t", file=sys.stderr)
    for key, tally in tallies.items():
        yield f"first: {key}", dict(tally)


def zones(program, points):
    asked = "".join(f"{north},{east}\n" for _, (north, east) in points)
    return subprocess.run([program.parent / "python", "-B", Path(__file__).parent / "zones.py"], input=asked, text=True,
                          check=True, stdout=subprocess.PIPE).stdout.split("\n")


def places(points, ours, theirs, zones):
    said = [verdict for (region, point), zone in zip(points, zones)
            for verdict in compared.verdicts(region, point, ours.where(point), theirs.where(point), zone)]
    for what in compared.LEVELS:
        own = [verdict for verdict in said if verdict.what == what]
        named = [verdict for verdict in own if verdict.kind != "none"]
        same = sum(not verdict.kind for verdict in named)
        share = (len(own) - len(named) + same) / len(own)
        yield f"same {what}", {"points": len(own), "same_or_none": round(100 * share, 2), "named": len(named),
                               "same": same}
        kinds = collections.defaultdict(list)
        for verdict in named:
            if verdict.kind:
                kinds[verdict.kind, verdict.right].append(verdict)
        for (kind, right), some in sorted(kinds.items(), key=lambda pair: -len(pair[1])):
            yield f"other {what}", {"points": len(some), "kind": kind, "right": right, "such_as": [
                f"{one.point[0]:.5f},{one.point[1]:.5f}: {one.ours or '-'} | {one.theirs or '-'}"
                for one in some[:SHOWN]]}


def main():
    parser = argparse.ArgumentParser(prog="script/bench geocode", description=__doc__)
    parser.add_argument("regions", type=Path, nargs="+", help="extracts, as .osm.pbf")
    parser.add_argument("--peers", action="store_true", help="beside Nominatim, which is installed")
    parser.add_argument("--points", type=int, default=2000, help="half of them near a border (2000)")
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", action="store_true", help="print texts that ours did not find at the first place")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--peers-build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--bundled", type=Path, default=ROOT / "Data", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if missing := [str(path) for path in options.regions if not path.is_file()]:
        raise Failure(f"there is no file {', '.join(missing)}")
    with tempfile.TemporaryDirectory(prefix="waymark-geocode-") as folder:
        for case, values in figures(options, Path(folder)):
            if options.json:
                print(json.dumps({"case": case} | values, ensure_ascii=False), flush=True)
            else:
                print(f"{case}: " + ", ".join(f"{key} {value}" for key, value in values.items()), flush=True)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"script/bench: {failure}")
