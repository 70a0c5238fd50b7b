import Daemon
import EventLoops
import Files
import Storage
import Stores

extension SharedCatalog {
    /// Bytes that are fetched and written at once.
    private static let part = 4 << 20
    /// The pause before a dataset that could not be fetched is fetched again.
    private static let pause = Duration.seconds(2)
    /// How long a start waits for the datasets.
    private static let patience = Duration.seconds(300)

    /// Brings the catalog to the state of the rows before the service answers. Waits for a store that is away.
    func begin() async throws {
        let own = catalog.view.datasets.filter { $0.snapshotName == nil }.map(\.name)
        guard own.isEmpty else {
            throw PlacesError.storage(
                what: "the data folder",
                reason:
                    "it has datasets that were imported without --blobs; move them with waymark migrate, or give an empty"
                    + " --data")
        }
        let end = MonotonicTime.now + Self.patience
        while true {
            do {
                try await follow()
                return
            } catch {
                guard .now < end else { throw error }
                log?.warning("waiting for the datasets", ["reason": "\(error)"])
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Follows until the task is cancelled. A dataset that can't be fetched now is fetched later; until then searches
    /// find what they have found before.
    func run(_ changed: () async -> Void) async {
        await database.notices.watching(Self.subject) { bell in
            while !Task.isCancelled {
                let count = bell.count
                do {
                    if try await follow() { await changed() }
                    await bell.wait(after: count)
                } catch {
                    log?.warning("datasets can't be followed now", ["reason": "\(error)"])
                    await bell.wait(after: count, timeout: Self.pause)
                }
            }
        }
    }

    /// Brings the catalog to the state of the rows; returns whether datasets came or went. One that can't be had does
    /// not keep the others from being there.
    /// - Parameter files: what is here already.
    @discardableResult
    func follow(with files: [BlobName: String] = [:]) async throws -> Bool {
        try await following.run { [self] in
            let rows = try await StoreError.converting("datasets") { () async throws(SQLError) in
                try await database.read { transaction throws(SQLError) in try transaction.sharedDatasets() }
            }
            let before = catalog.view.datasets
            let here = Dictionary(uniqueKeysWithValues: before.map { ($0.name, $0) })
            var failure: (any Error)?
            for row in rows {
                do {
                    if row.isDeleted {
                        try await blocking.run { [catalog] in try catalog.forget(row.name, isDeleted: true) }
                    } else if here[row.name]?.snapshotName != row.snapshot.text || here[row.name]?.facts != row.facts {
                        try await adopt(row, files)
                    }
                } catch {
                    failure = failure ?? error
                }
            }
            let names = Set(rows.map(\.name))
            for name in here.keys where !names.contains(name) {
                try await blocking.run { [catalog] in try catalog.forget(name, isDeleted: false) }
            }
            if let failure { throw failure }
            return catalog.view.datasets.map(\.facts) != before.map(\.facts)
        }
    }

    private func adopt(_ row: SharedDataset, _ files: [BlobName: String]) async throws {
        let path = try await file(row.snapshot, count: Int(clamping: row.byteCount), files)
        var tiles: String?
        if let facts = row.facts.tiles, let name = facts.blob.flatMap(BlobName.init) {
            tiles = try await file(name, count: Int(clamping: facts.byteCount), files)
        }
        let areas = try await self.areas(row.facts.areas, files)
        try await blocking.run { [catalog, tiles, areas] in
            try catalog.adopt(row, file: path, tiles: tiles, areas: areas)
        }
    }

    /// Nil where there are none, or not any more: the dataset does without them.
    private func areas(_ facts: AreaFacts?, _ files: [BlobName: String]) async throws -> String? {
        guard let facts, let name = facts.blob.flatMap(BlobName.init) else { return nil }
        let count = Int(clamping: facts.byteCount)
        if let path = files[name] { return path }
        do throws(BlobError) {
            _ = try await blobs.open(name, count: count, behind: [], limit: 0)
        } catch {
            // Any other reason is one of what follows too.
            if case .notFound = error { return nil }
        }
        return try await fetch(name, count: count)
    }

    /// Fetches the file that a dataset was made of, and gives where it is; nil where it is not any more, as replicas of
    /// an earlier version don't know that it is needed.
    func fetchSource(_ facts: SourceFacts) async throws -> String? {
        guard let name = facts.blob.flatMap(BlobName.init) else { return nil }
        do throws(BlobError) {
            _ = try await blobs.open(name, count: Int(clamping: facts.byteCount), behind: [], limit: 0)
        } catch {
            // Any other reason is one of what follows too.
            if case .notFound = error { return nil }
        }
        return try await fetch(name, count: Int(clamping: facts.byteCount))
    }

    private func file(_ name: BlobName, count: Int, _ files: [BlobName: String]) async throws -> String {
        if let path = files[name] { return path }
        return try await fetch(name, count: count)
    }

    /// Fetches bytes into a file; they are compared with their name.
    private func fetch(_ name: BlobName, count: Int) async throws -> String {
        let path = "\(catalog.uploadFolder)/\(UInt64.random(in: 0 ... .max)).fetched"
        do {
            let blob = try await PlacesError.converting { () async throws(BlobError) in
                try await blobs.open(name, count: count, behind: [], limit: 0).blob
            }
            let file = try await blocking.run { try DraftFile(path) }
            for start in stride(from: 0, to: count, by: Self.part) {
                let bytes = try await PlacesError.converting { () async throws(BlobError) in
                    try await blob.bytes(behind: [], from: start, limit: Self.part)
                }
                try await blocking.run { try file.write(bytes, at: start) }
            }
            try await blocking.run { try file.sync() }
            return path
        } catch {
            _ = try? await blocking.run { try DiskFile.removeIfThere(path) }
            throw error
        }
    }
}
