import EventLoops
import RPC
import TestProtos
import TestSupport
import TestTools
import Testing
import Wire

@Suite(
    "P37 The Python client of Docs", .enabled(if: PythonClient.isAvailable, "python3 or protoc is not installed"),
    .timeLimit(.minutes(5)))
struct PythonClientTests {
    @Test("has at most 150 lines")
    func length() throws {
        let lines = try PythonClient.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.dropLast().count <= 150)
    }

    @Test("calls many methods at once, takes the answers in any order, and reads errors with their details")
    func unary() async throws {
        let slowMayEnd = Tally()
        let echo = ScriptedEcho(unary: { request, context in
            switch String(decoding: request.payload, as: UTF8.self) {
            case "slow": try await slowMayEnd.wait()
            case "last": slowMayEnd.add()
            case "bad": throw RPCError.invalid("payload", "bad is not allowed")
            case "busy": throw RPCError(.resourceExhausted, "later", details: StatusDetails(retryAfterMs: 250))
            default: break
            }
            return EchoResponse(payload: request.payload + Array(context.requestID.utf8))
        })
        try await TestServer.with(.echo(echo)) { server in
            try await PythonClient.run(
                against: server,
                """
                slow = echo(b"slow", 60)
                many = [echo(b"%d" % number, 60, request_id="-id") for number in range(500)]
                for number in reversed(range(500)):
                    assert next(many[number]).payload == b"%d-id" % number
                assert not slow.inbox
                assert next(echo(b"last", 60)).payload == b"last"
                assert next(slow).payload == b"slow"
                error = refused(Code.INVALID_ARGUMENT, echo(b"bad", 60, request_id="my-id"))
                assert error.message == "payload: bad is not allowed"
                assert error.details.field_violations[0].field == "payload"
                assert error.details.request_id == "my-id"
                assert refused(Code.RESOURCE_EXHAUSTED, echo(b"busy", 60)).details.retry_after_ms == 250
                assert refused(Code.INVALID_ARGUMENT, echo(b"", None)).details.field_violations[0].field == "timeout_us"
                large = b"x" * (4_000_000)
                assert next(echo(large, 60)).payload == large
                """)
        }
    }

    @Test("reads a stream that is longer than its credit, to the end or to its error")
    func stream() async throws {
        let echo = ScriptedEcho(stream: { request, responses, _ in
            for index in 0..<request.count {
                try await responses.write(EchoStreamResponse(payload: request.payload, index: index))
            }
            if request.count == 7 { throw RPCError(.dataLoss, "the eighth is gone") }
        })
        try await TestServer.with(.echo(echo)) { server in
            try await PythonClient.run(
                against: server,
                """
                other = stream(b"y" * 1000, 1000)
                answers = list(stream(b"x" * 1000, 5000))
                assert [answer.index for answer in answers] == list(range(5000))
                assert len(list(other)) == 1000
                assert list(stream(b"", 0)) == []
                short = stream(b"z", 7)
                assert [next(short).index for _ in range(7)] == list(range(7))
                assert refused(Code.DATA_LOSS, short).message == "the eighth is gone"
                """)
        }
    }

    @Test("gives up at the deadline or when it wants to, and the handler stops")
    func givingUp() async throws {
        let never = Tally()
        let stopped = Tally()
        let echo = ScriptedEcho(
            unary: { _, _ in
                defer { stopped.add() }
                try await never.wait()
                return EchoResponse()
            },
            stream: { _, responses, _ in
                defer { stopped.add() }
                try await responses.write(EchoStreamResponse())
                try await never.wait()
            })
        try await TestServer.with(.echo(echo)) { server in
            try await PythonClient.run(
                against: server,
                """
                refused(Code.DEADLINE_EXCEEDED, echo(b"", 0.05))
                refused(Code.DEADLINE_EXCEEDED, stream(b"", 1, timeout=0.05))
                endless = stream(b"", 1)
                next(endless)
                endless.cancel()
                refused(Code.CANCELLED, endless)
                assert not connection.calls
                """)
            try await stopped.wait(for: 3)
        }
    }

    @Test("is told when the server goes")
    func leaving() async throws {
        let started = Tally()
        let stopped = Tally()
        let echo = ScriptedEcho(unary: { _, _ in
            started.add()
            try await stopped.addWhenCancelled()
        })
        try await TestServer.with(.echo(echo)) { server in
            async let client: Void = PythonClient.run(
                against: server,
                """
                assert refused(Code.UNAVAILABLE, echo(b"", 60)).message == "the server is shutting down"
                refused(Code.UNAVAILABLE, echo, b"", 60)
                """)
            try await started.wait()
            await server.server.shutDown(grace: .zero)
            try await client
        }
    }
}

@Suite("The protocol's page")
struct ProtocolPageTests {
    @Test("shows frames that the decoder takes, each in whole")
    func frames() throws {
        let blocks = Self.hexBlocks(try WholeFile.text("\(ChildProcess.packageRoot)/Docs/Protocol.md"))
        var kinds: Set<FrameKind> = []
        for block in blocks {
            var decoder = FrameDecoder(maximumPayload: 1 << 20)
            for frame in try decoder.frames(block) {
                kinds.insert(frame.header.kind)
                try Self.decode(frame)
            }
            #expect(decoder.pendingBytes == 0)
        }
        #expect(kinds == Set(FrameKind.allCases))
    }

    /// The bytes of each block that is marked `hex`: what stands on a line before the first word.
    private static func hexBlocks(_ page: String) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var isInside = false
        for line in page.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            if line.hasPrefix("```") {
                isInside = line == "```hex"
                if isInside { blocks.append([]) }
            } else if isInside {
                let pairs = line.split(separator: " ").prefix { $0.count == 2 && UInt8($0, radix: 16) != nil }
                blocks[blocks.count - 1] += pairs.compactMap { UInt8($0, radix: 16) }
            }
        }
        return blocks
    }

    private static func decode(_ frame: WireFrame) throws {
        switch frame.header.kind {
        case .hello: #expect(try Hello(packed: frame.payload).maximumCalls == 1024)
        case .call: #expect(try Call(packed: frame.payload).method.hasPrefix("waymark.rpc.v1.EchoService/"))
        case .message: #expect(try !EchoStreamResponse(packed: frame.payload).payload.isEmpty)
        case .status: _ = try Status(packed: frame.payload)
        case .goAway: #expect(try GoAway(packed: frame.payload).reason == "shutting down")
        case .credit: #expect(try Credit(packed: frame.payload).bytes == 17)
        case .cancel: #expect(frame.payload.isEmpty)
        case .ping, .pong: #expect(!frame.payload.isEmpty)
        }
    }
}

/// Runs the client of Docs in a Python process.
private enum PythonClient {
    struct Failure: Error { let description: String }

    static var isAvailable: Bool { PythonPeer.isAvailable && ChildProcess.isInstalled("protoc") }

    private static let docs = "\(ChildProcess.packageRoot)/Docs"
    private static let stubs = "\(ChildProcess.packageRoot)/.build/test-stubs"

    static var text: String { get throws { try WholeFile.text("\(docs)/waymark_client.py") } }

    /// The messages, made by protoc once in a process.
    private static let messages: Result<String, Failure> = {
        let protos = "\(ChildProcess.packageRoot)/Protos"
        let script = "mkdir -p \(stubs) && cd \(protos) && protoc -I . --python_out=\(stubs) $(find . -name '*.proto')"
        guard ChildProcess.run(["/bin/sh", "-c", script], output: "/dev/null") == 0 else {
            return .failure(Failure(description: "protoc does not make Python of \(protos)"))
        }
        return .success(stubs)
    }()

    /// What each script finds: a connection, and short names for what it does.
    private static let prelude = """
        import sys
        from waymark_client import Code, Connection, RPCError
        from waymark.rpc.v1.echo_pb2 import EchoRequest, EchoStreamRequest
        connection = Connection("127.0.0.1", int(sys.argv[1]))
        def echo(payload, timeout, **options):
            return connection.start("waymark.rpc.v1.EchoService/Echo", EchoRequest(payload=payload), timeout, **options)
        def stream(payload, count, **options):
            request = EchoStreamRequest(payload=payload, count=count)
            return connection.start("waymark.rpc.v1.EchoService/EchoStream", request, **options)
        def refused(code, call, *arguments):
            try:
                list(call(*arguments) if arguments else call)
            except RPCError as error:
                assert error.code == code, error
                return error
            raise AssertionError(f"{code.name} was expected")

        """

    /// Throws when the script does not end well; what it says then stands among the test's errors.
    static func run(against server: TestServer, _ script: String) async throws {
        let port = server.address.port
        let status = try await BlockingCalls.run {
            // Making the peer makes its virtual environment, with the pinned protobuf.
            _ = try PythonPeer()
            let own = "\(ChildProcess.packageRoot)/.build/test-venv/bin/python"
            let python = ChildProcess.variable("WAYMARK_TEST_PYTHON") ?? own
            let path = "PYTHONPATH=\(try messages.get()):\(docs)"
            return ChildProcess.run(
                ["/usr/bin/env", path, python, "-B", "-c", prelude + script, "\(port)"], output: "/dev/null")
        }
        guard status == 0 else { throw Failure(description: "the script ended with \(status)") }
    }
}
