"""P42 What can be read in two ways is harmless behind real proxies: no request of one client becomes one of another."""

import http.client
import select
import socket
import tempfile
import unittest
from pathlib import Path

from attacks import GOOD, SHAPES, attacks
from careless import Careless
from proxies import Caddy, HAProxy, Nginx
from tap import Tap
from waymark_system import PATIENCE_S, Program


class Behind(unittest.TestCase):
    """A proxy whose connections to the server are kept open and used again, by an attacker and by an honest client.

    The proxy puts `seen-` before the name of each request that it knows of. A request that only the server sees keeps
    the name that the attacker gave it, and its answer contains it.
    """

    Proxy = None

    def setUp(self):
        if not self.Proxy.program():
            self.skipTest(f"there is no {self.Proxy.__name__.lower()} (script/bootstrap test)")

    def test_gateway(self):
        """lets no bad request carry another to the gateway"""
        self.assertEqual(self.wrong_answers(Gateway(), [GOOD, *SHAPES]), [])

    def test_seen(self):
        """would be seen to carry one to a server that takes a body for a request"""
        wrong = self.wrong_answers(Careless(), [GOOD])
        self.assertTrue(any("honest" in one for one in wrong), wrong)
        self.assertTrue(any("connection" in one for one in wrong), wrong)

    def wrong_answers(self, server, shapes):
        """What came that was no answer to the request that the proxy had passed on."""
        self.addCleanup(server.stop)
        tap = Tap(server.address)
        proxy = self.Proxy(tap.address)
        try:
            wrong = [line for name, attack in attacks(shapes) for line in self.played(proxy, name, attack)]
        finally:
            proxy.stop()
            server.stop()
            tap.stop()
        for connection in tap.carried:
            asked, answered = connection.asked(), connection.answered()
            if answered != asked[:len(answered)]:
                wrong.append(f"on one connection were asked {asked}, and answered {answered}")
        self.assertTrue(any(one.reused() for one in tap.carried), "no connection was used again")
        return wrong

    def played(self, proxy, name, attack):
        """An attacker sends all its bytes and reads all answers; then an honest client sends a request."""
        said = exchanged(proxy.address, attack, proxy.first_byte_s)
        if f"X-Request-Id: {name}".lower().encode() in said.lower():
            yield f"{name} was answered for {attack!r}"
        web = http.client.HTTPConnection(*proxy.address, timeout=PATIENCE_S)
        web.request("GET", "/openapi.json", headers={"Host": "x", "X-Request-Id": f"honest-{name}"})
        answer = web.getresponse()
        answer.read()
        web.close()
        got = answer.status, answer.headers["X-Request-Id"]
        if got != (200, f"seen-honest-{name}"):
            yield f"after {attack!r} the honest client got {got}"


class Gateway(Program):
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="waymark-smuggling-")
        key = Path(self.folder.name, "key")
        key.write_text("5f" * 32 + "\n")
        key.chmod(0o600)
        super().__init__(self.folder.name, "gateway", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0",
                         "--data", self.folder.name, "--key-file", key, "--rate", 1_000_000, "--web", "none",
                         "--trusted-proxies", "127.0.0.1", "--public-url", "http://x")
        host, _, port = self.ready["http"].removeprefix("http://").partition(":")
        self.address = host, int(port)

    def stop(self):
        super().stop()
        self.folder.cleanup()


def exchanged(address, words, wait_s):
    """The answers of a server to a client that closes its sending half: at once, or when an answer has begun.

    Some of the bytes are no whole request for some readers, so no answer begins before that.
    """
    heard = b""
    with socket.create_connection(address, PATIENCE_S) as attacker:
        try:
            attacker.sendall(words)
            select.select([attacker], [], [], wait_s)
            attacker.shutdown(socket.SHUT_WR)
            while piece := attacker.recv(1 << 16):
                heard += piece
        except TimeoutError:
            raise
        except OSError:
            # A server that refuses need not read to the end.
            pass
    return heard


class BehindNginx(Behind):
    Proxy = Nginx


class BehindHAProxy(Behind):
    Proxy = HAProxy


class BehindCaddy(Behind):
    Proxy = Caddy


del Behind
