import Geo
import ServiceRuntime
import Storage

/// All pins, on disk.
struct PinStore: Sendable {
    private let database: Database

    /// Opens the database file at `path`, or makes it.
    static func open(
        _ path: String, settings: DatabaseSettings = DatabaseSettings()
    ) async throws(SQLError) -> PinStore {
        PinStore(database: try await Database.open(path, migrations: Schema.migrations, settings: settings))
    }

    /// Ends what runs and lets go of the file.
    func close() async { await database.close() }

    /// Stores a new pin of an account. It is durable when this returns.
    func insert(
        _ pin: Pin, of account: String, deadline: ContinuousClock.Instant? = nil
    ) async throws(StoreError) {
        try await StoreError.converting("pins") { () async throws(SQLError) in
            try await database.write(deadline: deadline) { transaction throws(SQLError) in
                try transaction.insert(pin, of: account)
            }
        }
    }

    /// A pin of an account; nil when the account has none with that id.
    func pin(
        _ id: PinID, of account: String, deadline: ContinuousClock.Instant? = nil
    ) async throws(StoreError) -> Pin? {
        try await StoreError.converting("pins") { () async throws(SQLError) in
            try await database.read(deadline: deadline) { transaction throws(SQLError) in
                try transaction.pin(id, of: account)
            }
        }
    }

    /// The account's pins within the radius, nearest first, on one view of the data.
    func near(
        _ query: NearQuery, of account: String, deadline: ContinuousClock.Instant? = nil
    ) async throws(StoreError) -> PinsFound {
        try await StoreError.converting("pins") { () async throws(SQLError) in
            try await database.read(deadline: deadline) { transaction throws(SQLError) in
                let chosen = try transaction.nearest(query, of: account)
                var hits: [PinsFound.Hit] = []
                for hit in chosen.nearest {
                    guard let pin = try transaction.pin(hit.id, of: account) else { continue }
                    hits.append(PinsFound.Hit(pin: pin, metres: hit.metres))
                }
                return PinsFound(hits: hits, isTruncated: chosen.isTruncated)
            }
        }
    }
}
