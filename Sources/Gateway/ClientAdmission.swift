import Budgets
import Daemon
import RPC
import Wire

/// Decides in which account's name a client's call is made, and signs it for the services behind.
final class ClientAdmission: ServerInterceptor {
    /// The account of open mode.
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
        do throws(RPCError) {
            context.signedIdentity = signer.sign(try account(context.token))
            context.standing = .known
        } catch {
            let isForAll = ServiceProgram.openServices.contains(context.method.service)
            guard context.token.isEmpty, isForAll else { throw error }
        }
    }

    /// Whether a client with this token is let in.
    func isKnown(_ token: String) -> Bool { token.isEmpty ? isOpen : tokens.isKnown(token) }

    /// The account of a client with this token; an empty token counts as none.
    func account(_ token: String) throws(RPCError) -> String {
        if token.isEmpty, isOpen { return Self.localAccount }
        if tokens.isKnown(token) { return Self.localAccount }
        if token.isEmpty {
            throw RPCError(
                .unauthenticated, "a token is needed; --open lets calls without one act as \"\(Self.localAccount)\"")
        }
        throw RPCError(.unauthenticated, "the token is not known here")
    }
}
