import Bytes
import Daemon
import Files
import Geo
import Networks
import Storage
import Stores
import Synchronization

/// A dataset whose snapshot was built in a file and does not count yet.
struct DatasetDraft: Sendable {
    let name: DatasetName
    var facts: DatasetFacts
    let placeCount: Int
    let path: String

    /// Where its map is; nil without one.
    var tilesPath: String? { facts.tiles.map { _ in CatalogFolder.tilesPath(ofSnapshot: path) } }

    /// Where its areas are; nil without any.
    var areasPath: String? { facts.areas.map { _ in CatalogFolder.areasPath(ofSnapshot: path) } }

    /// Where the file is that it was made of; nil where that is not kept.
    var sourcePath: String? { facts.source.map { _ in CatalogFolder.sourcePath(ofSnapshot: path) } }

    /// Its files, as far as they are still there.
    var paths: [String] { CatalogFolder.paths(ofSnapshot: path) }

    static func remove(_ path: String) {
        for path in CatalogFolder.paths(ofSnapshot: path) { _ = try? DiskFile.removeIfThere(path) }
    }
}

/// The datasets on disk, and the view of them that searches use.
final class Catalog: Sendable {
    private let folder: CatalogFolder
    private let lock: FolderLock?
    private let current: Mutex<CatalogView>
    /// Held while files and view change together. Threads that wait for it are ones that may block.
    private let changes = Mutex(())
    /// Datasets that could not be opened at start.
    let damaged: [Damage]

    /// A dataset that can't be opened, why, and whether bundled data can take its place.
    struct Damage: Sendable {
        let name: DatasetName
        let reason: PlacesError
        let isBundled: Bool
    }

    /// Opens all datasets. One that is damaged is left out and reported; the others serve. Blocks.
    /// - Parameter locks: false where the process that started this one has locked the folder.
    init(root: String, locks: Bool = true) throws(PlacesError) {
        do throws(DataFolder.Problem) {
            lock = locks ? try FolderLock(root) : nil
        } catch {
            throw .storage(what: "the catalog", reason: error.description)
        }
        folder = try CatalogFolder(root)
        var datasets: [CatalogView.Dataset] = []
        var damaged: [Damage] = []
        for name in try folder.recoveredNames() {
            do throws(PlacesError) {
                datasets.append(try folder.load(name))
            } catch {
                damaged.append(Damage(name: name, reason: error, isBundled: folder.isBundled(name)))
            }
        }
        current = Mutex(CatalogView(datasets))
        self.damaged = damaged
    }

    /// The datasets as they are now.
    var view: CatalogView { current.withLock { $0 } }

    /// Makes copies of datasets that replicas share those that are here alone. Blocks.
    func keepCopies() throws(PlacesError) {
        for dataset in view.datasets { try folder.keepCopy(dataset.name) }
    }

    /// Where uploads are kept.
    var uploadFolder: String { folder.uploads }

    /// Whether a client has deleted the dataset and it was not imported since.
    func isDeleted(_ name: DatasetName) throws(PlacesError) -> Bool { try folder.isDeleted(name) }

    /// Has `build` write a snapshot to a path of its own; it does not count yet. Blocks.
    func draft<R>(
        _ name: DatasetName, build: (_ path: String) throws(PlacesError) -> (facts: DatasetFacts, result: R)
    ) throws(PlacesError) -> (draft: DatasetDraft, result: R) {
        let path = "\(uploadFolder)/\(UInt64.random(in: 0 ... .max)).draft"
        do throws(PlacesError) {
            let (facts, result) = try build(path)
            let count = try folder.open(path).count
            return (DatasetDraft(name: name, facts: facts, placeCount: count, path: path), result)
        } catch {
            DatasetDraft.remove(path)
            throw error
        }
    }

    /// Makes files with the snapshot, the map and the areas of a dataset that all replicas have those that count here.
    /// Blocks.
    /// - Parameters:
    ///   - tiles: its map; nil without one.
    ///   - areas: its areas; nil without any.
    func adopt(_ shared: SharedDataset, file: String, tiles: String?, areas: String?) throws(PlacesError) {
        let generation = Int(clamping: shared.generation)
        let path = try folder.place(file, tiles: tiles, areas: areas, as: shared.name, generation)
        let dataset = CatalogView.Dataset(
            name: shared.name, facts: shared.facts, snapshot: try folder.open(path),
            snapshotName: shared.snapshot.text, tiles: try folder.openTiles(shared.facts, besides: path),
            areas: CatalogFolder.openAreas(shared.facts, besides: path))
        try publish(
            dataset, DatasetManifest(generation: generation, facts: shared.facts, snapshot: shared.snapshot.text))
    }

    /// Removes the copy of a dataset that the replicas do not have any more, if it is here. Blocks.
    /// - Parameter isDeleted: whether bundled data of its name is not imported again.
    func forget(_ name: DatasetName, isDeleted: Bool) throws(PlacesError) {
        try changing { () throws(PlacesError) in
            if try folder.has(name) { _ = try remove(name) }
            try folder.mark(name, isDeleted: isDeleted)
        }
    }

    /// Replaces the dataset with this name, if there is one: `build` writes its snapshot to the given path, and returns
    /// what is known of it. Until that is done, and if it fails, nothing changes. One call at a time. Blocks.
    /// - Parameter base: the snapshot of the dataset that it is made of; it has to be the dataset's still.
    func install<R>(
        _ name: DatasetName, insteadOf base: Snapshot? = nil,
        build: (_ path: String) throws(PlacesError) -> (facts: DatasetFacts, result: R)
    ) throws(PlacesError) -> (dataset: CatalogView.Dataset, result: R) {
        let generation = try folder.nextGeneration(name)
        let path = folder.snapshotPath(name, generation)
        do throws(PlacesError) {
            let (facts, result) = try build(path)
            let dataset = CatalogView.Dataset(
                name: name, facts: facts, snapshot: try folder.open(path),
                tiles: try folder.openTiles(facts, besides: path),
                areas: CatalogFolder.openAreas(facts, besides: path))
            try publish(dataset, DatasetManifest(generation: generation, facts: facts), insteadOf: base)
            return (dataset, result)
        } catch {
            discard(name)
            throw error
        }
    }

    /// Removes a dataset; returns how many places it had. A repeated call with the same `change` gets the same answer.
    /// Blocks.
    func delete(_ name: DatasetName, _ change: Change? = nil) throws(PlacesError) -> Int {
        try changing { () throws(PlacesError) in
            guard let change else { return try remove(name) }
            if let earlier = try folder.deletion(change) { return try finish(earlier) }
            guard try folder.has(name) else { throw .noDataset(name) }
            let facts = view.dataset(name)?.facts
            let count = view.dataset(name)?.snapshot.count ?? 0
            try folder.record(RecordedDeletion(dataset: name, facts: facts, placeCount: count, change))
            return try remove(name)
        }
    }

    /// Completes a deletion that was recorded, unless it was completed then; another dataset of the same name stays.
    private func finish(_ deletion: RecordedDeletion) throws(PlacesError) -> Int {
        if let name = DatasetName(deletion.dataset), try folder.has(name), view.dataset(name)?.facts == deletion.facts {
            _ = try remove(name)
        }
        return deletion.placeCount
    }

    private func remove(_ name: DatasetName) throws(PlacesError) -> Int {
        let view = view
        guard try folder.has(name) else { throw .noDataset(name) }
        try folder.delete(name)
        current.withLock { $0 = view.without(name) }
        return view.dataset(name)?.snapshot.count ?? 0
    }

    /// Replaces the places of a live network with these.
    func replace(_ layers: PlaceLayers, of network: Network) {
        changes.withLock { _ in
            let view = view.with(layers, of: network)
            current.withLock { $0 = view }
        }
    }

    /// Deletes the records of named deletions from before `time`, in milliseconds since 1970. Blocks.
    func removeDeletions(before time: Int64) { changes.withLock { _ in folder.removeDeletions(before: time) } }

    /// What is left out of the view.
    struct DamagedDataset {
        let name: DatasetName
        let reason: GeoError
        /// Whether only its areas are left out.
        let isOfAreas: Bool
    }

    /// Compares the checksums of all datasets, and removes damaged ones from the view; of those whose areas are damaged
    /// only these. Reads everything; blocks.
    func verify() -> [DamagedDataset] {
        var damaged: [DamagedDataset] = []
        for dataset in view.datasets {
            do throws(GeoError) {
                try dataset.snapshot.verify()
            } catch {
                damaged.append(DamagedDataset(name: dataset.name, reason: error, isOfAreas: false))
                withdraw(dataset)
                continue
            }
            do throws(GeoError) {
                if dataset.areas == nil, dataset.facts.areas != nil {
                    let path = CatalogFolder.areasPath(ofSnapshot: dataset.snapshot.path)
                    throw .corrupt(path: path, reason: "it can't be opened")
                }
                try dataset.areas?.verify()
            } catch {
                damaged.append(DamagedDataset(name: dataset.name, reason: error, isOfAreas: true))
                withdraw(dataset, areasOnly: true)
            }
        }
        return damaged
    }

    private func publish(
        _ dataset: CatalogView.Dataset, _ manifest: DatasetManifest, insteadOf base: Snapshot? = nil
    ) throws(PlacesError) {
        try changing { () throws(PlacesError) in
            if let base, view.dataset(dataset.name)?.snapshot !== base { throw .replaced(dataset.name) }
            try folder.commit(dataset.name, manifest)
            let view = view.with(dataset)
            current.withLock { $0 = view }
        }
    }

    /// Takes a dataset, or only its areas, out of the view unless it was replaced in the meantime.
    private func withdraw(_ dataset: CatalogView.Dataset, areasOnly: Bool = false) {
        changes.withLock { _ in
            guard view.dataset(dataset.name)?.snapshot === dataset.snapshot else { return }
            var rest = dataset
            rest.areas = nil
            let view = areasOnly ? view.with(rest) : view.without(dataset.name)
            current.withLock { $0 = view }
        }
    }

    /// Removes the files of a failed import. What can't be removed now is removed at the next start.
    private func discard(_ name: DatasetName) {
        changes.withLock { _ in folder.discardUncommitted(name) }
    }

    private func changing<R>(_ body: () throws(PlacesError) -> R) throws(PlacesError) -> R {
        let result: Result<R, PlacesError> = changes.withLock { _ in
            do throws(PlacesError) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
