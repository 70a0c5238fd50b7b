"""The bench of HTTP: the gateway as shipped, compared to nginx with files of the same bytes as its answers."""
import json
import time
import urllib.request
from functools import cached_property

from nginx import Nginx
from waymark import FLAGS, Waymark
from web_load import Load, Wrk
from web_pictures import LATITUDE, LONGITUDE, make_pictures
from windows import Series, Window

JSON = {"Content-Type": "application/json"}
ECHO = json.dumps({"payload": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="})
REGION = {"centre": {"latitude": 60.1699, "longitude": 24.9384}, "span": {"latitudeDelta": 0.05, "longitudeDelta": 0.1}}
PINS, PHOTOS = "/waymark.pins.v1.PinService/", "/waymark.photos.v1.PhotoService/"
# As many as an album takes by itself.
PICTURES = 24
FILL_LIMIT_S = 120


class Web(Waymark):
    """All services, and a second gateway that keeps no picture, with a region and an album to ask for."""

    def start(self, cases):
        make_pictures(self.folder / "pictures", PICTURES)
        self.serve("places-service", "--bundled", "none")
        self.serve("photo-service", "--pictures", self.folder / "pictures")
        self.serve("pin-service", *self.flags("places-service", "photo-service"))
        common = ["--http", "127.0.0.1:0", "--rate", 0, *self.flags("places-service", "pin-service", "photo-service")]
        self.serve("gateway", *common)
        # No room for any picture: each request is answered from the photo service.
        if any(case.mode == "miss" for case in cases):
            self.serve("gateway", *common, "--cache-bytes", 0, alias="cold-gateway")
        self.run("waymark", "photo", "scan", "--target", self.addresses["gateway"])
        self.call(PINS + "SetMapRegion", {"region": REGION})

    def flags(self, *names):
        return [word for name in names for word in (FLAGS[name], self.addresses[name])]

    @cached_property
    def pictures(self):
        """The addresses of the large pictures of a pin's album, all of which were made once."""
        position = {name: whole / one + minutes / 60 for name, (whole, one, minutes, *_) in
                    (("latitude", LATITUDE), ("longitude", LONGITUDE))}
        pin = self.call(PINS + "CreatePin", {"position": position, "radiusM": 100})["pin"]["id"]
        self.await_answer(PINS + "GetPin", {"id": pin}, lambda answer: answer["pin"]["state"] == "PIN_STATE_READY")
        self.call(PHOTOS + "OpenAlbum", {"subject": f"pin/{pin}"})
        album = {"subject": f"pin/{pin}", "pageSize": PICTURES}
        answer = self.await_answer(PHOTOS + "GetAlbum", album, lambda answer: len(ready(answer)) == PICTURES)
        return [path for path in ready(answer) if self.fetch(path)]

    def await_answer(self, path, request, is_it):
        until = time.monotonic() + FILL_LIMIT_S
        while time.monotonic() < until:
            answer = self.call(path, request)
            if is_it(answer):
                return answer
            time.sleep(0.2)
        raise self.failure(f"after {FILL_LIMIT_S} s {path} still answered {json.dumps(answer)[:500]}")

    def load(self, case):
        """What a case asks our gateway."""
        if case.mode == "post":
            return Load(["/waymark.rpc.v1.EchoService/Echo"], "POST", ECHO, JSON)
        return Load([PINS + "GetMapRegion"], "POST", "{}", JSON) if case.mode == "region" else Load(self.pictures)

    def gateway(self, case):
        return "cold-gateway" if case.mode == "miss" else "gateway"

    def asked(self, case):
        """The processes whose time a case costs; the photo service too when the picture is not at hand."""
        names = {"post": [], "region": ["pin-service"], "picture": [], "miss": ["photo-service"]}[case.mode]
        return [self.services[name].pid for name in [self.gateway(case), *names]]

    def answers(self, case):
        """The bodies that our gateway answers a case with."""
        load = self.load(case)
        return [self.fetch(path, load.body.encode() or None, load.headers) for path in load.paths]

    def call(self, path, request):
        return json.loads(self.fetch(path, json.dumps(request).encode(), JSON))

    def fetch(self, path, body=None, headers=None):
        request = urllib.request.Request(f"http://{self.http['gateway']}{path}", body, headers or {})
        try:
            with urllib.request.urlopen(request, timeout=FILL_LIMIT_S) as answer:
                return answer.read()
        except OSError as error:
            raise self.failure(f"{path}: {error}") from None

    def contender(self, case, children):
        return Loaded(self, case)

    def peer(self, name, cases, children):
        return Nginx(self, cases, children)


def ready(album):
    """Where the large pictures are of an album's photos that have one."""
    photos = album.get("photos", [])
    return [photo["largeUrl"] for photo in photos if photo.get("state") == "PHOTO_STATE_READY"]


class Loaded:
    """One case of ours."""

    name = "waymark"

    def __init__(self, web, case):
        self.web, self.case = web, case
        self.series = Series()
        self.wrk = None

    def lacks(self, rounds):
        return self.series.lacks(rounds)

    def summary(self, rounds):
        return self.series.summary(rounds)

    def measure(self, others):
        if self.wrk is None:
            web, case = self.web, self.case
            self.wrk = Wrk(self.name, web.http[web.gateway(case)], web.load(case), lambda: web.asked(case), case,
                           web.options, web.folder)
        others.begin()
        self.series.windows.append(Window.parse(self.wrk.measure(), self.case, others.share()))
