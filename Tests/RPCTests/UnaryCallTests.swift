import BaseContracts
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Unary calls", .timeLimit(.minutes(3)))
struct UnaryCallTests {
    private func echo(_ client: RPCClient, _ payload: [UInt8] = [1], _ options: CallOptions = CallOptions())
        async throws -> [UInt8]
    {
        try await EchoServiceClient(client).echo(EchoRequest(payload: payload), options).payload
    }

    @Test("are answered")
    func answered() async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                let answers = (some: try await echo(client, [1, 2, 3]), none: try await echo(client, []))
                #expect(answers.some == [1, 2, 3])
                #expect(answers.none == [])
            }
        }
    }

    @Test("run a thousand at once on one connection, and may be answered in any order")
    func anyOrder() async throws {
        let count = 1000
        let started = Tally()
        let done = (0...count).map { _ in Tally() }
        done[count].add()
        // When all run, each call waits for the one that came after it: the last is answered first.
        let service = ScriptedEcho(unary: { request, _ in
            let index = Int(request.payload[0]) << 8 | Int(request.payload[1])
            started.add()
            try await started.wait(for: count)
            try await done[index + 1].wait()
            done[index].add()
            return EchoResponse(payload: request.payload)
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<count {
                        let payload = [UInt8(index >> 8), UInt8(index & 0xff)]
                        group.addTask {
                            let answer = try await echo(client, payload)
                            #expect(answer == payload)
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(server.server.connectionCount == 1)
            }
            #expect(server.server.callsInFlight == 0)
        }
    }

    @Test("work from many tasks over several loops")
    func manyLoops() async throws {
        try await TestServer.with(.echo(), loops: 2) { server in
            try await TestClient.with(server.endpoint, loops: 2) { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for task in 0..<16 {
                        group.addTask {
                            for turn in 0..<200 {
                                let payload = [UInt8(task), UInt8(turn)]
                                let answer = try await echo(client, payload)
                                #expect(answer == payload)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("carry the request id, the trace, the token and a deadline to the handler")
    func metadata() async throws {
        let seen = Mutex<CallContext?>(nil)
        let service = ScriptedEcho(unary: { request, context in
            seen.withLock { $0 = context }
            return EchoResponse()
        })
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let identity = SignedIdentity(identity: [1, 2], signature: [3])
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let options = CallOptions(
                    requestID: "r-77", traceparent: trace, signedIdentity: identity, token: "secret")
                _ = try await echo(client, [], options)
            }
        }
        let context = try #require(seen.withLock { $0 })
        #expect(context.requestID == "r-77")
        #expect(context.traceparent == trace)
        #expect(context.token == "secret")
        #expect(context.signedIdentity == identity)
        #expect(context.identity == nil, "nobody has checked it")
        #expect(context.method == EchoServiceMethods.echo)
        #expect(context.deadline != nil, "the client gives every unary call a deadline")
    }

    @Test("cut names that are too long")
    func longNames() async throws {
        let seen = Mutex("")
        let service = ScriptedEcho(unary: { _, context in
            seen.withLock { $0 = context.requestID }
            return EchoResponse()
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                _ = try await echo(client, [], CallOptions(requestID: String(repeating: "x", count: 1000)))
            }
        }
        #expect(seen.withLock { $0 } == String(repeating: "x", count: 64))
    }

    @Test("of an unknown method are UNIMPLEMENTED, and the connection lives")
    func unknownMethod() async throws {
        let method = MethodDescriptor(
            service: "no.Such", method: "Thing", kind: .unary, isIdempotent: false, hasNoSideEffects: false,
            role: .anyone)
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                let error = try await errorOf { try await client.unaryBytes(method, [], CallOptions()) }
                #expect(error?.code == .unimplemented)
                #expect(error?.message.contains("no.Such/Thing") == true)
                #expect(try await echo(client) == [1])
            }
        }
    }

    @Test("whose message does not decode are INVALID_ARGUMENT, and the connection lives")
    func undecodable() async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                let error = try await errorOf {
                    try await client.unaryBytes(EchoServiceMethods.echo, [0x0a, 0x7f, 0x01], CallOptions())
                }
                #expect(error?.code == .invalidArgument)
                #expect(try await echo(client) == [1])
                #expect(server.server.connectionCount == 1)
                #expect(server.server.callsInFlight == 0)
            }
        }
    }
}
