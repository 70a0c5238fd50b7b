"""A wire between a proxy and the server behind it that keeps what it carries."""

import contextlib
import re
import socket
import threading


class Tap:
    """Passes bytes on both ways, unchanged, each connection on one of its own."""

    def __init__(self, server):
        self.server, self.carried, self.threads = server, [], []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.address = "%s:%d" % self.listener.getsockname()
        self.accepting = threading.Thread(target=self.accept)
        self.accepting.start()

    def accept(self):
        while True:
            try:
                proxy, _ = self.listener.accept()
                server = socket.create_connection(self.server)
            except OSError:
                return
            carried = Carried()
            self.carried.append(carried)
            for one in (proxy, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for source, sink, kept in ((proxy, server, carried.requests), (server, proxy, carried.answers)):
                self.threads.append(threading.Thread(target=carry, args=(source, sink, kept)))
                self.threads[-1].start()

    def stop(self):
        """Once the proxy and the server are gone. All that the server has answered is there after this."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.accepting.join()
        self.listener.close()
        for thread in self.threads:
            thread.join()


class Carried:
    """What went over one connection."""

    def __init__(self):
        self.requests, self.answers = bytearray(), bytearray()

    def asked(self):
        """The names that the proxy gave to its requests, in order."""
        return re.findall(rb"(?im)^X-Request-Id: (seen-.*?)\r?$", self.requests)

    def answered(self):
        """The names of the requests that the server answered, in order."""
        return re.findall(rb"(?im)^X-Request-Id: ((?:seen|hidden)-.*?)\r?$", self.answers)

    def reused(self):
        """Whether an honest client has come after an attacker, who gives a bad request no name."""
        asked = self.asked()
        return b"seen-" in asked and any(one.startswith(b"seen-honest-") for one in asked[asked.index(b"seen-"):])


def carry(source, sink, kept):
    """Until the source has ended. What it sent goes into `kept` before the receiver can have read it."""
    with contextlib.suppress(ConnectionError):
        while piece := source.recv(1 << 16):
            kept += piece
            # A peer that reads no more is still read from.
            with contextlib.suppress(OSError):
                sink.sendall(piece)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)
