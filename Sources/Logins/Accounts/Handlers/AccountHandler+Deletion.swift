package import AccountContracts
package import RPC
import Refusals
import Storage

extension AccountHandler {
    package func deleteAccount(
        _ request: DeleteAccountRequest, _ context: CallContext
    ) async throws -> DeleteAccountResponse {
        let (id, email, now) = (try context.ownersAccount, try EmailAddress(request.email), store.now)
        _ = try await store.freshSession(id, context)
        let result = try await store.write(context) { transaction throws(SQLError) -> Result<Void, NotDeleted> in
            guard let (account, _) = try transaction.account(email), account.id == id else {
                return .failure(.otherAddress(request.email))
            }
            try transaction.delete(account, email, at: now)
            let administers = Roles(rawValue: account.roles).contains(.admin) && !account.isLocked
            if administers, try transaction.administratorCount() == 0,
                try !transaction.accounts(after: "", limit: 1).isEmpty
            {
                try transaction.undo()
                return .failure(.lastAdministrator)
            }
            return .success(())
        }
        try result.get()
        return DeleteAccountResponse()
    }
}

/// Why an account is not deleted.
private enum NotDeleted: Error, RPCErrorConvertible {
    case otherAddress(String)
    case lastAdministrator

    var rpcError: RPCError {
        switch self {
        case .otherAddress(let email):
            Refusal("email", text: email, allowed: "the e-mail address of your own account is").rpcError
        case .lastAdministrator:
            RPCError(.failedPrecondition, "you are the last administrator; make another account one first")
        }
    }
}
