package import EventLoops
package import RPC

/// Writes a line for each call that failed or took long; for all calls at level debug.
///
/// A failing call costs its caller next to nothing, and any number of them may come: each method gets a few lines a
/// second.
package final class CallLog: ServerInterceptor {
    private static let slowNanoseconds: UInt64 = 1_000_000_000
    private let log: Log
    private let clock: WallClock
    private let pace = LogPace<String>(lines: 10)

    package init(_ log: Log, clock: WallClock = .system) {
        self.log = log
        self.clock = clock
    }

    package func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64) {
        if let error {
            write(error, context, nanoseconds)
        } else if nanoseconds >= Self.slowNanoseconds {
            if isLogged(context) { log.warning("call was slow", Self.values(context, nanoseconds)) }
        } else {
            log.debug("call finished", Self.values(context, nanoseconds))
        }
    }

    package func refused(_ address: SocketAddress?, _ reason: String) {
        log.warning("client was not let in", ["address": address.map { "\($0)" } ?? "", "reason": reason])
    }

    private func write(_ error: RPCError, _ context: CallContext, _ nanoseconds: UInt64) {
        guard isLogged(context) else { return }
        switch error.code {
        case .unknown, .internalError, .dataLoss: log.error("call failed", Self.values(error, context, nanoseconds))
        default: log.info("call refused", Self.values(error, context, nanoseconds))
        }
    }

    /// Whether the call gets a line; first logs how many calls got none, if any.
    private func isLogged(_ context: CallContext) -> Bool {
        let method = context.method.path
        let (isLogged, dropped) = pace.add(method, at: clock.unixMilliseconds / 1000)
        if dropped > 0 { log.info("calls without a line", ["method": method, "count": "\(dropped)"]) }
        return isLogged
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
