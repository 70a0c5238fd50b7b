import BaseContracts
import EventLoops
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Forwarded calls", .timeLimit(.minutes(3)))
struct ForwardingTests {
    /// A server with `service` behind one that only passes calls on; gives `body` a client of the one in front.
    private func forwarding(
        to service: ScriptedEcho = ScriptedEcho(), limits: Limits = Limits(),
        interceptors: [any ServerInterceptor] = [],
        _ body: (EchoServiceClient, _ front: Server, _ back: Server) async throws -> Void
    ) async throws {
        try await TestServer.with(.echo(service)) { back in
            try await back.withClient(limits: limits) { client in
                var router = Router()
                for method in EchoServiceMethods.all { router.forward(method, to: client) }
                try await TestServer.with(router, interceptors: interceptors) { front in
                    try await front.withClient(limits: limits) { client in
                        try await body(EchoServiceClient(client), front.server, back.server)
                    }
                }
            }
        }
    }

    @Test("are answered as if there was nobody between")
    func unary() async throws {
        try await forwarding { echo, _, _ in
            let payload = [UInt8](repeating: 5, count: 1 << 20)
            #expect(try await echo.echo(EchoRequest(payload: payload)).payload == payload)
            _ = try await echo.echo(EchoRequest())
        }
    }

    /// Changes something; field 15 of its request names the change, as in all of ours.
    private static let change = MethodDescriptor(
        service: "waymark.testing.v1.Changes", method: "Change", kind: .unary, isIdempotent: false,
        hasNoSideEffects: false, role: .user)

    @Test("that change something are sent again when a server dies with them, if the change has a name")
    func renewed() async throws {
        for (name, isRenewed) in [("a name", true), ("", false)] {
            let listener = try RawListener()
            try await TestClient.with(listener.endpoint) { back in
                var router = Router()
                router.forward(Self.change, to: back)
                try await TestServer.with(router) { front in
                    try await front.withClient { client in
                        let request = name.isEmpty ? [] : [15 << 3 | 2, UInt8(name.utf8.count)] + name.utf8
                        async let answer = errorOf {
                            try await client.unaryBytes(Self.change, request, CallOptions(timeout: .seconds(50)))
                        }
                        do {
                            let socket = try await listener.acceptWithHello()
                            _ = try await socket.receive(.call)
                        }
                        if isRenewed {
                            let socket = try await listener.acceptWithHello()
                            let id = try await socket.receive(.call).header.callID
                            try await socket.send(WireFrame(.message, call: id, isEnd: true))
                            #expect(try await answer == nil)
                        } else {
                            #expect(try await answer?.code == .unavailable)
                        }
                    }
                }
            }
        }
    }

    @Test("fail with the code, the sentence and the details of the server behind")
    func errors() async throws {
        let details = StatusDetails(
            fieldViolations: [FieldViolation(field: "limit", description: "0")], retryAfterMs: 7, requestId: "r-9")
        let service = ScriptedEcho(
            unary: { _, _ in throw RPCError(.failedPrecondition, "not yet", details: details) },
            stream: { _, responses, _ in
                try await responses.write(EchoStreamResponse(index: 4))
                throw RPCError(.failedPrecondition, "not yet", details: details)
            })
        try await forwarding(to: service) { echo, _, _ in
            let unary = try await errorOf { try await echo.echo(EchoRequest(), CallOptions(requestID: "r-9")) }
            var count = 0
            let stream = try await errorOf {
                for try await _ in echo.echoStream(EchoStreamRequest(), CallOptions(requestID: "r-9")) { count += 1 }
            }
            #expect(count == 1)
            for error in [unary, stream] {
                #expect(error?.code == .failedPrecondition)
                #expect(error?.message == "not yet")
                #expect(error?.details == details)
            }
        }
    }

    @Test("tell which service behind has failed, unless the caller is at fault")
    func failedBranch() async throws {
        let service = ScriptedEcho(
            unary: { request, _ in
                throw RPCError(request.payload.isEmpty ? .unavailable : .invalidArgument, "no")
            },
            stream: { _, _, _ in throw RPCError(.dataLoss, "no") })
        try await forwarding(to: service) { echo, _, _ in
            let unavailable = try await errorOf { try await echo.echo(EchoRequest()) }
            #expect(unavailable?.details?.failedBranch == "waymark.rpc.v1.EchoService")
            let stream = try await errorOf { for try await _ in echo.echoStream(EchoStreamRequest()) {} }
            #expect(stream?.details?.failedBranch == "waymark.rpc.v1.EchoService")
            let invalid = try await errorOf { try await echo.echo(EchoRequest(payload: [1])) }
            let blamed = invalid?.details?.failedBranch ?? ""
            #expect(blamed.isEmpty)
        }
    }

    @Test("keep their names, their trace, their identity and their deadline, but not the token")
    func metadata() async throws {
        let seen = Mutex<CallContext?>(nil)
        let service = ScriptedEcho(unary: { _, context in
            seen.withLock { $0 = context }
            return EchoResponse()
        })
        let identity = SignedIdentity(identity: [1], signature: [2])
        try await forwarding(to: service) { echo, _, _ in
            var options = CallOptions(
                requestID: "r-1", traceparent: "00-aa-bb-01", signedIdentity: identity, token: "secret")
            options.deadline = .now + .seconds(9)
            _ = try await echo.echo(EchoRequest(), options)
        }
        let context = try #require(seen.withLock { $0 })
        #expect(context.requestID == "r-1")
        #expect(context.traceparent == "00-aa-bb-01")
        #expect(context.signedIdentity == identity)
        #expect(context.token.isEmpty)
        let remaining = try #require(context.remaining)
        #expect(remaining < .seconds(9))
    }

    @Test("stream through in order, a slow reader slows the first writer")
    func streams() async throws {
        let written = Tally()
        let service = ScriptedEcho(stream: { request, responses, _ in
            for index in 0..<request.count {
                try await responses.write(EchoStreamResponse(payload: request.payload, index: index))
                written.add()
            }
        })
        var limits = Limits()
        limits.streamCredit = 2000
        try await forwarding(to: service, limits: limits) { echo, _, _ in
            let request = EchoStreamRequest(payload: [UInt8](repeating: 1, count: 100), count: 1000)
            let reader = echo.echoStream(request).makeAsyncIterator()
            #expect(try await reader.next()?.index == 0)
            for _ in 0..<100 { _ = try await echo.echo(EchoRequest()) }
            #expect(written.count <= 2 * (2000 / 112 + 2) + 2, "both windows and what is on its way")
            for index in 1..<UInt32(1000) { #expect(try await reader.next()?.index == index) }
            #expect(try await reader.next() == nil)
        }
    }

    @Test("are cancelled behind when the caller leaves")
    func cancellation() async throws {
        let (started, cancelled) = (Tally(), Tally())
        let service = ScriptedEcho(
            unary: { _, _ in
                started.add()
                try await cancelled.addWhenCancelled()
            },
            stream: { _, responses, _ in
                defer { cancelled.add() }
                while true { try await responses.write(EchoStreamResponse()) }
            })
        try await forwarding(to: service) { echo, front, back in
            let call = Task { try await errorOf { try await echo.echo(EchoRequest()) } }
            try await started.wait()
            call.cancel()
            #expect(try await call.value?.code == .cancelled)
            try await cancelled.wait()
            for try await _ in echo.echoStream(EchoStreamRequest()) { break }
            try await cancelled.wait(for: 2)
            #expect(await eventually { front.callsInFlight == 0 && back.callsInFlight == 0 })
        }
    }

    /// Gives each call a long identity, as a gateway does.
    private final class Widening: ServerInterceptor {
        func admit(_ context: inout CallContext) throws(RPCError) {
            context.signedIdentity = SignedIdentity(identity: [UInt8](repeating: 1, count: 500), signature: [])
        }
    }

    @Test("that grow past the limit on the way fail alone: the connection behind serves others")
    func growing() async throws {
        try await forwarding(interceptors: [Widening()]) { echo, _, back in
            _ = try await echo.echo(EchoRequest())
            // Fits on the way to the first server; with the identity it does not fit on the way to the second.
            let long = EchoRequest(payload: [UInt8](repeating: 1, count: (4 << 20) - 200))
            #expect(try await errorOf { try await echo.echo(long) }?.code == .resourceExhausted)
            #expect(try await echo.echo(EchoRequest(payload: [3])).payload == [3])
            #expect(back.connectionCount == 1)
        }
    }

    @Test("are UNAVAILABLE when nobody is behind")
    func nobodyBehind() async throws {
        let nobody = try ClosedPort()
        try await TestClient.with(nobody.endpoint) { client in
            var router = Router()
            for method in EchoServiceMethods.all { router.forward(method, to: client) }
            try await TestServer.with(router) { front in
                try await front.withClient { client in
                    let echo = EchoServiceClient(client)
                    #expect(try await errorOf { try await echo.echo(EchoRequest()) }?.code == .unavailable)
                    let error = try await errorOf { for try await _ in echo.echoStream(EchoStreamRequest()) {} }
                    #expect(error?.code == .unavailable)
                }
            }
        }
        withExtendedLifetime(nobody) {}
    }
}
