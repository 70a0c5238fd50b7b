"""Both sides, asked over HTTP by the same client."""
import http.client
import json
import resource
import sys
import threading
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "driver"))
from failure import Failure  # noqa: E402
from find_rate import Finder, settled  # noqa: E402
from nominatim import seconds_of  # noqa: E402
from waymark import Waymark  # noqa: E402

METHOD = "/waymark.places.v1.PlacesService/"
# What Nominatim calls a municipality in an address.
TOWNS = ["city", "town", "village", "municipality", "borough"]


class Where:
    """What a side says of a point: names of the municipality and the region, the code of the country."""

    def __init__(self, municipality, region, country):
        self.municipality, self.region, self.country = municipality, region, country


# Callers at once: a server that waits for its only one, awake, would be counted as one that works.
CALLERS = 8


class Side:
    def __init__(self, server):
        self.server = server
        self.own = threading.local()

    @property
    def connection(self):
        """One for each thread."""
        if not hasattr(self.own, "connection"):
            self.own.connection = http.client.HTTPConnection(self.server.address, timeout=60)
        return self.own.connection

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"} if body else {}
        try:
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            # Closed while the other side was asked.
            self.connection.close()
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
        bytes = answer.read()
        if answer.status != 200:
            raise Failure(f"{self.server.name} answered {path} with {answer.status}")
        return json.loads(bytes)

    def timed(self, ask, questions):
        """The answers, how many a second of a processor of the servers, and how many a second."""
        before, began = seconds_of(self.server.pids), time.perf_counter()
        with ThreadPoolExecutor(CALLERS) as callers:
            answers = list(callers.map(ask, questions))
        used, elapsed = seconds_of(self.server.pids) - before, time.perf_counter() - began
        return answers, len(questions) / used, len(questions) / elapsed


class OurServices:
    """The places service and the gateway as shipped, with the extracts."""

    name = "Waymark"

    def __init__(self, options, children, folder, extracts):
        waymark = Waymark(options, children, folder)
        waymark.serve("places-service", "--bundled", options.bundled)
        waymark.serve("gateway", "--places", waymark.addresses["places-service"], "--open")
        self.address = waymark.http["gateway"]
        self.pids = [service.pid for service in waymark.services.values()]
        finder = Finder(self.address, waymark.services["places-service"].pid)
        settled(waymark, finder)
        before, began = self.used_ever(), time.perf_counter()
        for name, path in extracts:
            waymark.run("waymark", "import", path, "--dataset", name, "--target", waymark.addresses["gateway"])
        self.import_seconds = time.perf_counter() - began
        settled(waymark, finder)
        self.import_used = self.used_ever() - before

    def used_ever(self):
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        return seconds_of(self.pids) + own.ru_utime + own.ru_stime


class Ours(Side):
    def where(self, point):
        answer = self.reverse(point)
        # Without a border a town is what the name says it is, but not what it is said to be near.
        town, said = answer.get("town", {}).get("name", ""), answer.get("name", "").split(", ")
        municipality = answer.get("municipality", town if town in said else "")
        return Where(municipality, answer.get("region", ""), answer.get("countryCode", "").lower())

    def reverse(self, point):
        body = {"position": dict(zip(("latitude", "longitude"), point))}
        return self.ask("POST", METHOD + "ReverseGeocode", json.dumps(body))

    def search(self, question):
        text, region = question
        body = {"text": text.text, "near": dict(zip(("latitude", "longitude"), region.middle()))}
        return self.ask("POST", METHOD + "Find", json.dumps(body))

    @staticmethod
    def first(answer, text):
        results = answer.get("results", [])
        if not results:
            return None
        position, name = results[0]["position"], results[0]["name"]
        # An address is one text: the number is what the street is not.
        number = text.number if text.number.lower() in name.lower().replace(",", " ").split() else ""
        return name, number, (position.get("latitude", 0), position.get("longitude", 0))


class Theirs(Side):
    def where(self, point):
        answer = self.at(point, 14).get("address", {})
        town = next((answer[key] for key in TOWNS if key in answer), "")
        return Where(town, answer.get("state", answer.get("region", "")), answer.get("country_code", ""))

    def at(self, point, zoom):
        words = {"lat": point[0], "lon": point[1], "format": "jsonv2", "zoom": zoom, "addressdetails": 1}
        return self.ask("GET", "/reverse?" + urllib.parse.urlencode(words))

    def reverse(self, point):
        return self.at(point, 18)

    def search(self, question):
        text, region = question
        south, west, north, east = region.box()
        words = {"q": text.text, "format": "jsonv2", "addressdetails": 1, "viewbox": f"{west},{south},{east},{north}"}
        return self.ask("GET", "/search?" + urllib.parse.urlencode(words))

    @staticmethod
    def first(answer, text):
        if not answer:
            return None
        number = answer[0].get("address", {}).get("house_number", "")
        return answer[0].get("name", ""), number, (float(answer[0]["lat"]), float(answer[0]["lon"]))
