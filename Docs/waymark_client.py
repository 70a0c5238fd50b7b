"""A complete client of Waymark's RPC on PyPI's protobuf alone; Protocol.md describes the bytes. To try it:

    protoc -I Protos --python_out=stubs $(cd Protos && find waymark -name '*.proto')
    PYTHONPATH=stubs python3 Docs/waymark_client.py 127.0.0.1:7700 60.1699 24.9384

Many calls may be open at once on a connection: the caller that waits for one reads the answers of all.
"""
import enum, socket, struct, sys, time
from google.protobuf import descriptor_pool, message_factory
from waymark.rpc.v1.frames_pb2 import Call as CallFrame, Credit, GoAway, Hello, Status

HEADER = struct.Struct(">IBBBBI")  # length of what follows, version, kind, flags, reserved, call id
HELLO, CALL, MESSAGE, STATUS, CANCEL, PING, PONG, GOAWAY, CREDIT = range(1, 10)
END = 0x01
WINDOW = 256 << 10  # bytes of a stream that may be on their way to us
PATIENCE = 10  # seconds to connect, and for the server to take what we send
Code = enum.IntEnum("Code", start=0, names="""OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND
    ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL
    UNAVAILABLE DATA_LOSS UNAUTHENTICATED""")


class RPCError(Exception):
    """How a call ended when it did not end well. `details` is a waymark.rpc.v1.StatusDetails."""

    def __init__(self, status):
        self.code = Code(status.code) if status.code in list(Code) else Code.UNKNOWN
        self.message, self.details = status.message, status.details
        super().__init__(f"{self.code.name}: {self.message}")


class Call:
    """A call that was started: an iterator over its answers."""

    def __init__(self, connection, call_id, method, deadline):
        self.connection, self.id, self.deadline = connection, call_id, deadline
        self.answer_class = message_factory.GetMessageClass(method.output_type)
        self.inbox, self.status, self.taken = [], None, 0  # `taken`: bytes for which no credit was given yet

    def __iter__(self):
        return self

    def __next__(self):
        while not self.inbox and not self.status:
            if not self.connection.step(self.deadline):
                self.cancel(Code.DEADLINE_EXCEEDED, "no answer came before the deadline")
        if not self.inbox:
            raise RPCError(self.status) if self.status.code else StopIteration
        payload = self.inbox.pop(0)
        self.taken += HEADER.size + len(payload)
        if self.taken >= WINDOW // 2 and not self.status:
            self.connection.send(CREDIT, self.id, Credit(bytes=self.taken))
            self.taken = 0
        return self.answer_class.FromString(payload)

    def cancel(self, code=Code.CANCELLED, message="the call was cancelled"):
        """Cancels the call at the server. Does nothing when the call is over."""
        if not self.status:
            self.connection.end(self.id, Status(code=code, message=message))
            self.connection.send(CANCEL, self.id)


class Connection:
    """A connection to a gateway, for one thread."""

    def __init__(self, host, port, agent="waymark_client.py"):
        self.socket = socket.create_connection((host, port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.input, self.calls, self.last_id, self.peer, self.gone = bytearray(), {}, 0, None, None
        self.send(HELLO, 0, Hello(agent=agent, maximum_payload_bytes=4 << 20, maximum_calls=1024))
        while not self.peer:
            if self.gone or not self.step(time.monotonic() + PATIENCE):
                raise RPCError(Status(code=Code.UNAVAILABLE, message=self.gone or "no hello came"))

    def unary(self, method, request, timeout, **options):
        return next(self.start(method, request, timeout, **options))

    def start(self, method, request, timeout=None, **options):
        """Starts "package.Service/Method". A unary call needs a timeout, in seconds; a stream may have one."""
        descriptor = descriptor_pool.Default().FindMethodByName(method.replace("/", "."))
        frame = CallFrame(
            method=method, request=request.SerializeToString(), credit=WINDOW if descriptor.server_streaming else 0,
            timeout_us=None if timeout is None else int(timeout * 1e6), **options)
        if self.gone:
            raise RPCError(Status(code=Code.UNAVAILABLE, message=self.gone))
        if frame.ByteSize() > self.peer.maximum_payload_bytes:
            raise RPCError(Status(code=Code.RESOURCE_EXHAUSTED, message="the request is larger than a frame may be"))
        self.last_id += 1
        deadline = None if timeout is None else time.monotonic() + timeout
        call = self.calls[self.last_id] = Call(self, self.last_id, descriptor, deadline)
        self.send(CALL, call.id, frame, END)
        return call

    def send(self, kind, call_id, message=b"", flags=0):
        payload = message if isinstance(message, bytes) else message.SerializeToString()
        try:
            self.socket.settimeout(PATIENCE)
            self.socket.sendall(HEADER.pack(8 + len(payload), 1, kind, flags, 0, call_id) + payload)
        except OSError as error:
            self.leave(0, f"the connection is closed: {error}")

    def step(self, deadline):
        """Acts on the next frame, or on the end of the connection. False when the deadline passes first."""
        while len(self.input) < HEADER.size or len(self.input) < 4 + HEADER.unpack_from(self.input)[0]:
            try:
                self.socket.settimeout(None if deadline is None else max(deadline - time.monotonic(), 1e-6))
                data = self.socket.recv(1 << 16)
            except TimeoutError:
                return False
            except OSError:
                data = b""
            if not data:
                self.socket.close()
                self.leave(0, "the connection is closed")
                return True
            self.input += data
        length, _, kind, flags, _, call_id = HEADER.unpack_from(self.input)
        self.act(kind, flags, call_id, bytes(self.input[HEADER.size : 4 + length]))
        del self.input[: 4 + length]
        return True

    def act(self, kind, flags, call_id, payload):
        """Does what a frame says. What comes for a call that is over is passed over."""
        if kind == MESSAGE and call_id in self.calls:
            self.calls[call_id].inbox.append(payload)
        if kind == STATUS or (kind == MESSAGE and flags & END):
            self.end(call_id, Status.FromString(payload) if kind == STATUS else Status())
        elif kind == HELLO:
            self.peer = Hello.FromString(payload)
        elif kind == PING:
            self.send(PONG, 0, payload)
        elif kind == GOAWAY:
            self.leave(GoAway.FromString(payload).last_call_id, GoAway.FromString(payload).reason)

    def end(self, call_id, status):
        if call_id in self.calls:
            self.calls.pop(call_id).status = status

    def leave(self, last_call_id, reason):
        """No new calls from here on, and no answers to those behind the last one."""
        self.gone = self.gone or reason
        for call_id in [each for each in self.calls if each > last_call_id]:
            self.end(call_id, Status(code=Code.UNAVAILABLE, message=self.gone))


if __name__ == "__main__":
    from waymark.gateway.v1.gateway_pb2 import ExploreRequest
    host, port = sys.argv[1].rsplit(":", 1)
    request = ExploreRequest(centre={"latitude": float(sys.argv[2]), "longitude": float(sys.argv[3])})
    for place in Connection(host, int(port)).unary("waymark.gateway.v1.ExploreService/Explore", request, 2).places:
        print(f"{place.distance_m:8.0f} m  {place.name}")
