"""Makes the request of a case, and reads the answer as the protocol says: https://connectrpc.com/docs/protocol."""

import base64
import json
import urllib.parse

from cases import FULL, GET, UNARY
from client import SERVICE, Client, Outcome, code, message
from messages import COMPRESSED, END, decode, encode, envelope, envelopes, need, packed, unpacked


class Connect(Client):
    def call(self, case, codec, compression):
        """What came, and the payloads of the requests."""
        if case.raw:
            return self.raw(case), []
        stream = case.kind not in (UNARY, GET)
        payloads = self.payloads(case, compression, stream)
        if case.kind == GET:
            return self.get(codec, encode(payloads[0], codec)), payloads
        headers = [("Connect-Protocol-Version", "1")]
        if case.timeout_ms:
            headers.append(("Connect-Timeout-Ms", str(case.timeout_ms)))
        prefix = "Connect-" if stream else ""
        headers.append((f"{prefix}Accept-Encoding", compression))
        if compression != "identity":
            headers.append((f"{prefix}Content-Encoding", compression))
        headers.append(("Content-Type", f"application/{'connect+' if stream else ''}{codec}"))
        if stream:
            pieces = self.enveloped(payloads, codec, compression)
            return streamed(self.http.send("POST", self.path(case), headers, pieces, case.kind == FULL),
                            codec), payloads
        pieces = [packed(encode(payloads[0], codec), compression)]
        return unary(self.http.send("POST", self.path(case), headers, pieces), codec), payloads

    def get(self, codec, data):
        query = {"connect": "v1", "encoding": codec, "message": data.decode()}
        if codec == "proto":
            query["message"] = base64.urlsafe_b64encode(data).decode().rstrip("=")
            query["base64"] = "1"
        return unary(self.http.send("GET", f"{SERVICE}/Echo?{urllib.parse.urlencode(query)}", [], []), codec)

    def raw(self, case):
        raw = case.raw
        headers = raw.headers or [("Content-Type", "application/proto")]
        pieces = [raw.body] if raw.frames is None else [envelope(*frame) for frame in raw.frames]
        answer = self.http.send(raw.verb, self.path(case), headers, pieces)
        return unary(answer, "proto") if case.kind == UNARY else streamed(answer, "proto")


# The answers

def unary(answer, codec):
    kind = answer.headers.get("content-type", "")
    encoding = answer.headers.get("content-encoding")
    if answer.status == 200:
        need(kind == f"application/{codec}", f"the answer is of type {kind}")
        return Outcome(200, [decode(unpacked(answer.body, encoding), codec)])
    outcome = Outcome.of_http(answer.status)
    if kind == "application/json":
        error = json.loads(unpacked(answer.body, encoding))
        outcome.code, outcome.message = checked(error), error.get("message", "")
    return outcome


def streamed(answer, codec):
    if answer.status != 200:
        return Outcome.of_http(answer.status)
    kind = answer.headers.get("content-type", "")
    need(kind == f"application/connect+{codec}", f"the answer is of type {kind}")
    found = envelopes(answer.body)
    need(found and found[-1][0] & END, "the stream has no end")
    compression = answer.headers.get("connect-content-encoding")
    need(all(flags & ~(COMPRESSED | END) == 0 for flags, _ in found), "an envelope has unknown flags")
    need(sum(1 for flags, _ in found if flags & END) == 1, "the stream has more than one end")
    outcome = Outcome(200, [message(flags, data, compression, codec) for flags, data in found[:-1]])
    flags, end = found[-1]
    end = json.loads(unpacked(end, compression) if flags & COMPRESSED else end)
    need(isinstance(end, dict) and set(end) <= {"error", "metadata"}, f"the end of the stream is {end}")
    if "error" in end:
        outcome.code, outcome.message = checked(end["error"]), end["error"].get("message", "")
    return outcome


def checked(error):
    """The code of an error whose form is right."""
    need(isinstance(error, dict), f"an error is {error}")
    need(isinstance(error.get("message", ""), str), f"an error's message is {error.get('message')}")
    for detail in error.get("details", []):
        need("." in detail["type"] and "/" not in detail["type"], f"a detail is of type {detail['type']}")
        need("=" not in detail["value"], "a detail's base64 is padded")
        base64.b64decode(detail["value"] + "=" * (-len(detail["value"]) % 4), validate=True)
    return code(error.get("code"))
