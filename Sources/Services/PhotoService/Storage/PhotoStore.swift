import Daemon
import EventLoops
import Geo
import LiveNetworks
import Storage
import Stores
import Synchronization
import Wire

/// The records of all photos, their albums and the pending jobs for them, on disk.
final class PhotoStore: Sendable {
    let database: Database
    let clock: WallClock
    /// Which areas networks were asked about, and what each still allows.
    let ledger: DatabaseLedger
    /// Identifies the stored data: when it changes, the data was replaced.
    let epoch: Int64
    /// Albums share photos, and photos places: all changes are one subject's.
    private static let subject = wholeStore

    private init(database: Database, clock: WallClock, epoch: Int64) {
        self.database = database
        self.clock = clock
        self.epoch = epoch
        ledger = DatabaseLedger(database, .subject(Self.subject))
    }

    /// Opens the database at `address`, or creates its tables.
    /// - Parameter place: where the bytes of pictures are: the same text for the same place.
    static func open(
        _ address: String, settings: DatabaseSettings = DatabaseSettings(), clock: WallClock = .system,
        place: String = "here"
    ) async throws(SQLError) -> PhotoStore {
        let database = try await Database.open(address, migrations: PhotoSchema.migrations, settings: settings)
        let now = clock.unixMilliseconds
        do throws(SQLError) {
            try await database.join(at: place) { clock.unixMilliseconds }
            try await database.recoverJobs(at: now)
            let epoch = try await database.write { transaction throws(SQLError) in try transaction.epoch() }
            return PhotoStore(database: database, clock: clock, epoch: epoch)
        } catch {
            await database.close()
            throw error
        }
    }

    /// Ends running work and closes the file.
    func close() async { await database.close() }

    /// Runs `body` on one snapshot of the data.
    func read<Value: Sendable>(
        deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("photos") { () async throws(SQLError) in
            try await database.read(deadline: deadline, body)
        }
    }

    /// Runs `body` in a transaction; its changes are durable when this returns.
    func write<Value: Sendable>(
        deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("photos") { () async throws(SQLError) in
            try await database.write(.subject(Self.subject), deadline: deadline, body)
        }
    }

    /// Makes a change that the caller may have named (P36).
    func make<Response: WireMessage>(
        _ change: Change, deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Result<Response, PhotoError>
    ) async throws -> Response {
        try await database.make(change, of: "photos", .subject(Self.subject), deadline: deadline, body)
    }
}

extension PhotoStore {
    /// Ends a job that can't be done: its key is invalid.
    func drop(_ lease: JobLease) async throws(StoreError) {
        let time = clock.unixMilliseconds
        try await write { transaction throws(SQLError) in _ = try transaction.complete(lease, at: time) }
    }

    /// Requests a scan of the folder; a running one is followed by another.
    func startScan(deadline: ContinuousClock.Instant? = nil) async throws(StoreError) {
        try await start("scan", ScanJob.key, deadline)
    }

    /// Requests a sweep.
    func startSweep() async throws(StoreError) { try await start("sweep", SweepJob.key, nil) }

    /// Requests that a network is asked again about photos that albums show.
    func startRecheck(of network: String) async throws(StoreError) { try await start(RecheckJob.name, network, nil) }

    private func start(_ kind: String, _ key: String, _ deadline: ContinuousClock.Instant?) async throws(StoreError) {
        let time = clock.unixMilliseconds
        try await write(deadline: deadline) { transaction throws(SQLError) in
            try transaction.enqueue(kind, key, at: time)
        }
    }
}

extension PhotoStore {
    func photo(_ id: PhotoID, for account: String, deadline: ContinuousClock.Instant?) async throws -> Photo {
        let found = try await read(deadline: deadline) { transaction throws(SQLError) in
            try transaction.photo(id, for: account)
        }
        guard let found else { throw PhotoError.noPhoto(id) }
        return found
    }

    /// The stored data about a photo's picture. Small and large ones are made for all who ask; an account that does not
    /// hold the photo is shown no thumbnail.
    struct FoundPicture: Sendable {
        /// Nil when it was not made yet.
        let stored: StoredPicture?
        /// Nil for a photo that is not from the folder.
        let original: Original?
        let state: PictureState
        let mayBeShown: Bool
    }

    /// As an account sees it; all of them without one.
    func picture(
        _ id: PhotoID, _ size: PictureSize, for account: String?, deadline: ContinuousClock.Instant?
    ) async throws -> FoundPicture {
        let found = try await read(deadline: deadline) { transaction throws(SQLError) -> FoundPicture? in
            guard let photo = try transaction.photo(id, for: account) else { return nil }
            return FoundPicture(
                stored: photo.showsPicture || size != .thumbnail ? try transaction.picture(id, size) : nil,
                original: try transaction.original(id),
                state: photo.picture.state, mayBeShown: photo.mayBeShown)
        }
        guard let found else { throw PhotoError.noPhoto(id) }
        return found
    }
}
