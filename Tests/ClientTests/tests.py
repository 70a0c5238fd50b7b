"""P37 Clients that were not written with Waymark in mind. Started by `run`, which has their packages in the PATH."""

import http.server
import json
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from documents import commands
from waymark_system import PATIENCE_S, ROOT, System, lacks_programs, new_pin, ready_photo, run, skipped

# The address that people write, which here is one of a free port.
WRITTEN = "http://127.0.0.1:7780"


class WithWaymark(unittest.TestCase):
    """What all share: one running system, and a folder to work in."""

    system = None

    @classmethod
    def setUpClass(cls):
        if WithWaymark.system is None:
            WithWaymark.system = System()
            unittest.addModuleCleanup(WithWaymark.system.stop)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="waymark-client-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def execute(self, *words, expected=0, folder=None, **more):
        """What a program prints; it has to end as expected."""
        done = subprocess.run([str(word) for word in words], cwd=folder or self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE_S, **more)
        self.assertEqual(done.returncode, expected, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout, done.stderr

    def buf(self, method, request, expected=0):
        return self.execute("buf", "curl", "--protocol", "connect", "--schema", ROOT / "Protos", "--data",
                            json.dumps(request), f"{self.system.http}/{method}", expected=expected)


class BufCurl(WithWaymark):
    """A Connect client that knows nothing but the schema, with protobuf bodies."""

    def test_unary(self):
        """calls a method of the gateway itself, and one of each service"""
        out, _ = self.buf("waymark.rpc.v1.EchoService/Echo", {"payload": "aGVsbG8="})
        self.assertEqual(json.loads(out), {"payload": "aGVsbG8="})
        centre = {"latitude": 60.1699, "longitude": 24.9384}
        out, _ = self.buf("waymark.places.v1.PlacesService/Nearby", {"centre": centre, "limit": 3})
        self.assertEqual(len(json.loads(out)["places"]), 3)
        pin = new_pin(self.system.web(), name="By hand")
        out, _ = self.buf("waymark.pins.v1.PinService/GetPin", {"id": pin["id"]})
        self.assertEqual(json.loads(out)["pin"]["name"], "By hand")
        # A new pin has no album until its search has asked for one.
        ready_photo(self.system.web(), self.system.web(), pin)
        out, _ = self.buf("waymark.photos.v1.PhotoService/GetAlbum", {"subject": f"pin/{pin['id']}"})
        self.assertIn("album", json.loads(out))

    def test_stream(self):
        """reads a stream of answers to its end"""
        out, _ = self.buf("waymark.rpc.v1.EchoService/EchoStream", {"payload": "aGk=", "count": 3})
        decoder, answers = json.JSONDecoder(), []
        while out.strip():
            answer, end = decoder.raw_decode(out.lstrip())
            answers.append(answer)
            out = out.lstrip()[end:]
        self.assertEqual([answer.get("index", 0) for answer in answers], [0, 1, 2])

    def test_error(self):
        """gets the code, the sentence and the field of an error"""
        _, told = self.buf("waymark.places.v1.PlacesService/Nearby", {"centre": {"latitude": 91}}, expected=24)
        error = json.loads(told)
        self.assertEqual(error["code"], "invalid_argument")
        self.assertIn("-90 to 90 degrees", error["message"])
        self.assertEqual(error["details"][0]["debug"]["fieldViolations"][0]["field"], "centre.latitude")

    def test_stream_error(self):
        """gets the error at the end of a stream too"""
        _, told = self.buf("waymark.pins.v1.PinService/WatchPin", {"id": "no-such-pin"}, expected=24)
        self.assertEqual(json.loads(told)["code"], "invalid_argument")


class ConnectPython(WithWaymark):
    """Connect's client for Python, with stubs that its plugin makes."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        stubs = tempfile.TemporaryDirectory(prefix="waymark-stubs-")
        cls.addClassCleanup(stubs.cleanup)
        cls.stubs = Path(stubs.name, "gen")
        subprocess.run(["buf", "generate", "--template", ROOT / "Examples/python/buf.gen.yaml", "--output", stubs.name],
                       cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE_S)
        sys.path.insert(0, str(cls.stubs))
        cls.addClassCleanup(sys.path.remove, str(cls.stubs))

    def echo(self, **more):
        from waymark.rpc.v1.echo_connect import EchoServiceClientSync
        return EchoServiceClientSync(self.system.http, **more)

    def test_codecs(self):
        """gets the same answers in JSON and in protobuf, packed and plain, by POST and by GET"""
        from connectrpc.codec import proto_binary_codec, proto_json_codec
        from connectrpc.compression.gzip import GzipCompression
        from waymark.rpc.v1.echo_pb import EchoRequest
        payload = bytes(range(256)) * 40
        for codec in (proto_binary_codec(), proto_json_codec()):
            for packed in (None, GzipCompression()):
                client = self.echo(codec=codec, send_compression=packed)
                for use_get in (False, True):
                    with self.subTest(codec=codec.name(), packed=packed is not None, get=use_get):
                        answer = client.echo(EchoRequest(payload=payload if not use_get else b"short"), use_get=use_get)
                        self.assertEqual(answer.payload, payload if not use_get else b"short")

    def test_stream(self):
        """reads a stream of answers to its end, and leaves another one early"""
        from waymark.rpc.v1.echo_pb import EchoStreamRequest
        request = EchoStreamRequest(payload=b"x" * 1000, count=2000)
        self.assertEqual([answer.index for answer in self.echo().echo_stream(request)], list(range(2000)))
        first = next(iter(self.echo().echo_stream(EchoStreamRequest(payload=b"x", count=1_000_000))))
        self.assertEqual(first.index, 0)
        self.assertEqual(len(list(self.echo().echo_stream(EchoStreamRequest(count=1)))), 1)

    def test_deadline(self):
        """gets DEADLINE_EXCEEDED when its own deadline is over"""
        from connectrpc.code import Code
        from connectrpc.errors import ConnectError
        from protobuf.wkt import Duration
        from waymark.rpc.v1.echo_pb import EchoRequest
        with self.assertRaises(ConnectError) as caught:
            self.echo().echo(EchoRequest(delay=Duration(seconds=5)), timeout_ms=50)
        self.assertEqual(caught.exception.code, Code.DEADLINE_EXCEEDED)

    def test_errors(self):
        """gets the code of its error"""
        from connectrpc.code import Code
        from connectrpc.errors import ConnectError
        from waymark.pins.v1.pins_connect import PinServiceClientSync
        from waymark.pins.v1.pins_pb import CreatePinRequest, GetPinRequest
        pins = PinServiceClientSync(self.system.http)
        with self.assertRaises(ConnectError) as caught:
            pins.get_pin(GetPinRequest(id="01a20100-0b2b-70b9-bef8-5db974030c10"))
        self.assertEqual(caught.exception.code, Code.NOT_FOUND)
        with self.assertRaises(ConnectError) as caught:
            pins.create_pin(CreatePinRequest())
        self.assertEqual(caught.exception.code, Code.INVALID_ARGUMENT)

    def test_walk(self):
        """goes the whole way of Examples/python/walk.py: a pin, its colours, its album, a picture"""
        (self.folder / "gen").symlink_to(self.stubs)
        out, _ = self.execute(sys.executable, ROOT / "Examples/python/walk.py", self.system.http, "picture.jpg")
        self.assertIn(": ready, ", out)
        self.assertEqual((self.folder / "picture.jpg").read_bytes()[:3], b"\xff\xd8\xff")


class FailingPin(http.server.BaseHTTPRequestHandler):
    """Answers for a gateway whose pins fail. A watch continues until the client disconnects."""

    pin = {"id": "p1", "name": "Home", "state": "PIN_STATE_FAILED",
           "searches": [{"network": "catalog", "warning": "it can't be reached"}]}
    album = {}

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(json.dumps({"pin": self.pin}))

    def do_GET(self):
        news = {"pin": self.pin} if "WatchPin" in self.path else {"album": self.album}
        self.answer(f"data: {json.dumps({'message': news})}\n\n")
        self.rfile.read(1)

    def answer(self, text):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


class EmptyAlbum(FailingPin):
    """The same for a gateway that finds no photo for its pins."""

    pin = {"id": "p1", "name": "Home", "state": "PIN_STATE_READY", "placeCount": 1}
    album = {"subject": "pin/p1", "summary": {"state": "ALBUM_STATE_EMPTY"}}


class Shell(WithWaymark):
    """What a person types, and a program that knows HTTP alone."""

    def test_deadline(self):
        """gets the end of its deadline from the gateway itself, which does not wait for a late service"""
        status, answer = self.system.web().call("waymark.rpc.v1.EchoService/Echo", {"delay": "5s"},
                                                Connect_Timeout_Ms="50")
        self.assertEqual((status, answer["code"]), (504, "deadline_exceeded"))

    def test_walk(self):
        """goes the whole way of Examples/curl/walk.sh: a pin, its colours, its album, a picture"""
        out, _ = self.execute(ROOT / "Examples/curl/walk.sh", self.system.http, "picture.jpg")
        self.assertIn("PIN_STATE_READY", out)
        self.assertIn("picture.jpg: ", out)
        self.assertEqual((self.folder / "picture.jpg").read_bytes()[:3], b"\xff\xd8\xff")

    def test_walk_that_fails(self):
        """reads from Examples/curl/walk.sh why there is no picture, and does not wait for more"""
        for gateway, out, told in [
                (FailingPin, "Home: PIN_STATE_FAILED, 0 places\n", "catalog: it can't be reached\n"),
                (EmptyAlbum, "Home: PIN_STATE_READY, 1 places\n", "the album has no picture\n")]:
            with self.subTest(gateway.__name__):
                url = self.served(gateway)
                walk = self.execute(ROOT / "Examples/curl/walk.sh", url, "picture.jpg", expected=1)
                self.assertEqual(walk, (out, told))

    def served(self, handler):
        """The address of a gateway that such a handler answers for, as long as the test runs."""
        gateway = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.addCleanup(gateway.server_close)
        threading.Thread(target=gateway.serve_forever, daemon=True).start()
        self.addCleanup(gateway.shutdown)
        return f"http://127.0.0.1:{gateway.server_port}"

    def test_documents(self):
        """types every curl line of README.md and Docs/Clients.md, one after the other"""
        # A person types slowly; by the time a picture is asked for, it is there.
        ready_photo(self.system.web(), self.system.web(), new_pin(self.system.web()))
        for name in ("README.md", "Docs/Clients.md"):
            typed = commands((ROOT / name).read_text())
            with self.subTest(name):
                self.type(name, typed)

    def type(self, name, typed):
        """The commands in one shell, since one may use what another has found out."""
        script = (ROOT / "Tests/ClientTests/typed.sh").read_text() + "\n".join(typed).replace(WRITTEN, self.system.http)
        out, told = self.execute("bash", "-c", script, "typed")
        calls = sum(command.count("curl ") for command in typed)
        self.assertEqual(told.count("typed: "), calls, f"{name}:\n{out[-2000:]}\n{told[-2000:]}")


def main():
    reason = lacks_programs()
    return skipped(reason) if reason else run(names=sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
