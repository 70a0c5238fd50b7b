"""gRPC and gRPC-Web, as https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md and PROTOCOL-WEB.md say."""

import base64
import urllib.parse

from cases import CODES, FULL
from client import Client, Outcome, message
from messages import COMPRESSED, TRAILERS, envelope, envelope_count, envelopes, fields, need


class GRPC(Client):
    """Over HTTP/2: how a call ended comes behind its answers, in trailers."""

    kind = "application/grpc"
    headers = [("TE", "trailers")]

    def call(self, case, codec, compression):
        """What came, and the payloads of the requests."""
        if case.raw:
            return self.raw(case)
        payloads = self.payloads(case, compression, True)
        headers = [("Content-Type", f"{self.kind}+{codec}"), *self.headers, ("grpc-accept-encoding", compression)]
        if case.timeout_ms:
            headers.append(("grpc-timeout", f"{case.timeout_ms}m"))
        if compression != "identity":
            headers.append(("grpc-encoding", compression))
        pieces = self.enveloped(payloads, codec, compression)
        answer = self.http.send("POST", self.path(case), headers, self.written(pieces), case.kind == FULL)
        return self.read(answer, codec, f"{self.kind}+{codec}"), payloads

    def raw(self, case):
        raw = case.raw
        headers = raw.headers
        if "Content-Type" not in dict(headers):
            headers = [("Content-Type", f"{self.kind}{raw.grpc_kind}"), *self.headers, *headers]
        pieces = [raw.body] if raw.frames is None else [envelope(*frame) for frame in raw.frames]
        payloads = []
        if case.requests and raw.frames is None:
            payloads = self.payloads(case, "identity", True)
            pieces = self.enveloped(payloads, "proto", "identity")
        answer = self.http.send(raw.verb, self.path(case), headers, self.written(pieces))
        return self.read(answer, "proto", dict(headers)["Content-Type"]), payloads

    @staticmethod
    def written(pieces):
        return pieces

    def read(self, answer, codec, kind):
        if answer.status != 200:
            return Outcome.of_http(answer.status)
        given = answer.headers.get("content-type", "")
        need(given == kind, f"the answer is of type {given}, not {kind}")
        body, end = self.parts(answer)
        compression = answer.headers.get("grpc-encoding")
        need(all(flags & ~COMPRESSED == 0 for flags, _ in body), "an envelope has unknown flags")
        outcome = Outcome(200, [message(flags, data, compression, codec) for flags, data in body])
        need("grpc-status" in end, f"no status comes at the end: {end}")
        status = int(end["grpc-status"])
        told = end.get("grpc-message", "")
        need(all(0x20 <= ord(letter) < 0x7f for letter in told), "a message is not escaped")
        outcome.message = urllib.parse.unquote(told, errors="strict")
        if status:
            outcome.code = CODES[status - 1]
        if "grpc-status-details-bin" in end:
            self.check_details(end["grpc-status-details-bin"], status, outcome.message)
        return outcome

    def parts(self, answer):
        """The envelopes with messages, and the fields at the end."""
        return envelopes(answer.body), answer.trailers if "grpc-status" in answer.trailers else answer.headers

    @staticmethod
    def check_details(text, status, told):
        found = fields(base64.b64decode(text + "=" * (-len(text) % 4), validate=True))
        need(found.get(1) == [status], f"the details have the code {found.get(1)}")
        need(found.get(2, [b""]) == [told.encode()], f"the details have the message {found.get(2)}")
        for detail in found.get(3, []):
            need(b"/" in fields(detail)[1][0], "a detail's type is no URL")


class GRPCWeb(GRPC):
    """Over any HTTP: the end is the last envelope of the body."""

    kind = "application/grpc-web"
    headers = [("X-Grpc-Web", "1")]

    def parts(self, answer):
        found = envelopes(answer.body)
        if not found and "grpc-status" in answer.headers:
            return [], answer.headers
        need(found and found[-1][0] & TRAILERS, "the body has no end")
        lines = found[-1][1].decode("ascii").split("\r\n")
        need(lines.pop() == "", "the last field at the end has no line break")
        pairs = [line.split(":", 1) for line in lines]
        need(all(name == name.lower() for name, _ in pairs), "a field at the end is not in lower case")
        return found[:-1], {name: value.strip() for name, value in pairs}


class GRPCWebText(GRPCWeb):
    """The same in base64, each piece by itself."""

    kind = "application/grpc-web-text"

    @staticmethod
    def written(pieces):
        return [base64.b64encode(piece) for piece in pieces]

    def parts(self, answer):
        padded = answer.body.replace(b"=", b"= ").replace(b"= =", b"==").split(b" ")
        answer.body = b"".join(base64.b64decode(piece, validate=True) for piece in padded)
        need(envelope_count(answer.body), "the body has no envelope")
        return super().parts(answer)
