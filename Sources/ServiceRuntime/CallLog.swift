import EventLoops
package import RPC

/// Writes a line for each call that failed or took long; all calls at level debug.
package struct CallLog: ServerInterceptor {
    private static let slow: Duration = .seconds(1)
    private let log: Log

    package init(_ log: Log) { self.log = log }

    package func finished(_ context: CallContext, _ error: RPCError?, elapsed: Duration) {
        if let error {
            write(error, context, elapsed)
        } else if elapsed >= Self.slow {
            log.warning("call was slow", values(context, elapsed))
        } else {
            log.debug("call finished", values(context, elapsed))
        }
    }

    private func write(_ error: RPCError, _ context: CallContext, _ elapsed: Duration) {
        let isOurs = [RPCCode.unknown, .internalError, .dataLoss].contains(error.code)
        let cause = error.cause.map { "\($0)" } ?? ""
        let line: KeyValuePairs<String, String> = [
            "method": context.method.path, "request_id": context.requestID, "code": "\(error.code)",
            "reason": error.message, "cause": cause, "ms": "\(elapsed.milliseconds)",
        ]
        if isOurs { log.error("call failed", line) } else { log.info("call refused", line) }
    }

    private func values(_ context: CallContext, _ elapsed: Duration) -> KeyValuePairs<String, String> {
        ["method": context.method.path, "request_id": context.requestID, "ms": "\(elapsed.milliseconds)"]
    }
}
