"""The cases of Connect's conformance suite for a server, in our words.

Named as there, so that a failure can be looked up: https://github.com/connectrpc/conformance. What a case asks of its
method is in its requests, for the methods of EchoService that a test scripts; what must come is derived from that, as
there, or said by `expect`.
"""

from dataclasses import dataclass, field

UNARY, GET, SERVER, CLIENT, HALF, FULL = "unary", "get", "server", "client", "half-duplex", "full-duplex"
CODECS = ("proto", "json")
COMPRESSIONS = ("identity", "gzip")
CONNECT, GRPC, GRPC_WEB, GRPC_WEB_TEXT = "Connect", "gRPC", "gRPC-Web", "gRPC-Web text"
# The text is ours: it has no place in the suite.
PROTOCOLS = (CONNECT, GRPC, GRPC_WEB, GRPC_WEB_TEXT)


@dataclass
class Request:
    """One message, which says how it is to be answered."""

    answers: list[bytes] = field(default_factory=list)
    error: tuple[str, str] | None = None
    delay_ms: int = 0
    # Filled up to so many bytes more than the server takes; None to leave it as it is.
    size: int | None = None
    is_empty: bool = False


@dataclass
class Raw:
    """A request that no client would make."""

    verb: str = "POST"
    # "unknown" for a method that is not there.
    path: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    # Of a stream: the flags and bytes of each envelope; of a unary call None.
    frames: list[tuple[int, bytes]] | None = None
    body: bytes = b""
    # By gRPC: what stands behind the usual content type, "+proto".
    grpc_kind: str = ""


@dataclass
class Expect:
    """What must come, where it does not follow from the request."""

    code: str | None = None
    # Other codes that are as good.
    others: tuple[str, ...] = ()
    status: int | None = None


@dataclass
class Case:
    suite: str
    name: str
    kind: str
    requests: list[Request]
    expect: Expect | None = None
    timeout_ms: int | None = None
    raw: Raw | None = None
    codecs: tuple[str, ...] = CODECS
    compressions: tuple[str, ...] = COMPRESSIONS
    protocols: tuple[str, ...] = PROTOCOLS
    needs_tls: bool = False
    # Whether it wants headers or trailers from the method, or the method to see the caller's.
    has_metadata: bool = False

    @property
    def is_sized(self):
        return any(request.size is not None for request in self.requests)

    @property
    def title(self):
        return f"{self.suite}/{self.name}"


CODES = [
    "canceled", "unknown", "invalid_argument", "deadline_exceeded", "not_found", "already_exists", "permission_denied",
    "resource_exhausted", "failed_precondition", "aborted", "out_of_range", "unimplemented", "internal", "unavailable",
    "data_loss", "unauthenticated",
]
STATUS = dict(zip(CODES, [499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401]))
WORD = {UNARY: "unary", SERVER: "server-stream", CLIENT: "client-stream", HALF: "bidi-stream/half-duplex",
        FULL: "bidi-stream/full-duplex"}
ONE, TWO = [b"one answer"], [b"an answer", b"and another"]


def answers(kind):
    return list(ONE if kind in (UNARY, CLIENT) else TWO)


def sent(kind, first):
    """A stream of requests has another message behind the one that says what to do."""
    return [first, Request(is_empty=True)] if kind in (CLIENT, HALF, FULL) else [first]


def basic():
    for kind in WORD:
        yield Case("Basic", f"{WORD[kind]}/success", kind, sent(kind, Request(answers(kind))), has_metadata=True)
    for kind in (SERVER, HALF):
        yield Case("Basic", f"{WORD[kind]}/no-responses", kind, [Request()], has_metadata=True)
    yield Case("Basic", "unimplemented", UNARY, [Request()], Expect("unimplemented"),
               raw=Raw(path="unknown"))


def dashed(code):
    return code.replace("_", "-")


def errors():
    for code in CODES:
        for kind in (UNARY, SERVER):
            yield Case("Errors", f"{WORD[kind]}/{dashed(code)}", kind, [Request(error=(code, code.replace("_", " ")))])
    for kind in (UNARY, CLIENT, SERVER, HALF):
        word = WORD[kind].removesuffix("/half-duplex")
        failed = Request(error=("unauthenticated", "who are you?"))
        yield Case("Errors", f"{word}/error-with-metadata", kind, [failed], has_metadata=True)
    strange = Request(error=("internal", "\n a tab:\t a sign: ☂ and one beyond 16 bits: 𝄞\r\n"))
    yield Case("Errors", "unary/unicode-error-message", UNARY, [strange])
    broken = ("internal", "it broke")
    yield Case("Errors", "client-stream/error-one-request", CLIENT, [Request(error=broken)])
    yield Case("Errors", "client-stream/error-multiple-requests", CLIENT, sent(CLIENT, Request(error=broken)))
    yield from broken_streams("Errors")


def broken_streams(suite):
    """Streams that fail behind their answers, and without one."""
    for kind in (SERVER, HALF, FULL):
        name = "error-no-responses" if kind == FULL else "error-with-no-responses"
        for word, data in (("error-with-responses", list(TWO)), (name, [])):
            request = Request(data, error=("internal", "it broke"))
            yield Case(suite, f"{WORD[kind]}/{word}", kind, sent(kind, request), has_metadata=True)


def statuses():
    """The status of HTTP that goes with each code; a stream has 200, and its error in its end."""
    suite = "Connect to HTTP Code Mapping"
    for code, status in STATUS.items():
        name = dashed(code) + ("-mapping" if code == "failed_precondition" else "")
        yield Case(suite, f"unary/{name}", UNARY, [Request(error=(code, ""))], Expect(code, status=status), protocols=(CONNECT,))
    for kind in (CLIENT, SERVER, HALF, FULL):
        name = ("stream-" if kind in (HALF, FULL) else "") + "error-returns-success-http-code"
        request = Request(error=("internal", ""))
        yield Case(suite, f"{WORD[kind]}/{name}", kind, sent(kind, request), Expect("internal", status=200),
                   protocols=(CONNECT,))


def duplicate_metadata():
    suite = "Duplicate Metadata"
    for kind in WORD:
        yield Case(suite, f"{WORD[kind]}/success", kind, sent(kind, Request(answers(kind))), has_metadata=True)
    yield Case(suite, "server-stream/no-response", SERVER, [Request()], has_metadata=True)
    for kind in (UNARY, CLIENT):
        request = Request(error=("internal", "it broke"))
        yield Case(suite, f"{WORD[kind]}/error", kind, sent(kind, request), has_metadata=True)
    yield from broken_streams(suite)


def get():
    yield Case("Connect with GET", "success", GET, [Request(list(ONE))], compressions=("identity",),
               protocols=(CONNECT,), has_metadata=True)


def deadlines():
    for kind in (UNARY, CLIENT, SERVER, FULL):
        requests = sent(kind, Request(answers(kind)))
        yield Case("Deadline Propagation", f"{WORD[kind]}/success", kind, requests, timeout_ms=2000)
    for kind in WORD:
        requests = sent(kind, Request(answers(kind), delay_ms=1500))
        yield Case("Timeouts", WORD[kind], kind, requests, Expect("deadline_exceeded"), timeout_ms=200)


def empty():
    for kind in (UNARY, CLIENT, SERVER, HALF):
        yield Case("Server Empty Requests", f"{WORD[kind]}/empty-request", kind, [Request(is_empty=True)],
                   codecs=("proto",), compressions=("identity",), has_metadata=True)


def sizes():
    suite, late = "Server Message Size", Expect("resource_exhausted")
    # Base64 makes more of each.
    plain = {"codecs": ("proto",), "protocols": (CONNECT, GRPC, GRPC_WEB)}
    for kind in (UNARY, SERVER):
        for name, size, expect in (("request-equal-to-server-limit", 0, None),
                                   ("request-exceeds-server-limit", 10, late)):
            yield Case(suite, f"{WORD[kind]}/{name}", kind, [Request(answers(kind), size=size)], expect, **plain)
    for kind in (CLIENT, HALF, FULL):
        for name, first, second, expect in (("all-requests-equal-to-server-limit", 0, 0, None),
                                            ("first-request-exceeds-server-limit", 10, 0, late),
                                            ("subsequent-request-exceeds-server-limit", 0, 10, late)):
            if kind == FULL and name.startswith("subsequent"):
                continue
            requests = [Request(answers(kind), size=first), Request(size=second, is_empty=True)]
            yield Case(suite, f"{WORD[kind]}/{name}", kind, requests, expect, **plain)


PLAIN = {"codecs": ("proto",), "compressions": ("identity",)}


def unexpected():
    suite, plain = "Connect Unexpected Requests", {**PLAIN, "protocols": (CONNECT,)}
    stream = [("Content-Type", "application/connect+proto"), ("Connect-Protocol-Version", "1")]
    unary = [("Content-Type", "application/proto"), ("Connect-Protocol-Version", "1")]
    for name, frames in (("server-stream/no-request", []), ("server-stream/multiple-requests", [(0, b""), (0, b"")])):
        yield Case(suite, name, SERVER, [], Expect("unimplemented"), raw=Raw(headers=stream, frames=frames), **plain)
    yield Case(suite, "unexpected-compressed-message", SERVER, [], Expect("internal"), **plain,
               raw=Raw(headers=stream + [("Connect-Content-Encoding", "identity")], frames=[(1, b"")]))
    for name, raw, expect in (
        ("unexpected-verb", Raw("DELETE", headers=unary), Expect("unknown", status=405)),
        ("unexpected-uri", Raw(path="unknown", headers=unary), Expect("unimplemented", status=404)),
        ("unexpected-codec", Raw(headers=[("Content-Type", "application/foo"), unary[1]]), Expect("unknown", status=415)),
        ("unexpected-compression", Raw(headers=unary + [("Content-Encoding", "foo")]), Expect("unimplemented")),
    ):
        yield Case(suite, name, UNARY, [], expect, raw=raw, **plain)
    yield Case("Unexpected Requests", "unexpected-content-type", UNARY, [], Expect("unknown", status=415), **PLAIN,
               raw=Raw(headers=[("Content-Type", "image/jpeg")], body=b"not a message"))
    yield Case("TLS Client Certs", "client-stream", CLIENT, sent(CLIENT, Request(list(ONE))), needs_tls=True,
               has_metadata=True)


def unexpected_by_grpc(protocol):
    suite, plain = f"{protocol} Unexpected Requests", {**PLAIN, "protocols": (protocol,)}
    empty, kind = (0, b""), {"grpc_kind": "+proto"}
    for word in (UNARY, SERVER):
        for name, frames in (("no-request", []), ("multiple-requests", [empty, empty])):
            yield Case(suite, f"{WORD[word]}/{name}", word, [], Expect("unimplemented"), raw=Raw(frames=frames, **kind),
                       **plain)
    loose = Expect("unknown", others=("internal", "unimplemented"))
    for name, raw, expect in (
        ("unexpected-verb", Raw("DELETE", frames=[empty]), loose),
        ("unexpected-uri", Raw(path="unknown", frames=[empty]), Expect("unimplemented")),
        ("unexpected-codec", Raw(frames=[empty], grpc_kind="+foo"), loose),
        ("unexpected-compression", Raw(frames=[(1, b"?")], headers=[("grpc-encoding", "foo")], **kind),
         Expect("unimplemented")),
        ("unexpected-compressed-message", Raw(frames=[(1, b"")], headers=[("grpc-encoding", "identity")], **kind),
         Expect("internal")),
    ):
        yield Case(suite, name, UNARY, [], expect, raw=raw, **plain)
    for name, kind in (("with-proto-sub-format", "+proto"), ("without-proto-sub-format", "")):
        yield Case(f"{protocol} Proto Sub-Format Requests", name, UNARY, [Request(list(ONE))], raw=Raw(grpc_kind=kind),
                   **plain)


def all_cases():
    parts = (basic, errors, statuses, duplicate_metadata, get, deadlines, empty, sizes, unexpected)
    return [case for part in parts for case in part()] + [
        case for protocol in (GRPC, GRPC_WEB) for case in unexpected_by_grpc(protocol)]
