package import EventLoops
package import Geo
package import Storage

/// The ledger of cells and the standings of networks in a service's database, which its replicas share.
package struct DatabaseLedger: Sendable {
    /// Rung when the requests for some cells have ended, with any result.
    package let bell = Bell()
    let database: Database
    let scope: WriteScope

    /// - Parameter scope: that of every change of the ledger.
    package init(_ database: Database, _ scope: WriteScope) {
        self.database = database
        self.scope = scope
    }
}

extension DatabaseLedger: AreaLedger {
    package func claim(
        _ cells: [GridCell], _ lease: AreaLease, notBefore: Int64, at now: Int64
    ) async throws -> AreaClaim {
        try await database.write(scope) { transaction throws(SQLError) in
            try transaction.claim(cells, lease, notBefore: notBefore, at: now)
        }
    }

    package func known(_ cells: [GridCell], of network: String, fetched: Int64, expires: Int64) async throws {
        try await database.write(scope) { transaction throws(SQLError) in
            try transaction.known(cells, network, fetched: fetched, expires: expires)
        }
        bell.ring()
    }

    package func renew(_ lease: AreaLease, at now: Int64) async throws {
        try await database.write(scope) { transaction throws(SQLError) in try transaction.renew(lease, at: now) }
    }

    package func free(_ lease: AreaLease) async throws {
        try await database.write(scope) { transaction throws(SQLError) in try transaction.free(lease) }
        bell.ring()
    }
}

extension DatabaseLedger {
    package func isSettled(_ asker: NetworkAsker, of network: String, at now: Int64) async throws -> Bool {
        try await database.read { transaction throws(SQLError) in
            try transaction.isSettled(asker, network, at: now)
        }
    }

    package func settle(_ asker: NetworkAsker, of network: String) async throws {
        try await database.write(scope) { transaction throws(SQLError) in try transaction.settle(asker, network) }
    }

    package func restart(_ asker: NetworkAsker, of network: String) async throws {
        try await database.write(scope) { transaction throws(SQLError) in try transaction.restart(asker, network) }
    }
}

extension DatabaseLedger: StandingStore {
    package func standing(_ name: String) async throws -> NetworkStanding {
        try await database.read { transaction throws(SQLError) in try transaction.standing(name) }
    }

    package func change<R: Sendable>(
        _ name: String, _ body: @escaping @Sendable (inout NetworkStanding) -> R
    ) async throws -> R {
        try await database.write(scope) { transaction throws(SQLError) in
            var standing = try transaction.standing(name)
            let result = body(&standing)
            try transaction.putStanding(standing, of: name)
            return result
        }
    }

    package func change<R: Sendable>(
        _ name: String, _ rules: NetworkRules, for asker: NetworkAsker, at now: Int64,
        _ body: @escaping @Sendable (inout NetworkStanding, inout NetworkShare) -> R
    ) async throws -> R {
        try await database.write(scope) { transaction throws(SQLError) in
            var standing = try transaction.standing(name)
            let known = try transaction.share(of: asker, name, at: now)
            var share = known
            let result = body(&standing, &share)
            try transaction.putStanding(standing, of: name)
            if share != known {
                try transaction.putShare(share, of: asker, name, searchEnds: now + rules.searchMilliseconds)
            }
            return result
        }
    }
}
