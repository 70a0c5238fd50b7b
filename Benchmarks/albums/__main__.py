"""How soon a new album shows something, and what a network sees of many viewers who open many albums at once."""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

import viewers
from system import Failure


def figures(options, picture):
    placeholders, shown = viewers.first(options, picture)
    yield ("placeholder", f"ms from the answer of a network that takes {viewers.DELAY_MS} ms to the first placeholder",
           {"median": round(statistics.median(placeholders)), "most": round(max(placeholders))})
    yield ("picture", "ms from a pin's creation to the first picture of its album",
           {"median": round(statistics.median(shown)), "most": round(max(shown))})
    seconds, fetched, memory = viewers.storm(options, picture)
    yield ("storm", f"{viewers.VIEWERS} viewers open {viewers.ALBUMS} albums at once, through two replicas", {
        "seconds_until_all_are_there": round(max(seconds), 1), "pictures": len(fetched),
        "fewest_fetches_of_one": min(fetched.values()), "most_fetches_of_one": max(fetched.values()),
        "photo_service_mib": round(memory)})


def main():
    parser = argparse.ArgumentParser(prog="script/bench albums", description=__doc__)
    parser.add_argument("--json", action="store_true")
    for name in ("--bin", "--root", "--s3"):
        parser.add_argument(name, type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    picture = sorted((options.root / "Data/postcards").glob("**/*.jpg"))[0]
    for name, what, values in figures(options, picture):
        if options.json:
            print(json.dumps({"case": name, "what": what, **values}), flush=True)
        else:
            print(f"{name}: {what}: " + ", ".join(f"{key} {value}" for key, value in values.items()), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Failure, OSError, subprocess.CalledProcessError) as failure:
        sys.exit(f"script/bench: {failure}")
