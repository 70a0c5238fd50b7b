import Contracts
import Daemon
import RPC

/// Looks up who calls with a session's token, and ends a stream when its session ends.
final class SessionGuard: CallGuard {
    private let sessions: Sessions
    private let signer: IdentitySigner

    init(_ sessions: Sessions, _ signer: IdentitySigner) {
        self.sessions = sessions
        self.signer = signer
    }

    func run<Answer: Sendable>(
        _ context: CallContext, _ handler: @escaping @Sendable (CallContext) async throws -> Answer
    ) async throws -> Answer {
        let token = ClientToken(context)
        let claim = try await sessions.claim(of: token)
        try context.method.check(claim)
        var context = context
        context.signedIdentity = signer.sign(claim, from: context.client)
        guard context.method.kind != .unary else {
            let answer = try await handler(context)
            if context.method.endsItsSession { sessions.forget(token) }
            return answer
        }
        return try await withThrowingTaskGroup(of: Answer.self) { [sessions, context] group in
            defer { group.cancelAll() }
            group.addTask { try await handler(context) }
            group.addTask {
                try await sessions.waitForEnd(of: token)
                throw RPCError(.unauthenticated, "the session has ended; log in again")
            }
            guard let answer = try await group.next() else { throw RPCError(.internalError, "a group has no task") }
            return answer
        }
    }
}

extension MethodDescriptor {
    /// Whether the session that calls it has ended when it is answered.
    var endsItsSession: Bool { path == AccountServiceMethods.deleteAccount.path }
}
