import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport

/// Notes which messages are asked for.
final class FakeMail: AccountMailServiceFake, Sendable {
    let asked = Mutex<[String]>([])

    func requestPasswordReset(
        _ request: RequestPasswordResetRequest, _ context: CallContext
    ) async throws -> RequestPasswordResetResponse {
        asked.withLock { $0.append("reset \(request.email)") }
        return RequestPasswordResetResponse()
    }

    func sendInvitation(
        _ request: SendInvitationRequest, _ context: CallContext
    ) async throws -> SendInvitationResponse {
        guard !request.email.hasSuffix("@none.example") else {
            throw RPCError(.failedPrecondition, "this Waymark sends no mail")
        }
        asked.withLock { $0.append("invitation \(request.email)") }
        return SendInvitationResponse()
    }
}
