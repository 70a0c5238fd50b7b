package import EventLoops
package import RPC
import Synchronization

/// Writes a line for each call that failed or took long; all calls at level debug.
///
/// Calls that are turned away cost next to nothing and may come in any number: of those, each method gets a few lines a
/// second.
package final class CallLog: ServerInterceptor {
    private static let slowNanoseconds: UInt64 = 1_000_000_000
    private let log: Log
    private let clock: WallClock
    private let turnedAway = Mutex<[String: TurnedAway]>([:])

    package init(_ log: Log, clock: WallClock = .system) {
        self.log = log
        self.clock = clock
    }

    package func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64) {
        if let error {
            write(error, context, nanoseconds)
        } else if nanoseconds >= Self.slowNanoseconds {
            log.warning("call was slow", Self.values(context, nanoseconds))
        } else {
            log.debug("call finished", Self.values(context, nanoseconds))
        }
    }

    package func refused(_ address: SocketAddress?, _ reason: String) {
        log.warning("client was not let in", ["address": address.map { "\($0)" } ?? "", "reason": reason])
    }

    private func write(_ error: RPCError, _ context: CallContext, _ nanoseconds: UInt64) {
        switch error.code {
        case .unknown, .internalError, .dataLoss: log.error("call failed", Self.values(error, context, nanoseconds))
        case .resourceExhausted, .unauthenticated: turnAway(error, context, nanoseconds)
        default: log.info("call refused", Self.values(error, context, nanoseconds))
        }
    }

    private func turnAway(_ error: RPCError, _ context: CallContext, _ nanoseconds: UInt64) {
        let (method, second) = (context.method.path, clock.unixMilliseconds / 1000)
        let (isTold, untold) = turnedAway.withLock { $0[method, default: TurnedAway()].add(at: second) }
        if untold > 0 { log.info("calls refused without a line", ["method": method, "count": "\(untold)"]) }
        if isTold { log.info("call refused", Self.values(error, context, nanoseconds)) }
    }

    private static func values(
        _ error: RPCError, _ context: CallContext, _ nanoseconds: UInt64
    ) -> KeyValuePairs<String, String> {
        [
            "method": context.method.path, "request_id": context.requestID, "code": "\(error.code)",
            "reason": error.message, "cause": error.cause.map { "\($0)" } ?? "",
            "trace_id": context.trace?.traceID ?? "", "span_id": context.trace?.spanID ?? "",
            "ms": "\(Double(nanoseconds) / 1e6)",
        ]
    }

    private static func values(_ context: CallContext, _ nanoseconds: UInt64) -> KeyValuePairs<String, String> {
        [
            "method": context.method.path, "request_id": context.requestID, "trace_id": context.trace?.traceID ?? "",
            "span_id": context.trace?.spanID ?? "", "ms": "\(Double(nanoseconds) / 1e6)",
        ]
    }
}

/// Calls of one method that were turned away in the present second.
private struct TurnedAway {
    private static let mostLines = 10
    private var second: Int64 = 0
    private var lines = 0
    private var untold = 0

    /// One more. Gives whether it gets a line, and how many of the last second that had any got none.
    mutating func add(at now: Int64) -> (isTold: Bool, untold: Int) {
        let before = now == second ? 0 : untold
        if now != second { (second, lines, untold) = (now, 0, 0) }
        guard lines < Self.mostLines else {
            untold += 1
            return (false, 0)
        }
        lines += 1
        return (true, before)
    }
}
