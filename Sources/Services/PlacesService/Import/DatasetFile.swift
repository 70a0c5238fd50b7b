import EventLoops
import Files
import Geo
import Storage
import Stores

/// The file that a dataset was made of, while changes are applied to it.
struct DatasetFile: Sendable {
    let path: String
    let facts: DatasetFacts
    /// The dataset's snapshot, where replicas share it.
    let snapshot: BlobName?
}

extension ImportQueue {
    /// Calls `body` with the file of a dataset, which is fetched where replicas share it.
    func changing<R>(_ name: DatasetName, _ body: (DatasetFile) async throws -> R) async throws -> R {
        // Another replica may have imported it.
        if let shared { try await shared.follow() }
        guard let dataset = catalog.view.dataset(name) else { throw PlacesError.noDataset(name) }
        guard let source = dataset.facts.source else { throw PlacesError.noSource(name) }
        guard let shared else {
            let path = CatalogFolder.sourcePath(ofSnapshot: dataset.snapshot.path)
            return try await body(DatasetFile(path: path, facts: dataset.facts, snapshot: nil))
        }
        guard let path = try await shared.fetchSource(source) else { throw PlacesError.noSource(name) }
        let result: Result<R, any Error>
        do {
            let snapshot = dataset.snapshotName.flatMap(BlobName.init)
            result = .success(try await body(DatasetFile(path: path, facts: dataset.facts, snapshot: snapshot)))
        } catch {
            result = .failure(error)
        }
        _ = try? await shared.blocking.run { try DiskFile.removeIfThere(path) }
        return try result.get()
    }
}

extension ImportJob {
    /// The import of a dataset's file, with this job's changes applied to it. What is said of the dataset stays.
    func applied(to file: DatasetFile) throws(PlacesError) -> ImportJob {
        if let reached, file.facts.source?.sequence != reached.before { throw .replaced(dataset) }
        var facts = file.facts
        facts.isBundled = false
        facts.version = ""
        var job = ImportJob(
            dataset: dataset, path: file.path, format: .osmPBF, facts: facts, uploadID: uploadID,
            maximumBadRows: maximumBadRows, maximumBytes: maximumBytes)
        job.changes = changes + [path]
        job.reached = reached
        job.isKept = true
        return job
    }
}
