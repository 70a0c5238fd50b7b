import Accounts
import PinContracts
import RPC
import Storage
import Stores

/// Answers gateways' questions about what is shared with an account.
struct GrantCheckHandler: GrantCheckServiceHandler {
    let store: PinStore

    func checkGrant(_ request: CheckGrantRequest, _ context: CallContext) async throws -> CheckGrantResponse {
        let (account, id) = (try context.account, request.id)
        let found = try await store.read(deadline: context.storageDeadline) {
            transaction throws(SQLError) -> (shared: SharedWith, guest: String)? in
            guard id.utf8.count <= CheckShareRequest.longestID, let shared = try transaction.liveGrant(id),
                shared.named.grant.guest == account, let guest = try transaction.shownName(of: account)
            else { return nil }
            return (shared, guest)
        }
        guard let found else { throw GrantError.notFound(id) }
        let grant = found.shared.named.grant
        let (subject, isList) = (grant.subject.id.description, grant.subject.isList)
        return CheckGrantResponse(
            owner: grant.account, pinId: isList ? "" : subject, listId: isList ? subject : "",
            shared: SharedWithMe(found.shared), guestName: found.guest)
    }
}
