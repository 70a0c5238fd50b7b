import Contracts
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Daemon

@Suite("P41 traces", .timeLimit(.minutes(3)))
struct TracingTests {
    private static let sent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    /// Notes what each call of a server came with, and where it stood.
    private final class Recorder: ServerInterceptor {
        let seen = Mutex<[CallContext]>([])

        func admit(_ context: inout CallContext) {
            let context = context
            seen.withLock { $0.append(context) }
        }
    }

    /// What two servers saw of a call that the first passed on to the second.
    private func hops(_ traceparent: String) async throws -> [CallContext] {
        let recorder = Recorder()
        let interceptors: [any ServerInterceptor] = [Tracing(), recorder]
        try await TestServer.with(Router([EchoHandler()]), interceptors: interceptors) { inner in
            try await inner.withClient { behind in
                var router = Router()
                router.forward(EchoServiceMethods.echo, to: behind)
                try await TestServer.with(router, interceptors: interceptors) { outer in
                    try await outer.withClient { client in
                        var options = CallOptions(timeout: .seconds(60))
                        options.traceparent = traceparent
                        _ = try await EchoServiceClient(client).echo(EchoRequest(), options)
                    }
                }
            }
        }
        return recorder.seen.withLock { $0 }
    }

    @Test("go on at each hop with the same trace, the hop before as the parent")
    func continued() async throws {
        let seen = try await hops(Self.sent)
        try #require(seen.count == 2)
        let (outer, inner) = (try #require(seen[0].trace), try #require(seen[1].trace))
        #expect(seen[0].traceparent == Self.sent)
        #expect(outer.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(outer.spanID != "00f067aa0ba902b7")
        #expect(seen[1].traceparent == outer.traceparent)
        #expect(inner.trace == outer.trace)
        #expect(Set([outer.spanID, inner.spanID, "00f067aa0ba902b7"]).count == 3)
        #expect(inner.isSampled)
    }

    @Test("begin where none came, or one that can't be read", arguments: ["", "00-aa-bb-01", "nonsense"])
    func begun(traceparent: String) async throws {
        let seen = try await hops(traceparent)
        try #require(seen.count == 2)
        let (outer, inner) = (try #require(seen[0].trace), try #require(seen[1].trace))
        #expect(outer.trace == inner.trace)
        #expect(seen[1].traceparent == outer.traceparent)
        #expect(!outer.isSampled)
    }
}
