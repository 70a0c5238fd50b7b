import EventLoops
import Geo
import Storage

/// What is known of live networks: which cells, which places, and how we stand with each.
struct DiscoveryStore: Sendable {
    let database: Database
    /// Tells this store from others that were at its path before: drawn when it was made.
    let number: Int64
    /// Rung when cells were asked for, whatever came of it.
    let bell = Bell()

    /// Opens the database file at `path`, or makes it. Only one process may have it open: what another one was asking
    /// for is free again.
    static func open(_ path: String) async throws(SQLError) -> DiscoveryStore {
        let database = try await Database.open(
            path, migrations: DiscoverySchema.migrations, settings: DatabaseSettings(readers: 1))
        do {
            let number = try await database.write { transaction throws(SQLError) in
                try transaction.freeAllCells()
                return try transaction.storeNumber()
            }
            return DiscoveryStore(database: database, number: number)
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

    /// Forgets cells and answers that expired before a time, in milliseconds since 1970.
    func forgetCells(expiredBefore time: Int64) async throws(SQLError) {
        try await database.write { transaction throws(SQLError) in
            try transaction.forgetCells(expiredBefore: time)
            try transaction.forgetGeocoderAnswers(expiredBefore: time)
        }
    }

    /// How many places of a network are stored within a circle.
    func count(_ network: Network, around centre: Coordinate, radiusMetres: Double) async throws(SQLError) -> Int {
        try await database.read { transaction throws(SQLError) in
            try transaction.positions(network, around: centre, radiusMetres: radiusMetres)
                .count { centre.metres(to: $0) <= radiusMetres }
        }
    }
}

extension DiscoveryStore {
    /// Stores places of a network that were in its answer at a time, in milliseconds since 1970; one that is known by
    /// its id is replaced.
    func upsert(_ places: [FoundPlace], network: Network, seen: Int64) async throws {
        if places.isEmpty { return }
        let records = places.map { ($0, $0.record(of: network)) }
        try await database.write { transaction throws(SQLError) in
            for (place, record) in records { try transaction.upsert(place, record, network, seen: seen) }
        }
    }

    /// Takes away what lies in cells that are known anew and was in no answer since a time; `isListed` tells by its id
    /// whether the network would have named a place.
    func removeUnseen(
        in cells: [GridCell], network: Network, since time: Int64, isListed: @escaping @Sendable (String) -> Bool
    ) async throws {
        if cells.isEmpty { return }
        try await database.write { transaction throws(SQLError) in
            for cell in cells {
                for id in try transaction.unseen(network, in: cell, since: time) where isListed(id) {
                    try transaction.remove(network, id)
                }
            }
        }
    }
}
