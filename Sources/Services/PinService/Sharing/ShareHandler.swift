import Accounts
import AccountContracts
import PinContracts
import Daemon
import RPC
import Storage
import Stores
import Wire

/// Answers calls about the caller's links to pins and lists.
struct ShareHandler: ShareServiceHandler {
    let store: PinStore
    let clock: WallClock
    let key: DeploymentKey
    let passwords: PasswordHasher
    /// Whether the operator allows links.
    let isOn: Bool

    func createShare(_ request: CreateShareRequest, _ context: CallContext) async throws -> CreateShareResponse {
        guard isOn else { throw ShareError.off }
        let account = try context.account
        let (subject, now) = (try Share.Subject(request), clock.unixMilliseconds)
        let life = request.life?.duration.map { $0.components.seconds * 1_000 }
        let change = try Change(request.requestId, request, context, clock: clock)
        var passwordHash = ""
        if !request.password.isEmpty {
            passwordHash = try await hash(Password(request.password), subject, account, context)
        }
        let share = Share(
            id: ShareToken.newID(), account: account, subject: subject, createdMilliseconds: now,
            expiresMilliseconds: life.map { now + $0 }, passwordHash: passwordHash,
            isWithNote: request.withNote, isWithImmich: request.withImmich, isAlbumAlone: request.albumOnly)
        let address = context.identity?.client ?? ""
        return try await database.make(change, of: "links", .subject(account), deadline: context.storageDeadline) {
            [key] transaction throws(SQLError) -> Result<CreateShareResponse, ShareError> in
            guard let name = try transaction.name(of: subject, of: account) else { return .failure(.nothing(subject)) }
            try transaction.deleteShares(of: account, endedAt: now)
            guard try transaction.shareCount(of: account) < Share.limit else { return .failure(.tooMany) }
            try transaction.insert(share)
            try transaction.record(
                SecurityEvent(.shareCreated, of: account, from: address, about: name, at: now))
            return .success(
                CreateShareResponse(share: PinContracts.Share(NamedShare(share: share, name: name), key)))
        }
    }

    func listShares(_ request: ListSharesRequest, _ context: CallContext) async throws -> ListSharesResponse {
        let account = try context.account
        let pin = try PinID(optional: request.pinId, field: "pin_id")
        let list = try ListID(optional: request.listId, field: "list_id")
        let now = clock.unixMilliseconds
        let shares = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.shares(of: account).filter { !$0.share.hasEnded(at: now) }
        }
        return ListSharesResponse(
            shares: shares.filter {
                (pin == nil || $0.share.subject == pin.map { .pin($0) })
                    && (list == nil || $0.share.subject == list.map { .list($0) })
            }.map { PinContracts.Share($0, key) })
    }

    func deleteShare(_ request: DeleteShareRequest, _ context: CallContext) async throws -> DeleteShareResponse {
        let (account, id) = (try context.account, request.id)
        let (address, now) = (context.identity?.client ?? "", clock.unixMilliseconds)
        let wasThere = try await write(context) { transaction throws(SQLError) in
            guard let named = try transaction.share(id), named.share.account == account else { return false }
            try transaction.deleteShare(id)
            try transaction.record(
                SecurityEvent(.shareDeleted, of: account, from: address, about: named.name, at: now))
            return true
        }
        return DeleteShareResponse(deleted: wasThere)
    }

    private var database: Database { store.database }

    /// A hash takes long: what is sure to be refused is refused before it, and an account may have so many made.
    private func hash(
        _ password: Password, _ subject: Share.Subject, _ account: String, _ context: CallContext
    ) async throws -> String {
        let address = context.identity?.credential == .nothing ? context.identity?.client ?? "" : ""
        let (now, counts) = (clock.unixMilliseconds, [AttemptCount.ofSharePasswords(account, at: address)])
        let mayGoOn = try await write(context) { transaction throws(SQLError) -> Result<Void, any Error> in
            guard try transaction.name(of: subject, of: account) != nil else {
                return .failure(ShareError.nothing(subject))
            }
            try transaction.deleteShares(of: account, endedAt: now)
            // The last one may be this one, whose answer was lost.
            guard try transaction.shareCount(of: account) <= Share.limit else { return .failure(ShareError.tooMany) }
            if let wait = try transaction.attempt(counts, at: now) { return .failure(TooManyAttempts(wait: wait)) }
            return .success(())
        }
        try mayGoOn.get()
        return try await database.counted(counts) { try await passwords.hash(password, context) }
    }

    private func write<Value: Sendable>(
        _ context: CallContext, _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("links") { () async throws(SQLError) in
            try await database.write(.statements, deadline: context.storageDeadline, body)
        }
    }
}
