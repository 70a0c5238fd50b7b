import Daemon
import Geo
import LiveNetworks
import Networks
import Storage
import Stores

/// What is stored about live networks: cells, places, and the standing of each.
struct DiscoveryStore: Sendable {
    let database: Database
    /// Distinguishes this store from earlier ones at its address: drawn when it was made.
    let number: Int64
    /// Which cells are known, and what each network still allows.
    let ledger: DatabaseLedger

    /// Places and cells of all networks are in one order of versions.
    static let scope = WriteScope.subject(wholeStore)

    /// Opens the database at `address`, or creates its tables. Leases of a file's last process are released; those of
    /// replicas that died end by themselves.
    /// - Parameter place: where the snapshots of datasets are: the same text for the same place.
    static func open(
        _ address: String, _ settings: DatabaseSettings = DatabaseSettings(), place: String = "here",
        clock: WallClock = .system
    ) async throws(SQLError) -> DiscoveryStore {
        var settings = settings
        settings.readers = 1
        let database = try await Database.open(address, migrations: DiscoverySchema.migrations, settings: settings)
        do {
            try await database.join(at: place) { clock.unixMilliseconds }
            try await database.recoverJobs(at: clock.unixMilliseconds)
            let isShared = database.isShared
            let number = try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
                if !isShared { try transaction.freeAllCells() }
                return try transaction.epoch()
            }
            return DiscoveryStore(
                database: database, number: number, ledger: DatabaseLedger(database, DiscoveryStore.scope))
        } catch {
            await database.close()
            throw error
        }
    }

    func close() async { await database.close() }

    /// The version of the last change.
    func lastVersion() async throws(SQLError) -> Int64 {
        try await database.read { transaction throws(SQLError) in try transaction.lastVersion() }
    }

    /// Deletes cells and answers that expired before a time, in milliseconds since 1970.
    func deleteCells(expiredBefore time: Int64) async throws(SQLError) {
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            try transaction.deleteCells(expiredBefore: time)
            try transaction.deleteGeocoderAnswers(expiredBefore: time)
        }
    }

    /// How many places of a network were found within a circle for an account.
    func count(
        _ network: Network, around centre: Coordinate, radiusMetres: Double, for account: String
    ) async throws(SQLError) -> Int {
        try await database.read { transaction throws(SQLError) in
            try transaction.positions(network, around: centre, radiusMetres: radiusMetres, of: account)
                .count { centre.metres(to: $0) <= radiusMetres }
        }
    }
}

extension DiscoveryStore {
    /// Stores places of a network that were in its answer for an account at a time, in milliseconds since 1970; a place
    /// with a known id is replaced.
    func upsert(_ places: [FoundPlace], network: Network, seen: Int64, for account: String) async throws {
        if places.isEmpty { return }
        let records = places.map { ($0, $0.record(of: network)) }
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            for (place, record) in records { try transaction.upsert(place, record, network, seen: seen) }
            try transaction.own(places.map(\.id), network, account)
        }
    }

    /// Removes places in cells that have just been fetched again that were in no answer since a time; `isListed` says,
    /// by the id, whether the network would have listed a place.
    func removeUnseen(
        in cells: [GridCell], network: Network, since time: Int64, isListed: @escaping @Sendable (String) -> Bool
    ) async throws {
        if cells.isEmpty { return }
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            for cell in cells {
                for id in try transaction.unseen(network, in: cell, since: time) where isListed(id) {
                    try transaction.remove(network, id)
                }
            }
        }
    }
}
