"""What is common to the protocols: where a call goes, its messages, and what came of it."""

from dataclasses import dataclass, field

from cases import CLIENT, FULL, GET, HALF, SERVER, UNARY, CODES
from messages import COMPRESSED, decode, encode, envelope, need, packed, payload, unpacked

SERVICE = "/waymark.rpc.v1.EchoService"
METHOD = {UNARY: "Echo", GET: "Echo", SERVER: "EchoStream", CLIENT: "EchoJoined", HALF: "EchoEach", FULL: "EchoEach"}
# What a client makes of an error of HTTP that has no code of its own.
CODE_OF_STATUS = {400: "internal", 401: "unauthenticated", 403: "permission_denied", 404: "unimplemented",
                  429: "unavailable", 502: "unavailable", 503: "unavailable", 504: "unavailable"}


@dataclass
class Outcome:
    status: int
    answers: list = field(default_factory=list)
    code: str | None = None
    message: str = ""

    @classmethod
    def of_http(cls, status):
        return cls(status, code=CODE_OF_STATUS.get(status, "unknown"))


class Client:
    """One protocol over one connection."""

    def __init__(self, http, limit):
        self.http, self.limit = http, limit

    def path(self, case):
        if case.raw and case.raw.path == "unknown":
            return f"/unknown.v1.Unknown/{'EchoStream' if case.kind == SERVER else 'Method'}"
        return f"{SERVICE}/{METHOD[case.kind]}"

    def payloads(self, case, compression, is_enveloped):
        """The payloads of the requests. An envelope that is not packed counts where a whole body has the limit of a
        message."""
        takes_stream = case.kind in (CLIENT, HALF, FULL)
        is_whole = is_enveloped and compression == "identity" and not (takes_stream and self.http.takes_parts)
        room = self.limit - (5 if is_whole else 0)
        return [payload(request, room, case.kind == FULL) for request in case.requests]

    @staticmethod
    def enveloped(payloads, codec, compression):
        flags = COMPRESSED if compression != "identity" else 0
        return [envelope(flags, packed(encode(data, codec), compression)) for data in payloads]

    def close(self):
        self.http.close()


def message(flags, data, compression, codec):
    """The answer in an envelope."""
    if flags & COMPRESSED:
        need(compression not in (None, "identity"), "a message is compressed, and no header says how")
        data = unpacked(data, compression)
    return decode(data, codec)


def code(name):
    need(name in CODES, f"the code is {name}")
    return name
