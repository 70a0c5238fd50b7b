"""Our side: the services as shipped, and the worker that calls them."""
import json
import secrets
import subprocess
from xml.sax.saxutils import escape

from cases import SERVER_CORE
from failure import Failure
from peers import Peer
from windows import Series, Window

# What a bench needs. Every service answers an echo; the gateway takes the import.
PRODUCTS = {
    "rpc": ["gateway"],
    "places": ["places-service", "gateway", "waymark"],
    "gateway": ["places-service", "pin-service", "picture-decoder", "photo-service", "gateway", "waymark"],
    "storage": ["pin-service"],
    "http": ["places-service", "pin-service", "picture-decoder", "photo-service", "gateway", "waymark"],
}
# The gateway's flags for the addresses of the services behind it.
FLAGS = {"places-service": "--places", "pin-service": "--pins", "photo-service": "--photos"}
DATASET = "bench"
PINS_IN_A_FILE = 100_000  # what an import takes at most
START_LIMIT_S = 60
FILL_LIMIT_S = 600
SLACK_S = 120  # what a worker may take besides its window: reading a million places
SHOWN_LOG_LINES = 10


class Waymark:
    """The services that a bench calls, all on the servers' core, with a key and data of their own."""

    def __init__(self, options, children, folder):
        self.options, self.children, self.folder = options, children, folder
        self.key = folder / "key"
        self.key.write_text(secrets.token_hex(32) + "\n")
        self.key.chmod(0o600)
        self.addresses, self.http = {}, {}
        self.services = {}

    def start(self, cases):
        """Starts what the cases of one bench call, and gives the places in."""
        called = [case for case in cases if not case.is_in_process]
        if not called:
            return
        backends = [name for name in PRODUCTS[called[0].bench] if name in FLAGS]
        for name in backends:
            self.serve(name, *(["--bundled", "none"] if name == "places-service" else []))
        self.serve("gateway", *[word for name in backends for word in (FLAGS[name], self.addresses[name])])
        if any(case.mode == "tls" for case in called):
            self.serve("gateway", "--http", "none", "--tls-certificate", self.certificate(), "--tls-key",
                       self.folder / "tls.key", alias="gateway-tls")
        if backends:
            self.fill(called[0].bench)

    def serve(self, name, *words, alias=None, core=SERVER_CORE):
        """Starts a service, under another name when there is one of it already; one that has ended goes on with its data."""
        called = alias or name
        (self.folder / called).mkdir(exist_ok=True)
        common = ["--listen", "127.0.0.1:0", "--data", self.folder / called, "--key-file", self.key, "--loops", 1,
                  "--lifeline", 0]
        # Accounts need not choose before they create pins.
        if name == "pin-service":
            common += ["--first-networks", "all"]
        with open(self.log(called), "wb") as log:
            service = self.children.start(called, [self.options.bin / name, *common, *words], core, log)
        self.services[called] = service
        try:
            ready = json.loads(service.line(START_LIMIT_S))
            self.addresses[called] = ready["address"]
            self.http[called] = ready.get("http", "").removeprefix("http://")
        except (Failure, ValueError):
            raise Failure(f"{called} did not start{self.last_words(called)}") from None

    def certificate(self):
        """Makes a certificate that is its own authority; gives its file."""
        path = self.folder / "tls.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-days", "2", "-subj", "/CN=bench", "-addext", "subjectAltName=IP:127.0.0.1",
                        "-keyout", self.folder / "tls.key", "-out", path], check=True, stderr=subprocess.DEVNULL)
        return path

    def failure(self, text):
        """A failure, with the fate of a service that has ended, which may be why."""
        codes = {name: service.process.poll() for name, service in self.services.items()}
        ended = [name for name, code in codes.items() if code is not None]
        return Failure(text + "".join(f"\n{name} ended with {codes[name]}{self.last_words(name)}" for name in ended))

    def log(self, name):
        return self.folder / f"{name}.log"

    def last_words(self, name):
        lines = self.log(name).read_text(errors="replace").splitlines()[-SHOWN_LOG_LINES:]
        return "".join(f"\n    {line}" for line in lines)

    def fill(self, bench):
        """Gives in what is searched: a million places; for an exploration a third of these, another third as pins and
        the rest as photos."""
        points, gateway = self.options.data / "points.tsv", self.addresses["gateway"]
        if bench != "gateway":
            return self.run("waymark", "import", points, "--dataset", DATASET, "--target", gateway)
        places, pins = self.thirds(points)
        self.run("waymark", "import", places, "--dataset", DATASET, "--target", gateway)
        for file in pins:
            self.run("waymark", "pin", "import", file, "--target", gateway)
        self.run("waymark-bench", "fill", "--points", points, "--target", gateway)

    def thirds(self, points):
        """A file with a third of the points as places, and files with another third as pins; what is left is photos."""
        rows = points.read_text(encoding="utf-8").splitlines(keepends=True)
        places = self.folder / "third.tsv"
        places.write_text("".join([rows[0], *rows[2::3]]), encoding="utf-8")
        marks = [f'<wpt lat="{latitude}" lon="{longitude}"><name>{escape(name)}</name></wpt>\n'
                 for _, name, _, latitude, longitude in (row.rstrip("\n").split("\t") for row in rows[3::3])]
        pins = []
        for first in range(0, len(marks), PINS_IN_A_FILE):
            pins.append(self.folder / f"third-{first}.gpx")
            text = "".join(marks[first:first + PINS_IN_A_FILE])
            pins[-1].write_text('<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">\n'
                                f"{text}</gpx>\n", encoding="utf-8")
        return places, pins

    def run(self, program, *words):
        command = [str(word) for word in [self.options.bin / program, *words]]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=FILL_LIMIT_S)
        except subprocess.TimeoutExpired:
            raise self.failure(f"{program} {words[0]} took more than {FILL_LIMIT_S} s") from None
        if done.returncode:
            raise self.failure(f"{program} {words[0]} failed:\n" + done.stdout.decode(errors="replace").strip())

    def contender(self, case, children):
        return Ours(self, case, children)

    def peer(self, name, cases, children):
        return Peer(name, cases, self.options, children)

    def worker(self, case):
        """What `waymark-bench` is to be called with."""
        if case.is_in_process:
            return [case.base, "--queries", self.options.data / "queries.tsv", "--points",
                    self.options.data / "points.tsv", "--snapshot", self.folder / "points.snapshot"]
        called = {"echo": "gateway", "tls": "gateway-tls", "nearby": "places-service", "packed": "places-service",
                  "explore": "gateway"}[case.mode]
        # In an exploration, the gateway and the services it asks are the servers' side.
        servers = self.services.values() if case.mode == "explore" else [self.services[called]]
        words = ["echo" if case.mode == "tls" else case.mode, "--target", self.addresses[called],
                 "--outstanding", case.outstanding, "--servers", ",".join(str(server.pid) for server in servers)]
        if case.mode == "tls":
            words += ["--tls-ca", self.folder / "tls.pem"]
        if case.mode in ("nearby", "packed", "explore"):
            words += ["--queries", self.options.data / "queries.tsv"]
        if case.mode in ("nearby", "packed"):
            words += ["--dataset", DATASET, "--key-file", self.key]
        return words


class Ours:
    """One case of ours: a worker that measures a window on request."""

    name = "waymark"

    def __init__(self, waymark, case, children):
        self.waymark, self.case, self.children = waymark, case, children
        self.series = Series()
        self.worker = None

    def lacks(self, rounds):
        return self.series.lacks(rounds)

    def summary(self, rounds):
        return self.series.summary(rounds)

    def measure(self, others):
        options = self.waymark.options
        if self.worker is None:
            words = [*self.waymark.worker(self.case), "--seconds", options.seconds, "--warm-up", options.warm_up]
            self.worker = self.children.start(
                "waymark-bench", [options.bin / "waymark-bench", *words], self.case.placement.client_core)
        others.begin()
        self.worker.tell()
        report = json.loads(self.worker.line(options.seconds + options.warm_up + SLACK_S))
        if report["errors"]:
            raise self.waymark.failure(f"{self.case.name}: {report['errors']} calls failed")
        self.series.windows.append(Window.parse(report, self.case, others.share()))
