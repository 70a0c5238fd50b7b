package import AccountContracts
package import RPC
import Refusals
import Storage
import Wire

/// Answers administrators.
package struct AdministrationHandler: AccountAdministrationServiceHandler {
    let store: AccountStore

    package init(_ store: AccountStore) { self.store = store }

    package func listAccounts(
        _ request: ListAccountsRequest, _ context: CallContext
    ) async throws -> ListAccountsResponse {
        _ = try context.ownAccount
        let limit = Int(request.limit ?? ListAccountsRequest.limitDefault)
        let after = request.afterEmail.lowercased()
        let accounts = try await store.read(context) { transaction throws(SQLError) in
            try transaction.accounts(after: after, limit: limit + 1)
        }
        return ListAccountsResponse(
            accounts: accounts.prefix(limit).map { AccountContracts.Account($0) }, truncated: accounts.count > limit)
    }

    package func createInvitation(
        _ request: CreateInvitationRequest, _ context: CallContext
    ) async throws -> CreateInvitationResponse {
        _ = try context.ownAccount
        let (code, end) = (Secret.code(), store.now + store.lifetimes.invitation)
        try await store.write(context) { transaction throws(SQLError) in
            try transaction.insertCode(.invitation, digest: code.digest, until: end)
        }
        return CreateInvitationResponse(code: code.text, expireTime: TimestampMessage(unixMilliseconds: end))
    }

    package func createResetCode(
        _ request: CreateResetCodeRequest, _ context: CallContext
    ) async throws -> CreateResetCodeResponse {
        _ = try context.ownAccount
        let (code, now) = (Secret.code(), store.now)
        let end = now + store.lifetimes.reset
        _ = try await change(request.email, .resetCodeMade, context) { transaction, account throws(SQLError) in
            try transaction.endResets(of: account.id)
            try transaction.insertCode(.reset, digest: code.digest, account: account.id, until: end)
            return .success(account)
        }
        return CreateResetCodeResponse(code: code.text, expireTime: TimestampMessage(unixMilliseconds: end))
    }

    package func lockAccount(
        _ request: LockAccountRequest, _ context: CallContext
    ) async throws -> LockAccountResponse {
        _ = try context.ownAccount
        let isLocked = request.locked
        let account = try await change(request.email, isLocked ? .locked : .unlocked, context) {
            transaction, account throws(SQLError) in
            var account = account
            account.isLocked = isLocked
            try transaction.update(account)
            if isLocked { _ = try transaction.endSessions(of: account.id, but: nil) }
            return try transaction.administratorCount() > 0 ? .success(account) : .failure(.noAdministrator)
        }
        return LockAccountResponse(account: account)
    }

    package func setRoles(_ request: SetRolesRequest, _ context: CallContext) async throws -> SetRolesResponse {
        _ = try context.ownAccount
        let roles = Roles(request.roles)
        for (index, role) in request.roles.enumerated() where role != .user && role != .admin {
            throw Refusal("roles[\(index)]", "\(role.rawValue)", allowed: "ROLE_USER and ROLE_ADMIN are")
        }
        let account = try await change(request.email, .rolesChanged, context) {
            transaction, account throws(SQLError) in
            var account = account
            account.roles = roles.rawValue
            try transaction.update(account)
            return try transaction.administratorCount() > 0 ? .success(account) : .failure(.noAdministrator)
        }
        return SetRolesResponse(account: account)
    }

    package func listAllSecurityEvents(
        _ request: ListAllSecurityEventsRequest, _ context: CallContext
    ) async throws -> ListAllSecurityEventsResponse {
        _ = try context.ownAccount
        let limit = Int(request.limit ?? ListAllSecurityEventsRequest.limitDefault)
        let events = try await store.read(context) { transaction throws(SQLError) in
            try transaction.securityEvents(limit: limit)
        }
        return ListAllSecurityEventsResponse(
            events: events.map { AccountContracts.SecurityEvent($0.forAdministrators) })
    }

    /// Changes an account, and notes it for its owner.
    private func change(
        _ text: String, _ kind: SecurityEvent.Kind, _ context: CallContext,
        _ body: @escaping @Sendable (borrowing Transaction, Account) throws(SQLError) -> Result<Account, NotChanged>
    ) async throws -> AccountContracts.Account {
        let (email, now, event) = (try EmailAddress(text), store.now, RandomID.make())
        let result = try await store.write(context) { transaction throws(SQLError) -> Result<Account, NotChanged> in
            guard let (account, _) = try transaction.account(email) else { return .failure(.unknown(text)) }
            let result = try body(transaction, account)
            guard case .success = result else {
                try transaction.undo()
                return result
            }
            try transaction.record(SecurityEvent(id: event, time: now, kind: kind, account: account.id))
            return result
        }
        return AccountContracts.Account(try result.get())
    }
}

/// Why an administrator's change was not made.
enum NotChanged: Error, RPCErrorConvertible {
    case unknown(String)
    case noAdministrator

    var rpcError: RPCError {
        switch self {
        case .unknown(let email): RPCError(.notFound, "email: no account has \(email.quoted)")
        case .noAdministrator:
            RPCError(.failedPrecondition, "this is the last administrator; make another account one first")
        }
    }
}
