import Budgets
import Daemon
import RPC
import Wire

/// Decides in whose name a client's call is made and whether it may be, and signs it for the services behind.
final class ClientAdmission: ServerInterceptor {
    /// The account of open mode, and of every token.
    static let localAccount = "local"

    private let signer: IdentitySigner
    private let tokens: AccessTokens
    private let isOpen: Bool

    init(_ signer: IdentitySigner, tokens: AccessTokens = .none, isOpen: Bool) {
        self.signer = signer
        self.tokens = tokens
        self.isOpen = isOpen
    }

    func admit(_ context: inout CallContext) throws(RPCError) {
        if context.requestID.isEmpty { context.requestID = RequestID.make() }
        // A signature that a client sends is never passed on.
        context.signedIdentity = nil
        guard let claim = try claim(context.token, for: context.method) else { return }
        try context.method.check(claim.roles)
        context.signedIdentity = signer.sign(claim)
        context.standing = .known
    }

    /// Whether a client with this token is let in.
    func isKnown(_ token: String) -> Bool { roles(of: token) != nil }

    /// Who a client with this token is; an empty token counts as none.
    func claim(_ token: String) throws(RPCError) -> IdentityClaim {
        if let roles = roles(of: token) { return .account(Self.localAccount, roles) }
        if token.isEmpty {
            throw RPCError(
                .unauthenticated, "a token is needed; --open lets calls without one act as \"\(Self.localAccount)\"")
        }
        throw RPCError(.unauthenticated, "the token is not known here")
    }

    /// The same for a call of a method; nil for a stranger who may call it.
    private func claim(_ token: String, for method: MethodDescriptor) throws(RPCError) -> IdentityClaim? {
        do throws(RPCError) {
            return try claim(token)
        } catch {
            guard token.isEmpty, method.role == .anyone else { throw error }
            return nil
        }
    }

    /// What a client with this token may do; nil when it is not let in.
    private func roles(of token: String) -> Roles? {
        token.isEmpty && isOpen ? .ofAccounts : tokens.roles(of: token)
    }
}
