/// Decides on a call when that may have to wait, and watches over a stream while it runs. An interceptor names one in
/// the call's context; handlers run inside it.
package protocol CallGuard: AnyObject, Sendable {
    /// Runs a call's handler, with a context that it completes; or refuses, or stops it.
    func run<Answer: Sendable>(
        _ context: CallContext, _ handler: @escaping @Sendable (CallContext) async throws -> Answer
    ) async throws -> Answer
}

extension CallContext {
    /// Runs the handler of this call.
    func guarding<Answer: Sendable>(
        _ handler: @escaping @Sendable (CallContext) async throws -> Answer
    ) async throws -> Answer {
        guard let callGuard else { return try await handler(self) }
        return try await callGuard.run(self, handler)
    }
}
