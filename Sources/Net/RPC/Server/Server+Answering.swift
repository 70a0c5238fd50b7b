import Budgets
import EventLoops
import Wire

extension Server {
    /// Answers a call that did not come over one of our connections, with the same interceptors and limits.
    ///
    /// It runs in the caller's task; the caller watches the deadline and cancels that task. Errors name the request.
    /// - Parameter request: reads the packed request; called only once the call is admitted, so that a caller who is
    ///   not let in cannot make the server spend anything on it.
    package func answer(
        _ context: CallContext, to sink: any AnswerSink, _ request: () async throws(RPCError) -> [UInt8]
    ) async throws(RPCError) {
        try await answer(context, sink) { entry, context in
            let request = try await request()
            switch entry.work {
            case .unary(let handler, let limiter):
                try await sink.write(
                    packed: limiter.run(context) { try await context.guarding { try await handler(request, $0) } })
            case .answers(let handler): try await context.guarding { try await handler(request, $0, sink) }
            case .requests: throw RPCError(.unimplemented, "\(entry.method.path) takes a stream of requests")
            }
        }
    }

    /// The same of a call with a stream of requests.
    package func answer(
        _ context: CallContext, to sink: any AnswerSink, requests: any RequestSource
    ) async throws(RPCError) {
        try await answer(context, sink) { entry, context in
            guard case .requests(let handler) = entry.work else {
                throw RPCError(.unimplemented, "\(entry.method.path) takes one request")
            }
            try await context.guarding { try await handler.answer(requests, $0, sink) }
        }
    }

    private func answer(
        _ context: CallContext, _ sink: any AnswerSink, _ work: (Router.Entry, CallContext) async throws -> Void
    ) async throws(RPCError) {
        var context = context
        do throws(RPCError) {
            guard let entry = router.entry(context.method.path) else {
                throw RPCError(.unimplemented, "there is no method \(context.method.path)")
            }
            try admit(&context)
            try await run(entry, context, work)
        } catch {
            throw error.naming(context.requestID)
        }
    }

    private func run(
        _ entry: Router.Entry, _ context: CallContext, _ work: (Router.Entry, CallContext) async throws -> Void
    ) async throws(RPCError) {
        defer { taskEnded(context) }
        do {
            // What a unary call holds is counted with the request that it came in.
            var memory = MemoryAccount(memory, context.client, context.standing, .streams)
            guard context.method.kind == .unary || memory.hold(CallMemory.bytesPerStream) else {
                throw RPCError.noMemory
            }
            try await work(entry, context)
            finished(context, nil, at: .now)
        } catch {
            let failure = Self.failure(error, context)
            finished(context, failure, at: .now)
            throw failure
        }
    }

    /// A handler that was stopped because its deadline passed reports that it was cancelled.
    private static func failure(_ error: any Error, _ context: CallContext) -> RPCError {
        let failure = RPCError(anyError: error)
        guard failure.code == .cancelled, let remaining = context.remaining, remaining <= .zero else { return failure }
        return .tooLate
    }
}

extension RPCError {
    /// The deadline passed.
    package static var tooLate: RPCError {
        RPCError(.deadlineExceeded, "the deadline passed before the answer was ready")
    }

    /// The same error with the id that is in the logs.
    package func naming(_ requestID: String) -> RPCError {
        guard !requestID.isEmpty else { return self }
        var named = self
        var details = details ?? StatusDetails()
        details.requestId = requestID
        named.details = details
        return named
    }
}
