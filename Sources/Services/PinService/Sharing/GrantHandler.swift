import Accounts
import AccountContracts
import PinContracts
import Daemon
import RPC
import Storage
import Stores

/// Answers calls about what accounts share with each other. No answer depends on whether there is the account that is
/// named.
struct GrantHandler: GrantServiceHandler {
    let store: PinStore
    let clock: WallClock

    func createGrant(_ request: CreateGrantRequest, _ context: CallContext) async throws -> CreateGrantResponse {
        let account = try context.ownAccount
        let subject = try Share.Subject(pin: request.pinId, list: request.listId)
        let (email, right) = (try EmailAddress(request.email), try Grant.Right(request.right))
        if subject.isList, right != .read { throw GrantError.listIsRead }
        let wanted = Grant(
            id: ShareToken.newID(), account: account, subject: subject, email: email.text, guest: "", right: right,
            createdMilliseconds: clock.unixMilliseconds)
        let address = context.identity?.client ?? ""
        let named = try await write(account, context) { transaction throws(SQLError) in
            try transaction.putGrant(wanted, email, from: address)
        }.get()
        return CreateGrantResponse(grant: PinContracts.Grant(named))
    }

    func listGrants(_ request: ListGrantsRequest, _ context: CallContext) async throws -> ListGrantsResponse {
        let account = try context.ownAccount
        let pin = try PinID(optional: request.pinId, field: "pin_id").map { Share.Subject.pin($0) }
        let list = try ListID(optional: request.listId, field: "list_id").map { Share.Subject.list($0) }
        let all = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.grants(of: account)
        }
        let wanted = all.filter { named in
            (pin == nil || named.grant.subject == pin) && (list == nil || named.grant.subject == list)
        }
        return ListGrantsResponse(grants: wanted.map { PinContracts.Grant($0) })
    }

    func changeGrant(_ request: ChangeGrantRequest, _ context: CallContext) async throws -> ChangeGrantResponse {
        let (account, id) = (try context.ownAccount, request.id)
        let right = try Grant.Right(request.right)
        let named = try await write(account, context) {
            transaction throws(SQLError) -> Result<NamedGrant, GrantError> in
            guard var named = try transaction.grant(id), named.grant.account == account else {
                return .failure(.notFound(id))
            }
            if named.grant.subject.isList, right != .read { return .failure(.listIsRead) }
            named.grant.right = right
            try transaction.update(named.grant)
            return .success(named)
        }.get()
        return ChangeGrantResponse(grant: PinContracts.Grant(named))
    }

    func deleteGrant(_ request: DeleteGrantRequest, _ context: CallContext) async throws -> DeleteGrantResponse {
        let (account, id) = (try context.ownAccount, request.id)
        let (address, now) = (context.identity?.client ?? "", clock.unixMilliseconds)
        let wasThere = try await write(nil, context) { transaction throws(SQLError) in
            guard let named = try transaction.grant(id), [named.grant.account, named.grant.guest].contains(account)
            else { return false }
            try transaction.deleteGrant(id)
            // Who shares it does not learn from where the other one has called.
            let isOwner = named.grant.account == account
            try transaction.record(
                SecurityEvent(
                    .grantDeleted, of: named.grant.account, from: isOwner ? address : "", about: named.name, at: now))
            return true
        }
        return DeleteGrantResponse(deleted: wasThere)
    }

    func listSharedWithMe(
        _ request: ListSharedWithMeRequest, _ context: CallContext
    ) async throws -> ListSharedWithMeResponse {
        let account = try context.ownAccount
        let shared = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.grants(with: account, limit: Grant.shownLimit)
        }
        return ListSharedWithMeResponse(shared: shared.map { SharedWithMe($0) })
    }

    /// - Parameter account: all that is changed is this one's; nil when it may be another's.
    private func write<Value: Sendable>(
        _ account: String?, _ context: CallContext,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("grants") { () async throws(SQLError) in
            try await store.database.write(
                account.map { .subject($0) } ?? .everything, deadline: context.storageDeadline, body)
        }
    }
}

extension Transaction {
    /// Stores what an account shares, or changes the right to what it shares already.
    fileprivate func putGrant(
        _ wanted: Grant, _ email: EmailAddress, from address: String
    ) throws(SQLError) -> Result<NamedGrant, GrantError> {
        let (account, now) = (wanted.account, wanted.createdMilliseconds)
        guard try shownName(of: account) != nil else { return .failure(.noAccount) }
        guard let name = try name(of: wanted.subject, of: account) else { return .failure(.nothing(wanted.subject)) }
        let guest = try accountID(of: email)
        guard guest != account else { return .failure(.oneself) }
        if let wait = try attempt([.ofGrants(account)], at: now) { return .failure(.tooOften(wait: wait)) }
        if var known = try grant(of: wanted.subject.id, with: email) {
            (known.grant.right, known.grant.guest) = (wanted.right, guest ?? "")
            try update(known.grant)
            return .success(known)
        }
        let counts = try grantCounts(of: account, wanted.subject.id)
        guard counts.ofSubject < Grant.limitOfSubject else { return .failure(.tooManyOfSubject) }
        guard counts.all < Grant.limit else { return .failure(.tooMany) }
        var grant = wanted
        grant.guest = guest ?? ""
        try insert(grant, email)
        try record(SecurityEvent(.grantCreated, of: account, from: address, about: name, at: now))
        return .success(NamedGrant(grant: grant, name: name))
    }
}
