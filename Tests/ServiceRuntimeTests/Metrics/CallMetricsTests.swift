import Glibc
import RPC
import TestSupport
import TestTools
import Testing

@testable import ServiceRuntime

@Suite("Call metrics", .timeLimit(.minutes(1)))
struct CallMetricsTests {
    private static let method = MethodDescriptor(
        service: "a.B", method: "C", kind: .unary, isIdempotent: false, hasNoSideEffects: false)

    @Test(
        "put each time into the bucket of its power of two microseconds",
        arguments: [
            (UInt64(0), 0), (999, 0), (1_000, 1), (1_999, 1), (2_000, 2), (3_999_999, 12), (4_096_000, 13),
            (33_554_431_999, 25), (33_554_432_000, 26), (UInt64.max, 26),
        ])
    func buckets(nanoseconds: UInt64, bucket: Int) {
        #expect(CallMetrics.bucket(nanoseconds) == bucket)
    }

    @Test("count calls by method and code")
    func counts() throws {
        let metrics = CallMetrics([Self.method])
        let context = CallContext(method: Self.method)
        metrics.finished(context, nil, nanoseconds: 1_500)
        metrics.finished(context, nil, nanoseconds: 500)
        metrics.finished(context, RPCError(.unauthenticated, ""), nanoseconds: .max)
        let counted = try #require(metrics.snapshot["a.B/C"])
        #expect(counted.count == 3)
        #expect(counted.byCode[0] == 2)
        #expect(counted.byCode[16] == 1)
        #expect(counted.byTime[0] == 1)
        #expect(counted.byTime[1] == 1)
        #expect(counted.byTime[26] == 1)
    }

    @Test("tell at the end what was called, how often it failed and how long it took")
    func told() throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.write("", to: "log")
        let descriptor = open(path, O_WRONLY)
        defer { close(descriptor) }
        let log = Log(service: "test", clock: ManualClock(42).clock, descriptor: descriptor)
        let idle = MethodDescriptor(
            service: "a.B", method: "Idle", kind: .unary, isIdempotent: false, hasNoSideEffects: false)
        let metrics = CallMetrics([Self.method, idle])
        metrics.finished(CallContext(method: Self.method), nil, nanoseconds: 1_000_000)
        metrics.finished(CallContext(method: Self.method), RPCError(.notFound, ""), nanoseconds: 2_000_000)
        metrics.write(to: log)
        log.close()
        let lines = try WholeFile.text(path).split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.hasSuffix(#""method":"a.B/C","count":"2","failed":"1","mean_ms":"1.5"}"#) == true)
    }

    @Test("pass over methods that nobody declared")
    func unknownMethod() {
        let metrics = CallMetrics([])
        metrics.finished(CallContext(method: Self.method), nil, nanoseconds: 1)
        #expect(metrics.snapshot.isEmpty)
    }

    @Test("count every call of many tasks")
    func concurrent() async throws {
        let metrics = CallMetrics([Self.method])
        await withTaskGroup(of: Void.self) { group in
            for code in RPCCode.allCases {
                group.addTask {
                    let error = code == .ok ? nil : RPCError(code, "")
                    for turn in 0..<1000 {
                        metrics.finished(CallContext(method: Self.method), error, nanoseconds: UInt64(turn))
                    }
                }
            }
        }
        let counted = try #require(metrics.snapshot["a.B/C"])
        #expect(counted.byCode == [UInt64](repeating: 1000, count: 17))
    }

    @Test("request ids are all different")
    func requestIDs() {
        let ids = (0..<100_000).map { _ in RequestID.make() }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { (1...16).contains($0.utf8.count) })
    }
}
