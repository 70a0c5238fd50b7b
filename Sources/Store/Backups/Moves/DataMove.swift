internal import Bytes
package import EventLoops
internal import Files
internal import HTTPClient
internal import ObjectStore
internal import Storage
internal import Synchronization

/// Moves all data of a deployment from a data folder to PostgreSQL and a bucket, or back. The source stays as it is.
///
/// Until all of it was compared, the databases of the target are marked, and no service starts on them. A move that was
/// killed goes on when it is run again.
package struct DataMove: Sendable {
    /// How far it has come.
    package enum Progress: Sendable {
        case rows(done: Int, of: Int)
        case blobs(done: Int, bytes: Int)
    }

    /// What was moved.
    package struct Moved: Sendable {
        /// By service and table: "pins.links".
        package let rows: [String: Int]
        /// Nil where pictures stay where they are.
        package let blobCount: Int?
        package let blobBytes: Int
        /// The bucket that pictures and datasets were in before, and stay in; nil where there is none.
        package let staysAt: String?
    }

    /// Runs a service's program on a database that is moved into; gives what it says is wrong.
    /// - Parameter blobs: the service's part of the bucket, where datasets are moved too.
    package typealias RunService =
        @Sendable (_ service: MovedService, _ data: String, _ database: String?, _ blobs: String?) async throws ->
        [String]

    private let source: MoveHome
    private let target: MoveHome
    private let passwordFile: String?
    private let blobs: String?
    private let credentials: String?
    private let environment: [String: String]
    private let agent: String
    private let blocking: BlockingPool

    /// - Parameters:
    ///   - blobs: the bucket: below it each service has a prefix of its own; nil where only records are moved.
    ///   - credentials: the file with the bucket's key.
    package init(
        from source: MoveHome, to target: MoveHome, passwordFile: String? = nil, blobs: String? = nil,
        credentials: String? = nil, environment: [String: String] = [:], agent: String, _ blocking: BlockingPool
    ) throws(BackupError) {
        guard source.isFolder != target.isFolder else {
            throw BackupError(
                "data is moved from a data folder to postgresql://…, or back; the two ends are of one kind")
        }
        (self.source, self.target, self.passwordFile) = (source, target, passwordFile)
        (self.blobs, self.credentials, self.environment) = (blobs, credentials, environment)
        (self.agent, self.blocking) = (agent, blocking)
    }

    /// Moves all, and compares it.
    package func run(
        _ runService: @escaping RunService, _ report: @escaping @Sendable (Progress) -> Void
    ) async throws -> Moved {
        let staysAt = try await blocking.run { try bucketOfSource() }
        let pictures = try await staysAt == nil ? openPictures() : nil
        let result: Result<Moved, any Error>
        do {
            result = .success(try await run(pictures, staysAt, runService, report))
        } catch {
            result = .failure(error)
        }
        await pictures?.close(blocking)
        return try result.get()
    }

    private func run(
        _ pictures: MovedPictures?, _ staysAt: String?, _ runService: RunService,
        _ report: @escaping @Sendable (Progress) -> Void
    ) async throws -> Moved {
        let locks = try await blocking.run { [source, target, passwordFile] in
            try MoveLocks(from: source, to: target, passwordFile: passwordFile)
        }
        try await prepare(pictures, runService)
        let rows = try await blocking.run { try moveRows(report) }
        var (count, bytes): (Int?, Int) = (nil, 0)
        if let pictures {
            let done = Mutex((0, 0))
            let move = BlobMove(source: pictures.source, target: pictures.target) { bytes in
                let (count, sum) = done.withLock { done in
                    done = (done.0 + 1, done.1 + bytes)
                    return done
                }
                report(.blobs(done: count, bytes: sum))
            }
            try await move.copy()
            let found = try await move.verify()
            (count, bytes) = (found.count, found.bytes)
            try await require(.places, runService, blobs: blobs.map { Self.below($0, "places") })
        }
        try await blocking.run {
            try locks.requireNoService()
            // Pictures came into the folder, whatever it was begun with before.
            if case .folder(let folder) = target, pictures != nil { try NotedBlobs.note(nil, in: folder) }
            if case .folder(let folder) = target, let owner = FolderOwner(of: folder) {
                for service in MovedService.allCases { owner.give("\(folder)/\(service.rawValue)") }
            }
            for service in MovedService.allCases where try side(service, target).state() == .marked {
                try DatabaseMove(from: side(service, source), to: side(service, target)) { _ in true }.finish()
            }
        }
        return Moved(rows: rows, blobCount: count, blobBytes: bytes, staysAt: staysAt)
    }

    /// The bucket that a folder's pictures and datasets are in; nil when they are in the folder. Blocks.
    private func bucketOfSource() throws -> String? {
        guard case .folder(let folder) = source, let place = try NotedBlobs.place(of: folder) else { return nil }
        guard let blobs, NotedBlobs.plain(blobs).isSame(as: place) else {
            throw BackupError(
                "the pictures and datasets of \(folder) are at \(place), and stay there: --blobs has to name that")
        }
        return place
    }

    /// Refuses what is not of this move, and makes the tables of the target.
    private func prepare(_ pictures: MovedPictures?, _ runService: RunService) async throws {
        let states = try await blocking.run {
            for service in MovedService.allCases where try side(service, source).state() != .whole {
                throw BackupError(
                    "the data of \(service.rawValue) is not there as a whole: \(Self.shown(source)) is not what to move, or"
                        + " another waymark migrate to it has not ended")
            }
            return try MovedService.allCases.map { try side($0, target).state() }
        }
        guard states.contains(where: { $0 != .whole }) else { throw Self.taken(target) }
        // The services let go before the others are compared again with the source, as all are.
        guard states.contains(.marked) || !states.contains(.whole) else { throw Self.taken(target) }
        if let pictures, !states.contains(.marked) {
            for place in pictures.empty where try await !BlobMove.isEmpty(place) {
                throw BackupError(
                    "\(pictures.place) has pictures or datasets that are not of a waymark migrate: name a prefix or a"
                        + " folder without")
            }
        }
        if case .folder(let folder) = target, blobs != nil, !states.contains(.marked) {
            let datasets = "\(folder)/places/datasets"
            let isFree = try await blocking.run {
                try !DiskFile.exists(datasets) || DiskFile.names(in: datasets).isEmpty
            }
            guard isFree else {
                throw BackupError("\(datasets) has datasets that are not of a waymark migrate; move them elsewhere")
            }
        }
        for (service, state) in zip(MovedService.allCases, states) where state != .whole {
            try await require(service, runService, blobs: nil)
        }
    }

    private func require(_ service: MovedService, _ runService: RunService, blobs: String?) async throws {
        let (folder, database): (String, String?) =
            switch (source, target) {
            case (.folder(let folder), .database(let address)): (folder, address)
            case (_, .folder(let folder)): (folder, nil)
            case (_, .database(let address)): ("", address)
            }
        let faults = try await runService(service, "\(folder)/\(service.rawValue)", database, blobs)
        guard faults.isEmpty else { throw BackupError(faults.joined(separator: "; ")) }
    }

    /// Copies and compares the rows of all services; gives how many each table has. Blocks.
    private func moveRows(_ report: @escaping @Sendable (Progress) -> Void) throws -> [String: Int] {
        let done = Mutex(0)
        let total = Mutex(0)
        var moves: [(MovedService, DatabaseMove)] = []
        for service in MovedService.allCases {
            let move = try DatabaseMove(from: side(service, source), to: side(service, target)) { count in
                let sum = done.withLock { done in
                    done += count
                    return done
                }
                report(.rows(done: sum, of: total.withLock { $0 }))
                return true
            }
            moves.append((service, move))
        }
        // Each is copied, and compared.
        total.withLock { $0 = 2 * moves.reduce(0) { $0 + $1.1.rowCount } }
        var rows: [String: Int] = [:]
        for (service, move) in moves {
            if try side(service, target).state() == .marked { try move.copy() }
            for (table, count) in try move.verify() { rows["\(service.rawValue).\(table)"] = count }
        }
        return rows
    }

    private func side(_ service: MovedService, _ home: MoveHome) throws(SQLError) -> MoveSide {
        try service.side(of: home, passwordFile)
    }

    /// "s3://bucket/a?b" and "places" are "s3://bucket/a/places?b".
    package static func below(_ address: String, _ folder: String) -> String {
        let (place, query) = address.halves(at: "?") ?? (address[...], "")
        return "\(place)\(place.ends(with: "/") ? "" : "/")\(folder)\(query.isEmpty ? "" : "?\(query)")"
    }

    private static func shown(_ home: MoveHome) -> String {
        switch home {
        case .folder(let folder): folder
        case .database: "the database"
        }
    }

    private static func taken(_ target: MoveHome) -> BackupError {
        BackupError(
            target.isFolder
                ? "\(shown(target)) has data of its own; name a folder without pins/pins.db, photos/photos.db and"
                    + " places/live.db"
                : "the database has data of its own, or all was moved before; name one without the schemas pins, photos"
                    + " and places")
    }
}

/// The two places of pictures.
private struct MovedPictures {
    let source: any Blobs
    let target: any Blobs
    /// Where nothing is before a move: services remove what no row of theirs names.
    let empty: [any Blobs]
    let place: String
    let client: HTTPClient

    func close(_ blocking: BlockingPool) async {
        await client.close()
        let loop = client.loop
        try? await blocking.run { loop.shutDown() }
    }
}

extension DataMove {
    /// Nil where they stay where they are.
    private func openPictures() async throws -> MovedPictures? {
        guard let blobs else { return nil }
        let folder: String
        switch (source, target) {
        case (.folder(let path), _), (_, .folder(let path)): folder = "\(path)/photos/blobs"
        default: return nil
        }
        let address = try S3Address(Self.below(blobs, "photos"))
        let key = try await blocking.run { [credentials, environment] in
            try S3Credentials(file: credentials, environment: environment)
        }
        let loop = try EventLoop(name: "pictures")
        let client = HTTPClient(loop: loop, agent: agent)
        let bucket = S3Blobs(address, key, client: client, blocking: blocking)
        do {
            _ = try await bucket.abilities()
            let files = try await DirectoryBlobs.opened(folder, blocking)
            guard source.isFolder else {
                return MovedPictures(source: bucket, target: files, empty: [files], place: folder, client: client)
            }
            let datasets = S3Blobs(
                try S3Address(Self.below(blobs, "places")), key, client: client, blocking: blocking)
            return MovedPictures(
                source: files, target: bucket, empty: [bucket, datasets], place: BackupStore.shown(blobs),
                client: client)
        } catch {
            await client.close()
            try? await blocking.run { loop.shutDown() }
            throw error
        }
    }
}
