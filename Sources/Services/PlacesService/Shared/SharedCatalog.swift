import PlaceContracts
import Daemon
import EventLoops
import Files
import Storage
import Stores

/// The datasets of all replicas: a row for each in the database, its snapshot in a bucket. The catalog of each replica
/// follows the rows; its folder holds copies.
final class SharedCatalog: Sendable {
    /// What is versioned and watched as one.
    static let subject = "datasets"

    let database: Database
    let catalog: Catalog
    let blobs: any Blobs
    let blocking: BlockingPool
    let log: Log?
    /// One follows at a time.
    let following = FairSlots(1)

    init(_ database: Database, _ catalog: Catalog, _ blobs: any Blobs, _ blocking: BlockingPool, _ log: Log? = nil) {
        self.database = database
        self.catalog = catalog
        self.blobs = blobs
        self.blocking = blocking
        self.log = log
    }

    /// Makes a draft the dataset of its name on all replicas. When it returns, this one serves it. Bundled data does
    /// not replace what another replica has imported of the same edition, what a client imported, or what was deleted.
    /// - Parameter base: the snapshot of the dataset that the draft was made of; it has to be the dataset still.
    func publish(_ draft: DatasetDraft, insteadOf base: BlobName? = nil) async throws -> CatalogView.Dataset {
        do {
            try await share(draft, base)
        } catch {
            await blocking.removing(draft.paths)
            throw error
        }
        // It is not where it was, unless the dataset of another replica counts.
        await blocking.removing(draft.paths)
        guard let dataset = catalog.view.dataset(draft.name) else { throw PlacesError.noDataset(draft.name) }
        return dataset
    }

    private func share(_ draft: DatasetDraft, _ base: BlobName?) async throws {
        var facts = draft.facts
        // The largest first: what no row names is removed when it is an hour old.
        if let path = draft.sourcePath { facts.source?.blob = try await put(path).name.text }
        let blob = try await put(draft.path)
        var files = [blob.name: draft.path]
        if let path = draft.tilesPath {
            let tiles = try await put(path)
            facts.tiles?.blob = tiles.name.text
            files[tiles.name] = path
        }
        if let path = draft.areasPath {
            let areas = try await put(path)
            facts.areas?.blob = areas.name.text
            files[areas.name] = path
        }
        let shared = facts
        let isReplaced = try await StoreError.converting("datasets") { () async throws(SQLError) in
            try await database.write(.subject(Self.subject)) { transaction throws(SQLError) -> Bool in
                let earlier = try transaction.sharedDataset(draft.name)
                if let earlier, shared.isBundled, !Self.yields(earlier, to: shared) { return false }
                if let base, earlier?.snapshot != base || earlier?.isDeleted == true { return true }
                try transaction.putDataset(
                    SharedDataset(
                        name: draft.name, generation: (earlier?.generation ?? 0) + 1, snapshot: blob.name,
                        byteCount: Int64(blob.count), placeCount: Int64(draft.placeCount), facts: shared))
                _ = try transaction.nextVersion(of: Self.subject)
                return false
            }
        }
        if isReplaced { throw PlacesError.replaced(draft.name) }
        try await follow(with: files)
    }

    /// Puts a file into the bucket.
    private func put(_ path: String) async throws -> FileBlob {
        let blob = try await FileBlob.opened(path, blocking)
        try await PlacesError.converting { () async throws(BlobError) in try await blobs.put(blob) }
        return blob
    }

    /// Removes a dataset from all replicas. A repeated call with the same `change` gets the same answer at each.
    func delete(
        _ name: DatasetName, _ change: Change, deadline: ContinuousClock.Instant?
    ) async throws -> DeleteDatasetResponse {
        let response = try await database.make(change, of: "datasets", .subject(Self.subject), deadline: deadline) {
            transaction throws(SQLError) -> Result<DeleteDatasetResponse, PlacesError> in
            guard var dataset = try transaction.sharedDataset(name), !dataset.isDeleted else {
                return .failure(.noDataset(name))
            }
            dataset.isDeleted = true
            try transaction.putDataset(dataset)
            _ = try transaction.nextVersion(of: Self.subject)
            return .success(DeleteDatasetResponse(placeCount: UInt64(clamping: dataset.placeCount)))
        }
        try await follow()
        return response
    }

    private static func yields(_ earlier: SharedDataset, to bundled: DatasetFacts) -> Bool {
        !earlier.isDeleted && earlier.facts.isBundled && earlier.facts.version != bundled.version
    }
}

extension PlacesError {
    /// Runs what the store of blobs does.
    static func converting<R>(_ body: () async throws(BlobError) -> R) async throws(PlacesError) -> R {
        do throws(BlobError) {
            return try await body()
        } catch {
            switch error {
            case .away, .refused: throw .storeAway(reason: error.description)
            case .cancelled: throw .cancelled
            case .full: throw .diskFull(what: "a dataset")
            case .notFound, .damaged: throw .damaged(what: error.description)
            case .failed: throw .storage(what: "a dataset's bytes", reason: error.description)
            }
        }
    }
}
