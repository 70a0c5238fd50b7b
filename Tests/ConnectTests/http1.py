"""HTTP/1.1, by Python's own client: a whole request, then a whole answer."""

import http.client
import ssl
from dataclasses import dataclass, field


@dataclass
class Answer:
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    trailers: dict[str, str] = field(default_factory=dict)


class HTTP1:
    """A connection that is kept for many calls, and opened again when the server has closed it."""

    # Whether a body may be longer than the server's limit of one message.
    takes_parts = False

    def __init__(self, address, authority=None):
        self.address = address
        self.context = ssl.create_default_context(cafile=authority) if authority else None
        self.connection = None

    def send(self, verb, path, headers, pieces, is_full=False):
        assert not is_full, "HTTP/1.1 can't"
        body = b"".join(pieces)
        for attempt in range(2):
            self.connection = self.connection or self.open()
            try:
                self.connection.putrequest(verb, path, skip_accept_encoding=True)
                for name, value in headers:
                    self.connection.putheader(name, value)
                self.connection.putheader("Content-Length", str(len(body)))
                self.connection.endheaders()
                self.write(body)
                response = self.connection.getresponse()
                answer = response.read()
                if response.will_close:
                    self.close()
                return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, answer)
            except (http.client.HTTPException, OSError):
                self.close()
                if attempt:
                    raise

    def write(self, body):
        try:
            self.connection.send(body)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            # It was refused by its head; the answer is there.
            pass

    def open(self):
        host, port = self.address.rsplit(":", 1)
        if self.context:
            return http.client.HTTPSConnection(host, int(port), context=self.context, timeout=60)
        return http.client.HTTPConnection(host, int(port), timeout=60)

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None
