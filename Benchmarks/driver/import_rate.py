"""How fast a table becomes a dataset: rows for each second of the places service's processor time, and its memory."""
import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from children import Children
from failure import Failure
from waymark import Waymark

SAMPLE_EVERY_S = 0.05
COLUMNS = "id name categories lat lon street housenumber postcode city phone website opening_hours".split()
WORDS = "Cafe Kahvila Ravintola Museo Kirjasto Puisto Old New Grand Central Hotel Åland Café Station Park".split()
KINDS = ["amenity/cafe", "amenity/restaurant", "shop/books", "tourism/hotel", "leisure/park", "amenity/cafe;shop/tea"]


def write_table(path, rows):
    """Places as those of a city are: some of the names not in ASCII, an address for four in ten."""
    chance = random.Random(5)
    with open(path, "w", encoding="utf-8") as table:
        table.write("\t".join(COLUMNS) + "\n")
        for row in range(rows):
            name = f"{chance.choice(WORDS)} {chance.choice(WORDS)} {row % 1000}"
            position = f"{chance.uniform(-60, 70):.7f}\t{chance.uniform(-180, 180):.7f}"
            details = "\t" * 6
            if chance.random() < 0.4:
                details = (f"Mannerheimintie\t{row % 200}\t00100\tHelsinki\t+358 9 {row}\thttps://example.org/{row}"
                           "\tMo-Fr 10:00-18:00")
            table.write(f"node/{row * 7}\t{name}\t{chance.choice(KINDS)}\t{position}\t{details}\n")


class Watch:
    """Looks at a process while something is done: its processor time, and the most memory of its own it had."""

    def __init__(self, pid):
        self.pid = pid
        self.most_kib = 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.sample)

    def __enter__(self):
        self.before = self.seconds()
        self.began = time.monotonic()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.elapsed = time.monotonic() - self.began
        self.used = self.seconds() - self.before
        self.is_over.set()
        self.thread.join()

    def seconds(self):
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def sample(self):
        while not self.is_over.wait(SAMPLE_EVERY_S):
            for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    self.most_kib = max(self.most_kib, int(line.split()[1]))


def measure(options, folder):
    table = folder / "places.tsv"
    write_table(table, options.rows)
    with Children() as children:
        waymark = Waymark(options, children, folder)
        waymark.serve("places-service", "--bundled", "none")
        waymark.serve("gateway", "--http", "none", "--places", waymark.addresses["places-service"])
        for _ in range(options.rounds):
            with Watch(waymark.services["places-service"].pid) as watch:
                waymark.run("waymark", "import", table, "--dataset", "bench", "--target", waymark.addresses["gateway"])
            yield watch


def main():
    parser = argparse.ArgumentParser(prog="script/bench import", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rounds = list(measure(options, Path(folder)))
    rates = [options.rows / watch.used for watch in rounds]
    result = {"rows": options.rows, "rows_per_cpu_second": round(statistics.median(rates)),
              "slowest": round(min(rates)), "fastest": round(max(rates)),
              "elapsed_s": round(statistics.median(watch.elapsed for watch in rounds), 2),
              "own_memory_mib": max(watch.most_kib for watch in rounds) // 1024}
    if options.json:
        return print(json.dumps(result))
    print(f"{result['rows']:,} rows: {result['rows_per_cpu_second']:,} for each second of one core "
          f"({result['slowest']:,} to {result['fastest']:,} in {len(rounds)} rounds), "
          f"{result['elapsed_s']} s from the first byte sent, {result['own_memory_mib']} MiB of memory")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"script/bench: {failure}")
