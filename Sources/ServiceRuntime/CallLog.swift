package import EventLoops
package import RPC

/// Writes a line for each call that failed or took long; all calls at level debug.
package final class CallLog: ServerInterceptor {
    private static let slowNanoseconds: UInt64 = 1_000_000_000
    private let log: Log

    package init(_ log: Log) { self.log = log }

    package func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64) {
        if let error {
            write(error, context, nanoseconds)
        } else if nanoseconds >= Self.slowNanoseconds {
            log.warning("call was slow", values(context, nanoseconds))
        } else {
            log.debug("call finished", values(context, nanoseconds))
        }
    }

    package func refused(_ address: SocketAddress?, _ reason: String) {
        log.warning("client was not let in", ["address": address.map { "\($0)" } ?? "", "reason": reason])
    }

    private func write(_ error: RPCError, _ context: CallContext, _ nanoseconds: UInt64) {
        let isOurs = [RPCCode.unknown, .internalError, .dataLoss].contains(error.code)
        let cause = error.cause.map { "\($0)" } ?? ""
        let line: KeyValuePairs<String, String> = [
            "method": context.method.path, "request_id": context.requestID, "code": "\(error.code)",
            "reason": error.message, "cause": cause, "trace_id": context.trace?.traceID ?? "",
            "span_id": context.trace?.spanID ?? "", "ms": "\(Double(nanoseconds) / 1e6)",
        ]
        if isOurs { log.error("call failed", line) } else { log.info("call refused", line) }
    }

    private func values(_ context: CallContext, _ nanoseconds: UInt64) -> KeyValuePairs<String, String> {
        [
            "method": context.method.path, "request_id": context.requestID, "trace_id": context.trace?.traceID ?? "",
            "span_id": context.trace?.spanID ?? "", "ms": "\(Double(nanoseconds) / 1e6)",
        ]
    }
}
