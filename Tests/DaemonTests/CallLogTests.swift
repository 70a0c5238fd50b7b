import Daemon
import RPC
import TestSupport
import Testing
import Wire

@Suite("Lines of calls that failed")
struct CallLogTests {
    private static func context(_ method: String) -> CallContext {
        CallContext(
            method: MethodDescriptor(
                service: "a.B", method: method, kind: .unary, isIdempotent: false, hasNoSideEffects: false,
                role: .user))
    }

    /// The lines of so many calls of each method, in their order; the clock moves by so many milliseconds before.
    private static func lines(
        _ code: RPCCode, _ calls: [(method: String, count: Int, later: Int64)]
    ) throws -> [String] {
        let clock = ManualClock(10_000)
        return try WrittenLog.lines { log in
            let callLog = CallLog(log, clock: clock.clock)
            for (method, count, later) in calls {
                clock.move(by: later)
                for _ in 0..<count { callLog.finished(context(method), RPCError(code, "no"), nanoseconds: 5_000) }
            }
        }
    }

    @Test(
        "E6 are few for calls of a method that fail in a second, and tell how many had none",
        arguments: [RPCCode.resourceExhausted, .unauthenticated, .invalidArgument, .deadlineExceeded, .notFound])
    func turnedAway(code: RPCCode) throws {
        let lines = try Self.lines(code, [("C", 1_000, 0), ("D", 1, 0), ("C", 1, 999), ("C", 1, 1), ("C", 1, 0)])
        let told = lines.filter { $0.contains(#""message":"call refused""#) }
        #expect(told.filter { $0.contains(#""method":"a.B/C""#) }.count == 12)
        #expect(told.filter { $0.contains(#""method":"a.B/D""#) }.count == 1)
        #expect(told.allSatisfy { $0.contains(#""code":"\#(code)","reason":"no""#) })
        #expect(lines.count == told.count + 1)
        #expect(lines.contains { $0.hasSuffix(#""method":"a.B/C","count":"991"}"#) })
    }

    @Test("are few for those that fail by our fault, too", arguments: [RPCCode.unknown, .internalError, .dataLoss])
    func others(code: RPCCode) throws {
        let lines = try Self.lines(code, [("C", 100, 0), ("C", 1, 1000)])
        #expect(lines.filter { $0.contains(#""message":"call failed""#) }.count == 11 && lines.count == 12)
    }
}
