import EventLoops
import Geo
import ServiceRuntime
import Storage

/// Takes what live networks found.
protocol DiscoveredPlaces: Sendable {
    /// Stores places of a network; one that is known by its id is replaced.
    func upsert(_ places: [FoundPlace], network: Network) async throws
}

/// What is known of live networks: which cells, which places, and how we stand with each.
struct DiscoveryStore: Sendable {
    let database: Database
    /// Rung when cells were asked for, whatever came of it.
    let bell = Bell()

    /// Opens the database file at `path`, or makes it. Only one process may have it open: what another one was asking
    /// for is free again.
    static func open(_ path: String) async throws(SQLError) -> DiscoveryStore {
        let database = try await Database.open(path, migrations: DiscoverySchema.migrations)
        do {
            try await database.write { transaction throws(SQLError) in try transaction.freeAllCells() }
        } catch {
            await database.close()
            throw error
        }
        return DiscoveryStore(database: database)
    }

    func close() async { await database.close() }

    /// How many places of a network are stored within a circle.
    func count(_ network: Network, around centre: Coordinate, radiusMetres: Double) async throws(SQLError) -> Int {
        try await database.read { transaction throws(SQLError) in
            try transaction.positions(network, around: centre, radiusMetres: radiusMetres)
                .count { centre.metres(to: $0) <= radiusMetres }
        }
    }
}

extension DiscoveryStore: DiscoveredPlaces {
    func upsert(_ places: [FoundPlace], network: Network) async throws {
        if places.isEmpty { return }
        let records = places.map { ($0, $0.record(of: network)) }
        try await database.write { transaction throws(SQLError) in
            for (place, record) in records { try transaction.upsert(place, record, network) }
        }
    }
}
