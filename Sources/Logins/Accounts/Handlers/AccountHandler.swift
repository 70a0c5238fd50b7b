package import AccountContracts
import FieldRules
package import RPC
import Storage
import Wire

/// Answers calls about the caller's own account.
package struct AccountHandler: AccountServiceHandler {
    let store: AccountStore

    package init(_ store: AccountStore) { self.store = store }

    package func getAccountOptions(
        _ request: GetAccountOptionsRequest, _ context: CallContext
    ) async throws -> GetAccountOptionsResponse {
        let count = try await store.read(context) { transaction throws(SQLError) in
            try transaction.administratorCount()
        }
        return GetAccountOptionsResponse(
            signUp: SignUpPolicy(store.signUp), needsAdministrator: count == 0, sendsMail: store.sendsMail)
    }

    package func getProfile(
        _ request: GetProfileRequest, _ context: CallContext
    ) async throws -> GetProfileResponse {
        GetProfileResponse(account: try await profile(context))
    }

    package func updateProfile(
        _ request: UpdateProfileRequest, _ context: CallContext
    ) async throws -> UpdateProfileResponse {
        let id = try context.ownersAccount
        let first = FieldText.line(request.firstName)
        let last = FieldText.line(request.lastName)
        let account = try await store.write(context) { transaction throws(SQLError) -> Account? in
            guard var account = try transaction.account(id) else { return nil }
            (account.firstName, account.lastName) = (first, last)
            try transaction.update(account)
            return account
        }
        return UpdateProfileResponse(account: AccountContracts.Account(try Self.existing(account)))
    }

    package func listSessions(
        _ request: ListSessionsRequest, _ context: CallContext
    ) async throws -> ListSessionsResponse {
        let (account, now) = (try context.ownersAccount, store.now)
        let sessions = try await store.read(context) { transaction throws(SQLError) in
            try transaction.sessions(of: account, at: now)
        }
        return ListSessionsResponse(
            sessions: sessions.map { AccountContracts.Session($0, isCurrent: $0.id == context.identity?.session) })
    }

    package func revokeSessions(
        _ request: RevokeSessionsRequest, _ context: CallContext
    ) async throws -> RevokeSessionsResponse {
        let (account, current) = (try context.ownersAccount, context.identity?.session)
        let event = SecurityEvent(
            id: RandomID.make(), time: store.now, kind: .sessionsRevoked, account: account)
        let keysEnded = SecurityEvent(id: RandomID.make(), time: store.now, kind: .keyRevoked, account: account)
        let isAll = request.id.isEmpty
        let (count, keys) = try await store.write(context) { transaction throws(SQLError) in
            let count =
                isAll
                ? try transaction.endSessions(of: account, but: current)
                : try transaction.endSession(request.id, of: account)
            if count > 0 { try transaction.record(event) }
            let keys = isAll && !request.keepApiKeys ? try transaction.endKeys(of: account) : 0
            if keys > 0 { try transaction.record(keysEnded) }
            return (count, keys)
        }
        return RevokeSessionsResponse(
            endedCount: UInt32(clamping: count), endedKeyCount: UInt32(clamping: keys))
    }

    package func listSecurityEvents(
        _ request: ListSecurityEventsRequest, _ context: CallContext
    ) async throws -> ListSecurityEventsResponse {
        let account = try context.ownersAccount
        let limit = Int(request.limit ?? ListSecurityEventsRequest.limitDefault)
        let events = try await store.read(context) { transaction throws(SQLError) in
            try transaction.securityEvents(of: account, limit: limit)
        }
        return ListSecurityEventsResponse(events: events.map { AccountContracts.SecurityEvent($0) })
    }

    /// The caller's account. The profile of open mode has no row until someone takes it over.
    private func profile(_ context: CallContext) async throws -> AccountContracts.Account {
        let id = try context.account
        let isOpen = context.identity?.credential == .nothing
        let account = try await store.read(context) { transaction throws(SQLError) in
            isOpen ? nil : try transaction.account(id)
        }
        if let account { return AccountContracts.Account(account) }
        return AccountContracts.Account(id: id, roles: context.identity?.roles.list ?? [])
    }

    /// An account with an e-mail address; the profile of open mode is none.
    static func existing(_ account: Account?) throws(RPCError) -> Account {
        if let account { return account }
        throw RPCError(.failedPrecondition, "this profile is no account: sign up or log in first")
    }
}

extension CallContext {
    /// The account of a caller who has shown that it is theirs. In open mode everyone who reaches the gateway acts as
    /// the same profile, and may not do what is about an account itself.
    package var ownAccount: String {
        get throws(RPCError) {
            let account = try account
            guard identity?.credential != .nothing else {
                throw RPCError(.unauthenticated, "log in first: without that you share the profile \"\(account)\"")
            }
            return account
        }
    }

    /// The account of a person who has logged in: what is about the account itself is not for programs with a key or a
    /// token of the deployment.
    var ownersAccount: String {
        get throws(RPCError) {
            let account = try ownAccount
            guard case .session = identity?.credential else {
                throw RPCError(
                    .permissionDenied, "a key or token can't do this; log in for what is about the account itself")
            }
            return account
        }
    }
}
