"""How soon the search box answers while one types among a million names, how large their index is, and what the
addresses in an import cost."""
import argparse
import http.client
import itertools
import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from children import Children
from failure import Failure
from waymark import Waymark

COLUMNS = "id name categories lat lon name:en".split()
HOUSE = "street housenumber postcode city".split()
SYLLABLES = ("ka la mi no per sa tu vi hel ber lin mar ti na ro sen dorf ville ton burg stad holm hav lund fors beck "
             "ham by al ex an dra mon te ri o gra da sol").split()
KINDS = ["amenity/cafe", "amenity/restaurant", "shop/books", "tourism/hotel", "leisure/park", "amenity/pharmacy"]
FINDING = "/waymark.places.v1.PlacesService/Find"
# As in towns that have their addresses on the map: 5 (Salt Lake City, with N and S) to 18 (Helsinki) in a street.
HOUSES_OF_STREET, STREETS_OF_TOWN = 10, 100
READY_S = 600
QUIET_S = 0.05


def word(chance):
    return "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))).capitalize()


def write_table(path, rows, addresses):
    """Names of one to three words out of some hundred thousand; each second row has an address, if there are any."""
    chance, houses = random.Random(11), iter(addresses_of_towns())
    names = []
    with open(path, "w", encoding="utf-8") as table:
        table.write("\t".join(COLUMNS + HOUSE) + "\n")
        for row in range(rows):
            name = " ".join(word(chance) for _ in range(chance.randint(1, 3)))
            position = f"{chance.uniform(-60, 70):.7f}\t{chance.uniform(-180, 180):.7f}"
            house = next(houses) if row % 2 else "\t\t\t"
            table.write(f"{row}\t{name}\t{chance.choice(KINDS)}\t{position}\t\t"
                        f"{house if addresses else chr(9) * 3}\n")
            if row % 2000 == 0:
                names.append(name)
    return names


def addresses_of_towns():
    """Street, number, postcode and town of one house after the other, without an end."""
    chance = random.Random(13)
    for town in itertools.count(1):
        name = word(chance)
        for _ in range(STREETS_OF_TOWN):
            street = f"{word(chance)}katu"
            for number in range(1, HOUSES_OF_STREET + 1):
                yield f"{street}\t{number}\t{town % 90000:05}\t{name}"


def texts(names):
    """What is on the way to each name as it is typed, and then mistyped."""
    chance = random.Random(12)
    for name in names:
        for length in range(1, len(name) + 1):
            yield "typing", name[:length]
        at = chance.randrange(1, max(2, len(name) - 1))
        yield "mistyped", name[:at] + name[at + 1:]
        yield "address", f"{name.split()[0]}katu {chance.randrange(200)}"
        yield "category", f"cafe near {name.split()[0]}"


class Finder:
    def __init__(self, address, pid):
        self.connection = http.client.HTTPConnection(address, timeout=60)
        self.threads = Path(f"/proc/{pid}/task")

    def used(self):
        """Seconds of a processor that the service has used; other work on the machine does not change them."""
        return sum(int(path.read_text().split()[0]) for path in self.threads.glob("*/schedstat")) / 1e9

    def find(self, text):
        """The status, seconds until the answer, and those that the service worked."""
        body = json.dumps({"text": text, "near": {"latitude": 60.17, "longitude": 24.94}})
        before, began = self.used(), time.perf_counter()
        self.connection.request("POST", FINDING, body, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        answer.read()
        elapsed = time.perf_counter() - began
        return answer.status, elapsed, self.used() - before


def settled(waymark, finder):
    """Waits until the service does nothing by itself: until the names and addresses of what is new are read."""
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        before = finder.used()
        time.sleep(1)
        if finder.used() - before < QUIET_S:
            return
    raise waymark.failure("the service did not come to rest")


def imported(waymark, finder, table):
    """Seconds that an import takes, and those that the service works for it."""
    settled(waymark, finder)
    before, began = finder.used(), time.perf_counter()
    waymark.run("waymark", "import", table, "--dataset", "bench", "--target", waymark.addresses["gateway"])
    return time.perf_counter() - began, finder.used() - before


def measure(options, folder):
    plain, housed = folder / "plain.tsv", folder / "housed.tsv"
    write_table(plain, options.rows, addresses=False)
    names = write_table(housed, options.rows, addresses=True)
    with Children() as children:
        waymark = Waymark(options, children, folder)
        waymark.serve("places-service")
        waymark.serve("gateway", "--places", waymark.addresses["places-service"], "--open")
        finder = Finder(waymark.http["gateway"], waymark.services["places-service"].pid)
        # In turn, so that what else the machine does is in both.
        rounds = [(imported(waymark, finder, plain), imported(waymark, finder, housed)) for _ in range(options.rounds)]
        settled(waymark, finder)
        indexes = [path for path in (folder / "places-service").rglob("*.names") if "gazetteer" not in path.name]
        times = {}
        for kind, text in texts(names[: options.names]):
            status, elapsed, used = finder.find(text)
            if status != 200:
                raise Failure(f"{text!r} was answered with {status}")
            times.setdefault(kind, []).append((elapsed, used))
    size = sum(path.stat().st_size for path in indexes)
    return {"rows": options.rows, "index_bytes_per_name": round(size / names_in(indexes), 1),
            "load_average": os.getloadavg()[0]} | import_times(rounds) | {
            kind: percentiles(found) for kind, found in times.items()}


def import_times(rounds):
    result = {}
    for name, column in (("", 0), ("service_", 1)):
        without, houses = (statistics.median(one[side][column] for one in rounds) for side in (0, 1))
        result |= {f"{name}import_s": round(without, 2), f"{name}import_with_addresses_s": round(houses, 2),
                   f"{name}import_ratio": round(houses / without, 2)}
    return result


def names_in(indexes):
    """How many names the files have, as their headers say."""
    return sum(int.from_bytes(path.read_bytes()[28:32], "little") for path in indexes) if indexes else 1


def percentiles(seconds):
    result = {"texts": len(seconds)}
    for name, column in (("", 0), ("service_", 1)):
        ordered = sorted(one[column] for one in seconds)
        result |= {f"{name}p50_ms": round(ordered[len(ordered) // 2] * 1e3, 2),
                   f"{name}p99_ms": round(ordered[len(ordered) * 99 // 100] * 1e3, 2)}
    return result


def main():
    parser = argparse.ArgumentParser(prog="script/bench find", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--names", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = measure(options, Path(folder))
    if options.json:
        return print(json.dumps(result))
    print(f"{result['rows']:,} places, {result['index_bytes_per_name']} bytes a name in the index; the load average "
          f"was {result['load_average']:.1f}")
    print(f"an import takes {result['import_s']} s, with addresses {result['import_with_addresses_s']} s: "
          f"{result['import_ratio']} times; the service works {result['service_import_s']} and "
          f"{result['service_import_with_addresses_s']} s of it: {result['service_import_ratio']} times")
    for kind in ("typing", "mistyped", "address", "category"):
        found = result[kind]
        print(f"{kind:9} {found['texts']:6} texts: p50 {found['p50_ms']} ms, p99 {found['p99_ms']} ms; "
              f"the service works {found['service_p50_ms']} and {found['service_p99_ms']} ms of it")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"script/bench: {failure}")
