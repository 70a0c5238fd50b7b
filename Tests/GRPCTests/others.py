"""Clients that others wrote, for HTTP/2: buf curl, Connect's client for Python, curl."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from gateways import ECHO, WithSystem
from waymark_system import PATIENCE_S, ROOT, new_pin, quoted, ready_photo


class BufCurl(WithSystem):
    """It knows no schema: it asks by reflection, by the same protocol."""

    def buf(self, protocol, method, *requests, expected=0):
        done = subprocess.run(
            ["buf", "curl", "--protocol", protocol, "--http2-prior-knowledge", "--data", "@-",
             f"{self.system.http}/{method}"],
            input="".join(map(json.dumps, requests)), capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, expected, done.stderr)
        return done.stdout + done.stderr

    def test_protocols(self):
        """calls of each kind, and an error, by gRPC, gRPC-Web and Connect"""
        for protocol in ("grpc", "grpcweb", "connect"):
            with self.subTest(protocol):
                one, two = {"payload": "aGVs"}, {"payload": "bG8="}
                self.assertEqual(json.loads(self.buf(protocol, f"{ECHO}/Echo", one)), one)
                self.assertEqual(self.buf(protocol, f"{ECHO}/EchoStream", {"count": 3}).count("{"), 3)
                joined = json.loads(self.buf(protocol, f"{ECHO}/EchoJoined", one, two))
                self.assertEqual(joined, {"payload": "aGVsbG8=", "count": 2})
                self.assertEqual(self.buf(protocol, f"{ECHO}/EchoEach", one, two).count("payload"), 2)
                centre = {"latitude": 91, "longitude": 24.9384}
                error = self.buf(protocol, "waymark.places.v1.PlacesService/Nearby", {"centre": centre}, expected=24)
                self.assertIn("-90 to 90 degrees", error)


class ConnectPython(WithSystem):
    """Connect's client for Python over HTTP/2, by each of its protocols, with stubs that its plugin makes."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        stubs = tempfile.TemporaryDirectory(prefix="waymark-stubs-")
        cls.addClassCleanup(stubs.cleanup)
        subprocess.run(["buf", "generate", "--template", ROOT / "Examples/python/buf.gen.yaml", "--output", stubs.name,
                        "--path", "Protos/waymark/rpc"],
                       cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE_S)
        sys.path.insert(0, str(Path(stubs.name, "gen")))
        cls.addClassCleanup(sys.path.remove, str(Path(stubs.name, "gen")))

    def test_protocols(self):
        """streams of each kind by Connect, gRPC and gRPC-Web"""
        from connectrpc.protocol import ProtocolType
        from pyqwest import HTTPVersion, SyncClient, SyncHTTPTransport
        from waymark.rpc.v1.echo_connect import EchoServiceClientSync
        from waymark.rpc.v1.echo_pb import EchoEachRequest, EchoJoinedRequest, EchoRequest, EchoStreamRequest
        for protocol in (ProtocolType.CONNECT, ProtocolType.GRPC, ProtocolType.GRPC_WEB):
            with self.subTest(protocol=protocol):
                http = SyncClient(SyncHTTPTransport(http_version=HTTPVersion.HTTP2))
                echo = EchoServiceClientSync(self.system.http, protocol=protocol, http_client=http)
                payload = bytes(range(256)) * 40
                self.assertEqual(echo.echo(EchoRequest(payload=payload)).payload, payload)
                answers = echo.echo_stream(EchoStreamRequest(payload=b"x", count=100))
                self.assertEqual([answer.index for answer in answers], list(range(100)))
                joined = echo.echo_joined(EchoJoinedRequest(payload=b"ab") for _ in range(3))
                self.assertEqual((joined.payload, joined.count), (b"ababab", 3))
                each = echo.echo_each(EchoEachRequest(payload=b"%d" % index) for index in range(3))
                self.assertEqual([answer.payload for answer in each], [b"0", b"1", b"2"])


class Curl(WithSystem):
    """What HTTP/1.1 answers too. Tiles are in TileTests, which has some."""

    def curl(self, path, *words, expected=0):
        """Its version of HTTP, its status, and the body."""
        out = self.execute("curl", "--silent", "--show-error", "--write-out", "\n%{http_version} %{http_code}",
                           *words, f"{self.system.http}{path}", expected=expected)
        body, _, end = out.rpartition(b"\n")
        return end.decode(), body

    def test_pages(self):
        """pages, by prior knowledge, and by HTTP/1.1 for a client that would like to change"""
        told, page = self.curl("/", "--http2-prior-knowledge")
        self.assertEqual(told, "2 200")
        self.assertIn(b"<title>", page)
        self.assertEqual(self.curl("/", "--http2"), ("1.1 200", page))
        self.assertEqual(self.curl("/no/such/page", "--http2-prior-knowledge")[0], "2 404")

    def test_call(self):
        """a call in JSON, and a body of a megabyte"""
        for payload in ("aGVsbG8=", "YWFh" * 250_000):
            with tempfile.NamedTemporaryFile() as body:
                body.write(json.dumps({"payload": payload}).encode())
                body.flush()
                told, answer = self.curl(f"/{ECHO}/Echo", "--http2-prior-knowledge", "--data-binary", f"@{body.name}",
                                         "--header", "Content-Type: application/json")
                self.assertEqual((told, json.loads(answer)), ("2 200", {"payload": payload}))

    def test_picture(self):
        """a picture, a part of it, and that it has not changed"""
        photo = ready_photo(self.system.web(), self.system.web(), new_pin(self.system.web()))
        told, picture = self.curl(photo["thumbnailUrl"], "--http2-prior-knowledge")
        self.assertEqual((told, picture[:3]), ("2 200", b"\xff\xd8\xff"))
        part = self.curl(photo["thumbnailUrl"], "--http2-prior-knowledge", "--range", "100-299")
        self.assertEqual(part, ("2 206", picture[100:300]))
        head = self.execute("curl", "--silent", "--head", "--http2-prior-knowledge",
                            f"{self.system.http}{photo['thumbnailUrl']}").decode()
        self.assertIn(f"content-length: {len(picture)}", head)
        tag = re.search(r"etag: (.*)\r", head)[1]
        told = self.curl(photo["thumbnailUrl"], "--http2-prior-knowledge", "--header", f"If-None-Match: {tag}")
        self.assertEqual(told, ("2 304", b""))

    def test_events(self):
        """events, which come while the stream goes on"""
        watch = quoted("waymark.pins.v1.PinService/WatchPins")
        told, events = self.curl(f"/events?watch={watch}", "--http2-prior-knowledge", "--max-time", "1", expected=28)
        self.assertEqual(told, "2 200")
        self.assertIn(b'"isWhole":true', events)
