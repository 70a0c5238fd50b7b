import RPC
import Storage

extension AccountStore {
    /// The id of the caller's session, when it is so young that the person has just shown who they are. One that was
    /// begun with a token of the deployment shows nothing of a person.
    func freshSession(_ account: String, _ context: CallContext) async throws -> String {
        let (now, id) = (now, context.identity?.session ?? "")
        let session = try await read(context) { transaction throws(SQLError) -> StoredSession? in
            guard try transaction.account(account) != nil else { return nil }
            return try transaction.sessions(of: account, at: now).first { $0.id == id }
        }
        guard let session, session.deploymentToken.isEmpty else {
            throw RPCError(.failedPrecondition, "log in to an account first: a token of the deployment is no person")
        }
        guard FreshLogIn.isFresh(session.createdMilliseconds, at: now) else {
            throw RPCError(.failedPrecondition, "log in again first: you did that more than ten minutes ago")
        }
        return id
    }
}
