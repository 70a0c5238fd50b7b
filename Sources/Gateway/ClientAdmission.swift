import RPC
import ServiceRuntime
import Wire

/// Decides for whom a client's call is made, and signs it for the services behind.
struct ClientAdmission: ServerInterceptor {
    /// The account of open mode.
    static let localAccount = "local"

    private let signer: IdentitySigner
    private let isOpen: Bool

    init(_ signer: IdentitySigner, isOpen: Bool) {
        self.signer = signer
        self.isOpen = isOpen
    }

    func admit(_ context: inout CallContext) throws(RPCError) {
        if context.requestID.isEmpty { context.requestID = RequestID.make() }
        // What a client claims to be signed is never passed on.
        context.signedIdentity = nil
        guard context.token.isEmpty else {
            throw RPCError(.unauthenticated, "the session token is not known here; this gateway keeps no accounts yet")
        }
        guard isOpen else {
            if ServiceProgram.openServices.contains(context.method.service) { return }
            throw RPCError(
                .unauthenticated,
                "\(context.method.path) needs a session token; --open lets calls without one act as \"local\"")
        }
        context.signedIdentity = signer.sign(Self.localAccount)
    }
}
