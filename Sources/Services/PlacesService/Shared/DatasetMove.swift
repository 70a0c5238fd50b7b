import EventLoops
import Files
import Geo
import ObjectStore
import Storage
import Stores

/// Moves datasets between the data folder and what replicas share, for `waymark migrate`, which has the folder locked.
/// May be run again.
struct DatasetMove: Sendable {
    let database: Database
    let folder: String
    let blobs: any Blobs
    let blocking: BlockingPool

    /// Makes the tables of the database that is moved into. Where there is a bucket, datasets are moved too: into it
    /// when the database is one that replicas share, else out of it.
    static func run(_ config: Config, _ blocking: BlockingPool) async throws -> [String] {
        let database = try await config.database.openForMove(DiscoverySchema.migrations)
        let result: Result<Void, any Error>
        do {
            if let bucket = try await config.blobs.openBucket(blocking, nil) {
                let move = DatasetMove(
                    database: database, folder: config.dataFolder, blobs: bucket.blobs, blocking: blocking)
                do {
                    try await database.isShared ? move.share() : move.keep()
                } catch {
                    await bucket.close()
                    throw error
                }
                await bucket.close()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await database.close()
        try result.get()
        return []
    }

    /// Puts what is in the folder into the bucket, and a row for each into the database. The folder stays as it is.
    func share() async throws {
        let folder = try await blocking.run { [folder] in try CatalogFolder(folder) }
        var rows: [SharedDataset] = []
        for name in try await blocking.run({ try folder.recoveredNames() }) {
            let (manifest, path) = try await blocking.run { try folder.files(name) }
            let count = try await blocking.run { try folder.load(name).placeCount }
            let snapshot = try await put(path)
            var facts = manifest.facts
            if facts.tiles != nil {
                facts.tiles?.blob = try await put(CatalogFolder.tilesPath(ofSnapshot: path)).name.text
            }
            // The dataset does without them too.
            let areas = CatalogFolder.areasPath(ofSnapshot: path)
            if facts.areas != nil, try await blocking.run({ try !DiskFile.exists(areas) }) { facts.areas = nil }
            if facts.areas != nil { facts.areas?.blob = try await put(areas).name.text }
            let source = CatalogFolder.sourcePath(ofSnapshot: path)
            if facts.source != nil, try await blocking.run({ try !DiskFile.exists(source) }) { facts.source = nil }
            if facts.source != nil { facts.source?.blob = try await put(source).name.text }
            rows.append(
                SharedDataset(
                    name: name, generation: Int64(manifest.generation), snapshot: snapshot.name,
                    byteCount: Int64(snapshot.count), placeCount: Int64(count), facts: facts))
        }
        for name in try await blocking.run({ try folder.deletedNames() }) {
            rows.append(
                SharedDataset(
                    name: name, generation: 0, snapshot: BlobName(of: []), byteCount: 0, placeCount: 0,
                    facts: DatasetFacts(title: "", attribution: "", licence: ""), isDeleted: true))
        }
        try await replace(rows)
    }

    /// Fetches the datasets that the rows name, and keeps them in the folder alone.
    func keep() async throws {
        let catalog = try await blocking.run { [folder] in try Catalog(root: folder, locks: false) }
        let shared = SharedCatalog(database, catalog, blobs, blocking)
        try await shared.follow()
        for dataset in catalog.view.datasets {
            guard let facts = dataset.facts.source, let path = try await shared.fetchSource(facts) else { continue }
            let place = CatalogFolder.sourcePath(ofSnapshot: dataset.snapshot.path)
            try await blocking.run { try DiskFile.rename(path, to: place) }
        }
        try await blocking.run { try catalog.keepCopies() }
        try await replace([])
    }

    private func put(_ path: String) async throws -> FileBlob {
        let blob = try await FileBlob.opened(path, blocking)
        try await blobs.put(blob)
        return blob
    }

    /// Uploads that are not finished are begun again.
    private func replace(_ rows: [SharedDataset]) async throws(SQLError) {
        try await database.write { transaction throws(SQLError) in
            for statement in ["DELETE FROM datasets", "DELETE FROM uploads", "DELETE FROM upload_chunks"]
                as [StaticString]
            {
                try transaction.execute(statement)
            }
            for row in rows { try transaction.putDataset(row) }
        }
    }
}
