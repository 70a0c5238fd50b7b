"""Makes the request of a case, and reads the answer as the protocol says: https://connectrpc.com/docs/protocol."""

import base64
import http.client
import json
import ssl
import urllib.parse
from dataclasses import dataclass, field

from cases import GET, SERVER, CODES
from messages import COMPRESSED, END, decode, encode, envelope, envelopes, need, packed, payload, unpacked

SERVICE = "/waymark.rpc.v1.EchoService"
# What a client makes of an error of HTTP that has no code of its own.
CODE_OF_STATUS = {400: "internal", 401: "unauthenticated", 403: "permission_denied", 404: "unimplemented",
                  429: "unavailable", 502: "unavailable", 503: "unavailable", 504: "unavailable"}


@dataclass
class Outcome:
    status: int
    answers: list = field(default_factory=list)
    code: str | None = None
    message: str = ""


class Client:
    """A connection that is kept for many calls, and opened again when the server has closed it."""

    def __init__(self, address, authority=None, limit=0):
        self.address, self.limit = address, limit
        self.context = ssl.create_default_context(cafile=authority) if authority else None
        self.connection = None

    def send(self, verb, path, headers, body):
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
                return response, answer
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

    # The requests

    def call(self, case, codec, compression):
        if case.raw:
            return self.raw(case)
        stream = case.kind == SERVER
        # The envelope of a message that is not packed counts as a part of the body.
        room = self.limit - (5 if stream and compression == "identity" else 0)
        data = payload(case.requests[0], case.kind, room)
        message = packed(encode(data, codec), compression)
        if case.kind == GET:
            return self.get(case, codec, encode(data, codec), data)
        headers = [("Connect-Protocol-Version", "1")]
        if case.timeout_ms:
            headers.append(("Connect-Timeout-Ms", str(case.timeout_ms)))
        prefix = "Connect-" if stream else ""
        headers.append((f"{prefix}Accept-Encoding", compression))
        if compression != "identity":
            headers.append((f"{prefix}Content-Encoding", compression))
        if not stream:
            headers.append(("Content-Type", f"application/{codec}"))
            return unary(self.send("POST", f"{SERVICE}/Echo", headers, message), codec), data
        headers.append(("Content-Type", f"application/connect+{codec}"))
        flags = COMPRESSED if compression != "identity" else 0
        answer = self.send("POST", f"{SERVICE}/EchoStream", headers, envelope(flags, message))
        return streamed(answer, codec), data

    def get(self, case, codec, message, data):
        query = {"connect": "v1", "encoding": codec, "message": message.decode()}
        if codec == "proto":
            query["message"] = base64.urlsafe_b64encode(message).decode().rstrip("=")
            query["base64"] = "1"
        path = f"{SERVICE}/Echo?{urllib.parse.urlencode(query)}"
        return unary(self.send("GET", path, [], b""), codec), data

    def raw(self, case):
        raw, stream = case.raw, case.kind == SERVER
        method = "Unknown/Method" if raw.path == "unknown" else "EchoStream" if stream else "Echo"
        path = f"/unknown.v1.{method}" if raw.path == "unknown" else f"{SERVICE}/{method}"
        headers = raw.headers or [("Content-Type", "application/proto")]
        body = raw.body if raw.frames is None else b"".join(envelope(*frame) for frame in raw.frames)
        answer = self.send(raw.verb, path, headers, body)
        return (streamed if stream else unary)(answer, "proto"), b""


# The answers

def unary(answer, codec):
    response, body = answer
    kind = response.getheader("Content-Type", "")
    if response.status == 200:
        need(kind == f"application/{codec}", f"the answer is of type {kind}")
        return Outcome(200, [decode(unpacked(body, response.getheader("Content-Encoding")), codec)])
    outcome = Outcome(response.status, code=CODE_OF_STATUS.get(response.status, "unknown"))
    if kind == "application/json":
        error = json.loads(unpacked(body, response.getheader("Content-Encoding")))
        outcome.code, outcome.message = checked(error), error.get("message", "")
    return outcome


def streamed(answer, codec):
    response, body = answer
    if response.status != 200:
        return Outcome(response.status, code=CODE_OF_STATUS.get(response.status, "unknown"))
    kind = response.getheader("Content-Type", "")
    need(kind == f"application/connect+{codec}", f"the answer is of type {kind}")
    found = envelopes(body)
    need(found and found[-1][0] & END, "the stream has no end")
    outcome = Outcome(200)
    compression = response.getheader("Connect-Content-Encoding")
    for flags, message in found:
        need(flags & ~(COMPRESSED | END) == 0, f"the flags are {flags}")
        if flags & COMPRESSED:
            need(compression not in (None, "identity"), "a message is compressed, and no header says how")
            message = unpacked(message, compression)
        if not flags & END:
            outcome.answers.append(decode(message, codec))
    need(sum(1 for flags, _ in found if flags & END) == 1, "the stream has more than one end")
    # No loop has changed it since: the last envelope is the end.
    end = json.loads(message)
    need(isinstance(end, dict) and set(end) <= {"error", "metadata"}, f"the end of the stream is {end}")
    if "error" in end:
        outcome.code, outcome.message = checked(end["error"]), end["error"].get("message", "")
    return outcome


def checked(error):
    """The code of an error whose form is right."""
    need(isinstance(error, dict) and error.get("code") in CODES, f"an error is {error}")
    need(isinstance(error.get("message", ""), str), f"an error's message is {error.get('message')}")
    for detail in error.get("details", []):
        need("." in detail["type"] and "/" not in detail["type"], f"a detail is of type {detail['type']}")
        need("=" not in detail["value"], "a detail's base64 is padded")
        base64.b64decode(detail["value"] + "=" * (-len(detail["value"]) % 4), validate=True)
    return error["code"]
