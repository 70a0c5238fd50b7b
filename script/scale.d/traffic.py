"""Calls gateways at a constant rate, whatever their answers take, and compares afterwards what was acknowledged with
what is there.

Usage: traffic.py URL... [--rate N] [--changes PERCENT] [--ticks FILE]

Each URL is a gateway's, such as http://127.0.0.1:7780; a call whose connection breaks is sent again, to each of them,
under the same request_id, as any client may. Runs until SIGTERM or SIGINT, then prints one line of JSON and ends with
0 only if no call failed and nothing was lost or doubled. The pins that it made are removed. `--ticks` gets a line for
each call: when it was due in seconds, how long it took in milliseconds, kind, failure.
"""

import argparse
import http.client
import json
import queue
import random
import signal
import sys
import threading
import time
import urllib.parse
import uuid

HELSINKI = (60.1699, 24.9384)
CENTRE = {"latitude": HELSINKI[0], "longitude": HELSINKI[1]}
WORKERS = 48
TIMEOUT = 30


class Failure(Exception):
    """A call that was not answered as it should be."""

    def __init__(self, text, code=""):
        super().__init__(text)
        self.code = code


class Gateways(threading.local):
    """Kept connections to the gateways, one for each thread."""

    def __init__(self, urls):
        self.hosts = [urllib.parse.urlsplit(url).netloc for url in urls]
        self.connections = {}

    def send(self, method, path, body=None):
        """The answer of the first gateway that gives one."""
        broken = None
        hosts = random.sample(self.hosts, len(self.hosts))
        for host in hosts + hosts:
            try:
                return self.ask(host, method, path, body)
            except (OSError, http.client.HTTPException) as error:
                self.connections.pop(host, None)
                broken = error
        raise Failure(f"no gateway answers: {broken!r}")

    def ask(self, host, method, path, body):
        connection = self.connections.get(host)
        if connection is None:
            connection = self.connections[host] = http.client.HTTPConnection(host, timeout=TIMEOUT)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        if answer.status == 200:
            return data
        try:
            error = json.loads(data)
        except ValueError:
            error = {}
        raise Failure(f"{answer.status} {error.get('message', data[:100])}", error.get("code", str(answer.status)))

    def call(self, service, method, **fields):
        return json.loads(self.send("POST", f"/waymark.{service}/{method}", json.dumps(fields)))


class Ledger:
    """What was acknowledged: for each pin its name, or None once it was removed."""

    def __init__(self):
        self.lock = threading.Lock()
        self.pins = {}
        # Those that no other call is just changing.
        self.free = []
        # Names of pins whose creation failed: whether they are there is not known.
        self.unknown = set()

    def take(self):
        with self.lock:
            return self.free.pop(random.randrange(len(self.free))) if self.free else None

    def put(self, pin, name):
        with self.lock:
            self.pins[pin] = name
            if name is not None:
                self.free.append(pin)


def point():
    latitude = HELSINKI[0] + random.uniform(-0.01, 0.01)
    return {"latitude": latitude, "longitude": HELSINKI[1] + random.uniform(-0.02, 0.02)}


def create(gateways, ledger):
    name, request = f"traffic {uuid.uuid4()}", str(uuid.uuid4())
    try:
        answer = gateways.call("pins.v1.PinService", "CreatePin", position=point(), radiusM=100, name=name, requestId=request)
    except Failure:
        ledger.unknown.add(name)
        raise
    ledger.put(answer["pin"]["id"], name)


def change(gateways, ledger):
    pin = ledger.take()
    if pin is None:
        return create(gateways, ledger)
    old, new, request = ledger.pins[pin], f"traffic {uuid.uuid4()}", str(uuid.uuid4())
    removes = random.random() < 0.3
    try:
        if removes:
            gateways.call("pins.v1.PinService", "DeletePin", id=pin, requestId=request)
        else:
            gateways.call("pins.v1.PinService", "RenamePin", id=pin, name=new, requestId=request)
    except Failure:
        # Whether it was made is not known, so the pin is not looked at any more.
        ledger.unknown.update((old, new))
        ledger.put(pin, None)
        ledger.unknown.add(pin)
        raise
    ledger.put(pin, None if removes else new)
    return None


def explore(gateways, _):
    # With the longest budget: how fast the answer is, is no question here.
    answer = gateways.call("gateway.v1.ExploreService", "Explore", centre=CENTRE, radiusM=500, budget="10s")
    for branch in answer["branches"]:
        if branch.get("code", 0):
            raise Failure(f"the branch {branch['name']} failed: {branch}", str(branch["code"]))


def nearby(gateways, _):
    answer = gateways.call("places.v1.PlacesService", "Nearby", centre=CENTRE, radiusM=300)
    if not answer.get("places"):
        raise Failure("there is no place in the middle of Helsinki")


def pins_near(gateways, _):
    gateways.call("pins.v1.PinService", "PinsNear", centre=point(), radiusM=200)


def photos_near(gateways, _):
    answer = gateways.call("photos.v1.PhotoService", "PhotosNear", centre=CENTRE, radiusM=2000)
    for photo in answer.get("photos", [])[:1]:
        if "thumbnailUrl" in photo:
            gateways.send("GET", photo["thumbnailUrl"])


READS = [explore, nearby, pins_near, photos_near]


def work(gateways, ledger, calls, results):
    while (due := calls.get()) is not None:
        kind, at = due
        failure = ""
        try:
            kind(gateways, ledger)
        except Failure as error:
            failure = f"{error}"[:200]
        except Exception as error:  # noqa: BLE001 a mistake in an answer is a failure too
            failure = repr(error)[:200]
        results.append((at, (time.monotonic() - at) * 1000, kind.__name__, failure))


def all_pins(gateways):
    token = ""
    while True:
        answer = gateways.call("pins.v1.PinService", "ListPins", pageSize=200, pageToken=token)
        yield from answer.get("pins", [])
        token = answer.get("nextPageToken", "")
        if not token:
            return


def compare(gateways, ledger):
    """What is missing and what is there twice or again, in words."""
    wrong, names = [], {}
    there = {pin["id"]: pin.get("name", "") for pin in all_pins(gateways)}
    for pin, name in there.items():
        if name.startswith("traffic "):
            names.setdefault(name, []).append(pin)
    for pin, name in ledger.pins.items():
        if pin in ledger.unknown:
            continue
        if name is None and pin in there:
            wrong.append(f"pin {pin} was removed and is there")
        elif name is not None and there.get(pin) != name:
            wrong.append(f"pin {pin} is {there.get(pin)!r}, not {name!r}")
    wrong += [f"{name!r} is there {len(pins)} times" for name, pins in names.items() if len(pins) > 1]
    acknowledged = set(ledger.pins)
    wrong += [
        f"pin {pin} was never acknowledged"
        for name, pins in names.items()
        for pin in pins
        if pin not in acknowledged and name not in ledger.unknown
    ]
    return wrong


def clean(gateways):
    """Removes all pins that were made here."""
    for pin in list(all_pins(gateways)):
        if pin.get("name", "").startswith("traffic "):
            gateways.call("pins.v1.PinService", "DeletePin", id=pin["id"])


def percentile(values, share):
    return round(values[min(len(values) - 1, int(len(values) * share))], 1) if values else None


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("urls", nargs="+")
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--changes", type=float, default=30)
    parser.add_argument("--ticks")
    options = parser.parse_args()
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    gateways, ledger, calls, results = Gateways(options.urls), Ledger(), queue.Queue(), []
    workers = [threading.Thread(target=work, args=(gateways, ledger, calls, results)) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    began = due = time.monotonic()
    changes = 0
    while not stopped.wait(max(0, due - time.monotonic())):
        if random.random() * 100 < options.changes:
            kind = random.choice((create, create, change))
            changes += 1
        else:
            kind = random.choice(READS)
        calls.put((kind, due))
        due += 1 / options.rate
    for _ in workers:
        calls.put(None)
    for worker in workers:
        worker.join()
    if options.ticks:
        with open(options.ticks, "w", encoding="utf-8") as file:
            file.writelines(f"{at - began:.3f}\t{ms:.1f}\t{kind}\t{failure}\n" for at, ms, kind, failure in results)
    failures = [failure for *_, failure in results if failure]
    took = sorted(ms for _, ms, _, failure in results if not failure)
    wrong = compare(gateways, ledger)
    clean(gateways)
    print(
        json.dumps(
            {
                "calls": len(results),
                "changes": changes,
                "failed": len(failures),
                "failures": sorted(set(failures))[:10],
                "p50_ms": percentile(took, 0.5),
                "p99_ms": percentile(took, 0.99),
                "longest_ms": percentile(took, 1),
                "acknowledged": len(ledger.pins),
                "wrong": wrong[:10],
            }
        )
    )
    sys.exit(1 if failures or wrong else 0)


if __name__ == "__main__":
    main()
