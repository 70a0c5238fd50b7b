import EventLoops
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import Daemon

@Suite("Call metrics", .timeLimit(.minutes(3)))
struct CallMetricsTests {
    private static let called = method("Called")

    private static func method(_ name: String) -> MethodDescriptor {
        MethodDescriptor(
            service: "a.B", method: name, kind: .unary, isIdempotent: false, hasNoSideEffects: false, role: .user)
    }

    /// The methods as a router has numbered them, of which one is `called`.
    private static let methods: [MethodDescriptor] = {
        var router = Router()
        for method in [method("Idle"), called, method("Another")] {
            router.unary(method) { (request: EchoRequest, _: CallContext) async throws -> EchoResponse in
                EchoResponse(payload: request.payload)
            }
        }
        return router.methods
    }()

    private func withMetrics(_ body: (CallMetrics, EventLoopGroup) async throws -> Void) async throws {
        let group = try EventLoopGroup(count: 2)
        try await body(CallMetrics(Self.methods, group), group)
        group.shutDown()
    }

    private func calls(_ metrics: CallMetrics) -> CallMetrics.Method? {
        metrics.snapshot.first { $0.path == "a.B/Called" }?.method
    }

    @Test("count calls by method, code and duration")
    func counts() async throws {
        try await withMetrics { metrics, _ in
            let context = CallContext(method: Self.called)
            metrics.finished(context, nil, nanoseconds: 1_500)
            metrics.finished(context, nil, nanoseconds: 500)
            metrics.finished(context, RPCError(.unauthenticated, ""), nanoseconds: .max)
            let counted = try #require(calls(metrics))
            #expect(counted.count == 3)
            #expect(counted.errors == 1)
            #expect(counted.byCode[0] == 2)
            #expect(counted.byCode[16] == 1)
            #expect(counted.times.buckets[0] == 1)
            #expect(counted.times.buckets[DurationBuckets.index(1_500)] == 1)
            #expect(counted.times.buckets.last == 1)
            #expect(metrics.snapshot.filter { $0.method.count > 0 }.count == 1)
        }
    }

    @Test("count a call the same whether its method knows its number or not")
    func numbered() async throws {
        try await withMetrics { metrics, _ in
            let numbered = try #require(Self.methods.first { $0.path == Self.called.path })
            #expect(numbered.index != nil)
            #expect(Self.called.index == nil)
            for method in [numbered, Self.called] {
                metrics.finished(CallContext(method: method), nil, nanoseconds: 1)
            }
            #expect(calls(metrics)?.count == 2)
        }
    }

    @Test("tell at the end what was called, how often it failed and how long it took")
    func told() async throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.write("", to: "log")
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let log = Log(service: "test", clock: ManualClock(42).clock, descriptor: descriptor)
        try await withMetrics { metrics, _ in
            metrics.finished(CallContext(method: Self.called), nil, nanoseconds: 1_000_000)
            metrics.finished(CallContext(method: Self.called), RPCError(.notFound, ""), nanoseconds: 2_000_000)
            metrics.write(to: log)
        }
        log.close()
        let lines = try WholeFile.text(path).split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.contains(#""method":"a.B/Called","count":"2","failed":"1","mean_ms":"1.5""#) == true)
    }

    @Test("pass over methods that nobody declared")
    func unknownMethod() async throws {
        try await withMetrics { metrics, _ in
            metrics.finished(CallContext(method: Self.method("Unknown")), nil, nanoseconds: 1)
            #expect(metrics.snapshot.allSatisfy { $0.method.count == 0 })
            #expect(metrics.snapshot.map(\.path) == ["a.B/Another", "a.B/Called", "a.B/Idle"])
        }
    }

    @Test("count every call of many tasks, on loops and beside them")
    func concurrent() async throws {
        try await withMetrics { metrics, group in
            let places: [(any TaskExecutor)?] = group.loops + [nil, nil]
            await withTaskGroup(of: Void.self) { tasks in
                for code in RPCCode.allCases {
                    for place in places {
                        tasks.addTask(executorPreference: place) {
                            let error = code == .ok ? nil : RPCError(code, "")
                            for turn in 0..<1000 {
                                metrics.finished(CallContext(method: Self.called), error, nanoseconds: UInt64(turn))
                            }
                        }
                    }
                }
            }
            let counted = try #require(calls(metrics))
            #expect(counted.byCode == [UInt64](repeating: 4000, count: 17))
            #expect(counted.times.nanoseconds == 17 * 4 * 499_500)
        }
    }

    @Test("give what came between two moments")
    func difference() async throws {
        try await withMetrics { metrics, _ in
            let context = CallContext(method: Self.called)
            metrics.finished(context, nil, nanoseconds: 5_000)
            let before = try #require(calls(metrics))
            metrics.finished(context, RPCError(.aborted, ""), nanoseconds: 7_000)
            let between = try #require(calls(metrics)) - before
            #expect(between.count == 1)
            #expect(between.errors == 1)
            #expect(between.times.nanoseconds == 7_000)
        }
    }

    @Test("D3 count a stream that its caller ended as no error, and a call as one")
    func cancelled() {
        var counted = CallMetrics.Method()
        counted.byCode[Int(RPCCode.ok.rawValue)] = 1
        counted.byCode[Int(RPCCode.cancelled.rawValue)] = 2
        counted.byCode[Int(RPCCode.unavailable.rawValue)] = 3
        #expect(counted.errors == 5)
        counted.isStream = true
        #expect(counted.errors == 3)
    }

    @Test("request ids are all different")
    func requestIDs() {
        let ids = (0..<100_000).map { _ in RequestID.make() }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { (1...16).contains($0.utf8.count) })
    }
}
