import EventLoops
import Files
import Geo
import Storage
import Stores

/// The file that a dataset was made of, while changes are applied to it.
struct DatasetFile: Sendable {
    let path: String
    let dataset: CatalogView.Dataset
    /// Whether replicas share the dataset.
    let isShared: Bool

    /// The snapshot that is replaced, where replicas share it.
    var sharedSnapshot: BlobName? { isShared ? dataset.snapshotName.flatMap(BlobName.init) : nil }
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
            return try await body(DatasetFile(path: path, dataset: dataset, isShared: false))
        }
        guard let path = try await shared.fetchSource(source) else { throw PlacesError.noSource(name) }
        let result: Result<R, any Error>
        do {
            result = .success(try await body(DatasetFile(path: path, dataset: dataset, isShared: true)))
        } catch {
            result = .failure(error)
        }
        await shared.blocking.removing([path])
        return try result.get()
    }
}

extension BlockingPool {
    /// Removes files that are not needed any more, also in a task that was cancelled.
    func removing(_ paths: [String]) async {
        await Task {
            _ = try? await self.run { for path in paths { _ = try? DiskFile.removeIfThere(path) } }
        }.value
    }
}

extension ImportJob {
    /// The import of a dataset's file, with this job's changes applied to it. What is said of the dataset stays.
    func applied(to file: DatasetFile) throws(PlacesError) -> ImportJob {
        var facts = file.dataset.facts
        facts.isBundled = false
        facts.version = ""
        if let reached {
            guard facts.source?.sequence == reached.before else { throw .replaced(dataset) }
        } else if let source = facts.source, source.isFollowed {
            throw .followed(dataset, source.updates ?? "")
        }
        var job = ImportJob(
            dataset: dataset, path: file.path, format: .osmPBF, facts: facts, uploadID: uploadID,
            maximumBadRows: max(maximumBadRows, facts.source?.maximumBadRows ?? 0), maximumBytes: maximumBytes)
        job.changes = changes + [path]
        job.reached = reached
        job.isKept = true
        return job
    }
}

/// An import that its owner may stop.
final class StoppableImport: ImportObserver {
    private let flag = StopFlag()

    var isStopped: Bool { flag.isSet }
    func stop() { flag.set() }
    func progress(_ progress: ImportState) {}
    func badRow(_ line: UInt64, _ reason: String) {}
}
