package import Daemon
package import RPC
package import Storage
package import Stores

/// Accounts: who they are, how they prove it, and that all of one goes when it is deleted.
package struct AccountsPart: Part {
    package static let migrations = AccountSchema.migrations

    package let services: [any RPCService]
    package let jobs: [JobKind]
    private let store: AccountStore
    private let log: Log?

    /// - Parameters:
    ///   - mail: sends what is queued; nil where nothing is sent.
    ///   - parts: those that erase what a deleted account had.
    package init(
        _ store: AccountStore, _ site: PasskeySite, _ providers: ProviderDirectory = .none, mail: MailJob? = nil,
        erasing parts: [any Part.Type] = [], log: Log? = nil
    ) {
        services = [
            AccountHandler(store), SessionHandler(store), AdministrationHandler(store), APIKeyHandler(store),
            AccountMailHandler(store), PasskeyHandler(store, site), LoginProviderHandler(store, providers, log: log),
        ]
        jobs = [EraseJob(store.database, of: parts, clock: store.clock).kind] + (mail.map { [$0.kind] } ?? [])
        (self.store, self.log) = (store, log)
    }

    package func begin() async throws {
        guard let code = try await store.administratorCode() else { return }
        log?.info("no account administers yet; `waymark admin create` makes one with this", ["code": code])
    }

    package func forget(
        at now: Int64, limit: Int, _ transaction: borrowing Transaction
    ) throws(SQLError) -> Int {
        try transaction.deleteExpired(at: now, store.lifetimes, limit: limit)
    }

    package static func erase(
        _ account: String, at now: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) {
        try transaction.deleteRest(ofDeleted: account)
    }
}

extension AccountStore {
    /// Makes the code with which an administrator is made; nil when there is one already. Several replicas make one
    /// each, and the first that is used ends the others.
    func administratorCode() async throws -> String? {
        let (code, end) = (Secret.code(), now + lifetimes.administrator)
        return try await database.write { transaction throws(SQLError) -> String? in
            guard try transaction.administratorCount() == 0 else { return nil }
            try transaction.insertCode(.administrator, digest: code.digest, until: end)
            return code.text
        }
    }
}
