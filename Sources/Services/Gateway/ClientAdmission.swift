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
    private let sessions: Sessions
    private let sessionGuard: SessionGuard

    init(_ signer: IdentitySigner, tokens: AccessTokens, isOpen: Bool, sessions: Sessions) {
        self.signer = signer
        self.tokens = tokens
        self.isOpen = isOpen
        self.sessions = sessions
        sessionGuard = SessionGuard(sessions, signer)
    }

    func admit(_ context: inout CallContext) throws(RPCError) {
        if context.requestID.isEmpty { context.requestID = RequestID.make() }
        // A signature that a client sends is never passed on.
        context.signedIdentity = nil
        let token = ClientToken(context)
        if context.method.role == .anyone { return try admit(stranger: &context, token) }
        if Sessions.isToken(token.text) { return try admit(session: &context, token) }
        let claim = try deploymentClaim(token)
        try context.method.check(claim)
        context.signedIdentity = signer.sign(claim, from: context.client)
        context.standing = .known
    }

    /// Methods that anyone may call need no account. They get the address, by which attempts to log in are limited.
    private func admit(stranger context: inout CallContext, _ token: ClientToken) throws(RPCError) {
        if !token.isEmpty, !Sessions.isToken(token.text) { _ = try deploymentClaim(token) }
        if isKnown(token) { context.standing = .known }
        context.signedIdentity = signer.sign(.stranger(context.client))
    }

    /// A session is known, or has to be looked up first; a stream is watched over as long as it runs.
    private func admit(session context: inout CallContext, _ token: ClientToken) throws(RPCError) {
        let known = try sessions.known(token)?.get()
        if known != nil { context.standing = .known }
        guard let known, context.method.kind == .unary, !context.method.endsItsSession else {
            context.callGuard = sessionGuard
            return
        }
        try context.method.check(known)
        context.signedIdentity = signer.sign(known, from: context.client)
    }

    /// The options of a call that the gateway makes in a client's name.
    func options(_ context: CallContext) async throws(RPCError) -> CallOptions {
        var context = context
        try admit(&context)
        if context.callGuard != nil {
            let claim = try await sessions.claim(of: ClientToken(context))
            try context.method.check(claim)
            context.signedIdentity = signer.sign(claim, from: context.client)
        }
        return CallOptions(context)
    }

    /// Whether a client with this token is let in, as far as that is known without asking.
    func isKnown(_ token: ClientToken) -> Bool {
        if Sessions.isToken(token.text), case .success = sessions.known(token) { return true }
        return token.isEmpty ? isOpen : tokens.isKnown(token)
    }

    /// Who a client with this token is; an empty token counts as none.
    func claim(_ token: ClientToken) async throws(RPCError) -> IdentityClaim {
        Sessions.isToken(token.text) ? try await sessions.claim(of: token) : try deploymentClaim(token)
    }

    private func deploymentClaim(_ token: ClientToken) throws(RPCError) -> IdentityClaim {
        if token.isEmpty, isOpen { return .account(Self.localAccount, .ofAccounts, by: .nothing) }
        if let roles = tokens.roles(of: token) { return .account(Self.localAccount, roles) }
        if token.isEmpty {
            throw RPCError(
                .unauthenticated,
                "log in, or send a token; --open lets calls without one act as \"\(Self.localAccount)\"")
        }
        throw RPCError(.unauthenticated, "the token is not known here")
    }
}

extension MethodDescriptor {
    /// Refuses a client that may not call the method.
    func check(_ claim: IdentityClaim) throws(RPCError) {
        if case .account(_, _, let credential) = claim { return try check(claim.roles, credential) }
        try check(claim.roles)
    }
}
