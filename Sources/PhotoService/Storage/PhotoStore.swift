import Daemon
import EventLoops
import Geo
import Storage
import Stores
import Synchronization
import Wire

/// The records of all photos, their albums and what is still to be done about them, on disk.
final class PhotoStore: Sendable {
    let database: Database
    let clock: WallClock
    /// Rung when a job was asked for.
    let jobs = Bell()
    /// Rung when an album or a photo has changed.
    let changes = Bell()
    /// Names the stored data: another one than before tells that the data was replaced.
    let epoch: Int64
    /// Whether the service is about to stop.
    let isLeaving = Atomic(false)

    private init(database: Database, clock: WallClock, epoch: Int64) {
        self.database = database
        self.clock = clock
        self.epoch = epoch
    }

    /// Opens the database file at `path`, or makes it. No other process may have it open.
    static func open(
        _ path: String, settings: DatabaseSettings = DatabaseSettings(), clock: WallClock = .system
    ) async throws(SQLError) -> PhotoStore {
        let database = try await Database.open(path, migrations: Schema.migrations, settings: settings)
        let now = clock.unixMilliseconds
        do throws(SQLError) {
            let epoch = try await database.write { transaction throws(SQLError) in
                try transaction.recoverJobs(at: now)
                return try transaction.epoch()
            }
            return PhotoStore(database: database, clock: clock, epoch: epoch)
        } catch {
            await database.close()
            throw error
        }
    }

    /// Ends what runs and lets go of the file.
    func close() async { await database.close() }

    /// Runs `body` on one view of the data.
    func read<Value: Sendable>(
        deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("photos") { () async throws(SQLError) in
            try await database.read(deadline: deadline, body)
        }
    }

    /// Runs `body` in a transaction; its changes are durable when this returns. Wakes those who wait for them.
    func write<Value: Sendable>(
        deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        let value = try await StoreError.converting("photos") { () async throws(SQLError) in
            try await database.write(deadline: deadline, body)
        }
        ring()
        return value
    }

    /// Makes a change that the caller may have named (P36).
    func make<Response: WireMessage>(
        _ change: Change, deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Result<Response, PhotoError>
    ) async throws -> Response {
        let response = try await database.make(change, of: "photos", deadline: deadline, body)
        ring()
        return response
    }

    private func ring() {
        jobs.ring()
        changes.ring()
    }
}

extension Transaction {
    /// The number that names the stored data, made at the first start.
    fileprivate func epoch() throws(SQLError) -> Int64 {
        try execute(
            "INSERT INTO store (id, epoch) VALUES (1, ?1) ON CONFLICT (id) DO NOTHING", Int64.random(in: 1...Int64.max))
        let epoch = try first("SELECT epoch FROM store WHERE id = 1") { row throws(SQLError) in try row.integer(0) }
        guard let epoch else { throw SQLError(.corrupt, "the stored data has no epoch") }
        return epoch
    }
}
