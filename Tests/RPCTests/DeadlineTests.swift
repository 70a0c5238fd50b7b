import BaseContracts
import EventLoops
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Deadlines", .timeLimit(.minutes(3)))
struct DeadlineTests {
    @Test("that pass end the call and cancel its handler")
    func passed() async throws {
        let cancelled = Tally()
        let service = ScriptedEcho(unary: { request, _ in
            if request.payload.isEmpty { return EchoResponse() }
            try await cancelled.addWhenCancelled()
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                // Connects, so that the next call certainly reaches its handler.
                _ = try await echo.echo(EchoRequest())
                let error = try await errorOf {
                    try await echo.echo(EchoRequest(payload: [1]), CallOptions(timeout: .milliseconds(300)))
                }
                #expect(error?.code == .deadlineExceeded)
                try await cancelled.wait()
                #expect(server.server.connectionCount == 1)
            }
        }
    }

    @Test("are kept by the server too, for clients that do not")
    func keptByServer() async throws {
        let cancelled = Tally()
        let service = ScriptedEcho(unary: { _, _ in try await cancelled.addWhenCancelled() })
        try await TestServer.with(.echo(service)) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest(), timeoutUs: 20_000))
            let answer = try await socket.receive(.status)
            #expect(answer.header == FrameHeader(.status, callID: 1, isEnd: true))
            #expect(try answer.status == .deadlineExceeded)
            try await cancelled.wait()
            try await socket.send(WireFrame(.ping))
            _ = try await socket.receive(.pong)
        }
    }

    @Test("are required for unary calls")
    func required() async throws {
        try await TestServer.with(.echo()) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest(), timeoutUs: nil))
            let status = try Status(packed: try await socket.receive(.status).payload)
            #expect(status.code == RPCCode.invalidArgument.rawValue)
            #expect(status.details?.fieldViolations.first?.field == "timeout_us")
            try await socket.send(.call(2, EchoServiceMethods.echo, EchoRequest(payload: [4])))
            #expect(try await socket.receive(.message).header.callID == 2)
        }
    }

    @Test("may be as far away as a number can say", arguments: [UInt64.max, UInt64(Int64.max), 1 << 60])
    func farAway(microseconds: UInt64) async throws {
        let left = Mutex<Duration?>(nil)
        let service = ScriptedEcho(unary: { _, context in
            left.withLock { $0 = context.remaining }
            return EchoResponse()
        })
        var limits = Limits()
        limits.maximumTimeout = .seconds(9)
        try await TestServer.with(.echo(service), limits: limits) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest(), timeoutUs: microseconds))
            _ = try await socket.receive(.message)
            let remaining = try #require(left.withLock { $0 })
            #expect(remaining <= .seconds(9), "the server grants no more than its maximum")
            #expect(remaining > .zero)
            let stream = EchoServiceMethods.echoStream
            try await socket.send(.call(2, stream, EchoStreamRequest(count: 1), timeoutUs: microseconds, credit: 100))
            _ = try await socket.receive(.message)
        }
    }

    @Test("of no time at all end the call")
    func noTime() async throws {
        let service = ScriptedEcho(unary: { _, _ in try await Tally().addWhenCancelled() })
        try await TestServer.with(.echo(service)) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest(), timeoutUs: 0))
            #expect(try await socket.receive(.status).status == .deadlineExceeded)
            try await server.withClient { client in
                let error = try await errorOf {
                    try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(timeout: .zero))
                }
                #expect(error?.code == .deadlineExceeded)
            }
        }
    }

    /// An echo that counts its calls, and keeps the loop busy for as many milliseconds as its request has bytes.
    private static func busy(_ begun: Tally) -> Router {
        .echo(
            ScriptedEcho(unary: { request, _ in
                begun.add()
                let end = MonotonicTime.now + .milliseconds(request.payload.count)
                while MonotonicTime.now < end {}
                return EchoResponse()
            }))
    }

    @Test("that have passed, and calls that were cancelled, when the loop comes to them: they are not begun")
    func overBeforeBegun() async throws {
        let begun = Tally()
        try await TestServer.with(Self.busy(begun)) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            let echo = EchoServiceMethods.echo
            // They come in one read, and wait for the first of them.
            let late = (2...10).map { WireFrame.call($0, echo, EchoRequest(), timeoutUs: 50_000) }
            let cancelled = [WireFrame.call(11, echo, EchoRequest()), WireFrame(.cancel, call: 11)]
            let first = WireFrame.call(1, echo, EchoRequest(payload: [UInt8](repeating: 0, count: 200)))
            try await socket.send(([.hello, first] + late + cancelled).flatMap(\.bytes))
            #expect(try await socket.receive(.message).header.callID == 1)
            for id in 2...10 {
                let answer = try await socket.receive(.status)
                #expect(answer.header.callID == UInt32(id))
                #expect(try answer.status == .deadlineExceeded)
            }
            try await socket.send(.call(12, echo, EchoRequest()))
            #expect(try await socket.receive(.message).header.callID == 12)
            #expect(begun.count == 2)
        }
    }

    @Test("decide how long a call may wait for its loop: what is too much is refused before its time is over")
    func longQueue() async throws {
        let begun = Tally()
        try await TestServer.with(Self.busy(begun)) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            let request = EchoRequest(payload: [UInt8](repeating: 0, count: 5))
            let calls = (1...200).map { WireFrame.call($0, EchoServiceMethods.echo, request, timeoutUs: 400_000) }
            try await socket.send(([.hello] + calls).flatMap(\.bytes))
            var refused = 0
            _ = try await socket.receive(.hello)
            for _ in 0..<200 {
                let answer = try await socket.receive()
                guard answer.header.kind == .status else { continue }
                let status = try Status(packed: answer.payload)
                guard status.code == RPCCode.resourceExhausted.rawValue else { continue }
                #expect(status.details?.retryAfterMs != nil)
                refused += 1
            }
            #expect(begun.count > 0 && refused > 0, "\(begun.count) were begun, \(refused) refused")
            #expect(begun.count + refused <= 200)
        }
    }

    @Test("are passed on, less the time already spent")
    func twoHops() async throws {
        let left = Mutex<[Duration]>([])
        let note: @Sendable (CallContext) -> Void = { context in left.withLock { $0.append(context.remaining ?? .zero) }
        }
        let back = ScriptedEcho(unary: { _, context in
            note(context)
            return EchoResponse()
        })
        try await TestServer.with(.echo(back)) { behind in
            try await behind.withClient { client in
                let front = ScriptedEcho(unary: { request, context in
                    note(context)
                    return try await EchoServiceClient(client).echo(request, CallOptions(context))
                })
                try await TestServer.with(.echo(front)) { server in
                    try await server.withClient { client in
                        _ = try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(timeout: .seconds(20)))
                    }
                }
            }
        }
        let remaining = left.withLock { $0 }
        try #require(remaining.count == 2)
        #expect(remaining[0] < .seconds(20))
        #expect(remaining[1] < remaining[0])
        #expect(remaining[1] > .zero)
    }

    @Test("of the first caller end the call at the second server")
    func expiryReachesSecondServer() async throws {
        let cancelled = Tally()
        let back = ScriptedEcho(unary: { request, _ in
            if request.payload.isEmpty { return EchoResponse() }
            try await cancelled.addWhenCancelled()
        })
        try await TestServer.with(.echo(back)) { behind in
            try await behind.withClient { client in
                let front = ScriptedEcho(unary: { request, context in
                    try await EchoServiceClient(client).echo(request, CallOptions(context))
                })
                try await TestServer.with(.echo(front)) { server in
                    try await server.withClient { client in
                        let echo = EchoServiceClient(client)
                        // Connects both, so that the next call certainly reaches the second handler.
                        _ = try await echo.echo(EchoRequest())
                        let error = try await errorOf {
                            try await echo.echo(EchoRequest(payload: [1]), CallOptions(timeout: .milliseconds(50)))
                        }
                        #expect(error?.code == .deadlineExceeded)
                        try await cancelled.wait()
                    }
                }
            }
        }
    }
}
