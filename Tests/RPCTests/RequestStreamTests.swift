import BaseContracts
import RPC
import TestSupport
import Testing
import Wire

@Suite("Streams of requests", .timeLimit(.minutes(3)))
struct RequestStreamTests {
    private static let hundredBytes = [UInt8](repeating: 1, count: 100)

    @Test("arrive whole and in order, and are answered once", arguments: [UInt32(0), 1, 2, 5000])
    func inOrder(count: UInt32) async throws {
        let service = ScriptedEcho(joined: { requests, _ in
            var sum: UInt32 = 0
            for try await request in requests {
                #expect(request.payload == [UInt8(truncatingIfNeeded: sum)])
                sum += 1
            }
            return EchoJoinedResponse(count: sum)
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let answer = try await EchoServiceClient(client).echoJoined { writer in
                    for index in 0..<count {
                        try await writer.write(EchoJoinedRequest(payload: [UInt8(truncatingIfNeeded: index)]))
                    }
                }
                #expect(answer.count == count)
            }
        }
    }

    @Test("may hold requests larger than the whole credit")
    func largerThanCredit() async throws {
        var limits = Limits()
        limits.streamCredit = 100
        try await TestServer.with(.echo(), limits: limits) { server in
            try await server.withClient { client in
                let answer = try await EchoServiceClient(client).echoJoined { writer in
                    for _ in 0..<20 {
                        try await writer.write(EchoJoinedRequest(payload: [UInt8](repeating: 7, count: 100_000)))
                    }
                }
                #expect(answer.payload.count == 2_000_000)
            }
        }
    }

    @Test("wait for a slow handler: the client sends no more than the credit, and other calls are not held up")
    func slowHandler() async throws {
        var limits = Limits()
        limits.streamCredit = 2000
        let (written, mayRead) = (Tally(), Tally())
        let service = ScriptedEcho(joined: { requests, _ in
            try await mayRead.wait()
            var count: UInt32 = 0
            for try await _ in requests { count += 1 }
            return EchoJoinedResponse(count: count)
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                async let answer = echo.echoJoined { writer in
                    for _ in 0..<500 {
                        try await writer.write(EchoJoinedRequest(payload: Self.hundredBytes))
                        written.add()
                    }
                }
                try await written.wait()
                // Every round trip is at least one turn of both loops: time enough for a client that runs on.
                for _ in 0..<100 { _ = try await echo.echo(EchoRequest()) }
                // A request costs at least 112 bytes; one may overdraw the credit.
                #expect(written.count <= 2000 / 112 + 2)
                mayRead.add()
                #expect(try await answer.count == 500)
                #expect(server.server.connectionCount == 1)
            }
        }
    }

    @Test("may be answered before they are at their end")
    func earlyAnswer() async throws {
        let service = ScriptedEcho(joined: { requests, _ in
            for try await request in requests { return EchoJoinedResponse(payload: request.payload) }
            throw RPCError(.internalError, "no request came")
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let answer = try await EchoServiceClient(client).echoJoined { writer in
                    while true { try await writer.write(EchoJoinedRequest(payload: Self.hundredBytes)) }
                }
                #expect(answer.payload == Self.hundredBytes)
                #expect(await eventually { server.server.callsInFlight == 0 })
                _ = try await EchoServiceClient(client).echo(EchoRequest())
            }
        }
    }

    @Test("are refused with the handler's error, whatever the sender still wanted to send")
    func refused() async throws {
        let service = ScriptedEcho(joined: { requests, _ in
            for try await _ in requests { throw RPCError(.permissionDenied, "not here") }
            return EchoJoinedResponse()
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let error = try await errorOf {
                    try await EchoServiceClient(client).echoJoined { writer in
                        while true { try await writer.write(EchoJoinedRequest(payload: Self.hundredBytes)) }
                    }
                }
                #expect(error?.code == .permissionDenied)
                #expect(error?.message == "not here")
            }
        }
    }

    private struct SenderGaveUp: Error {}

    @Test("that their sender gives up reach the handler as a cancellation, and the sender keeps its own error")
    func senderFails() async throws {
        let ended = Tally()
        let service = ScriptedEcho(joined: { requests, _ in
            defer { ended.add() }
            for try await _ in requests {}
            Issue.record("the handler saw an end that the client did not send")
            return EchoJoinedResponse()
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                await #expect(throws: SenderGaveUp.self) {
                    _ = try await EchoServiceClient(client).echoJoined { writer in
                        try await writer.write(EchoJoinedRequest())
                        throw SenderGaveUp()
                    }
                }
                try await ended.wait()
            }
        }
    }

    @Test("end with the calling task, on both sides")
    func cancelled() async throws {
        let (started, ended) = (Tally(), Tally())
        let service = ScriptedEcho(joined: { requests, _ in
            defer { ended.add() }
            for try await _ in requests { started.add() }
            return EchoJoinedResponse()
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let call = Task {
                    try await errorOf {
                        try await EchoServiceClient(client).echoJoined { writer in
                            try await writer.write(EchoJoinedRequest())
                            try await Tally().wait()
                        }
                    }
                }
                try await started.wait()
                call.cancel()
                #expect(try await call.value?.code == .cancelled)
                try await ended.wait()
            }
        }
    }

    @Test("end at their deadline, on both sides")
    func deadline() async throws {
        let service = ScriptedEcho(joined: { requests, context in
            #expect(context.remaining != nil)
            for try await _ in requests {}
            return EchoJoinedResponse()
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let error = try await errorOf {
                    try await EchoServiceClient(client).echoJoined(CallOptions(timeout: .milliseconds(100))) { _ in
                        try await Tally().wait()
                    }
                }
                #expect(error?.code == .deadlineExceeded)
                #expect(await eventually { server.server.callsInFlight == 0 })
            }
        }
    }

    @Test("a task of the handler that is cancelled while it waits for a request ends, the call goes on")
    func readerTaskCancelled() async throws {
        let service = ScriptedEcho(joined: { requests, _ in
            let reader = Task { for try await _ in requests {} }
            reader.cancel()
            let error = try await errorOf { try await reader.value }
            return EchoJoinedResponse(count: error?.code == .cancelled ? 1 : 0)
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let answer = try await EchoServiceClient(client).echoJoined { _ in try await Tally().wait() }
                #expect(answer.count == 1)
            }
        }
    }
}
