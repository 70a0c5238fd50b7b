import Geo

/// All datasets as they stand at one moment. A change of the catalog makes a new view; searches under way keep theirs.
final class CatalogView: Sendable {
    /// A dataset with its places.
    struct Dataset: Sendable {
        let name: DatasetName
        let facts: DatasetFacts
        let snapshot: Snapshot

        var placeCount: Int { snapshot.count }
        /// Of the snapshot file.
        var byteCount: Int { snapshot.fileBytes }
    }

    /// The dataset that names the town of a point.
    static let townsName = "towns"

    /// By name; a hit's source is an index into them.
    let datasets: [Dataset]
    let set: SnapshotSet
    /// Lets only towns through; nil when there are none.
    let towns: ResolvedFilter?

    init(_ datasets: [Dataset]) {
        self.datasets = datasets.sorted { $0.name < $1.name }
        let set = SnapshotSet(self.datasets.map(\.snapshot))
        self.set = set
        let isTowns = self.datasets.map { $0.name.description == Self.townsName && $0.snapshot.count > 0 }
        towns = isTowns.contains(true) ? unsafe try? set.resolve(PlaceFilter(sources: isTowns)) : nil
    }

    func dataset(_ name: DatasetName) -> Dataset? { datasets.first { $0.name == name } }

    /// The view with this dataset in place of the one with its name.
    func with(_ dataset: Dataset) -> CatalogView { CatalogView(without(dataset.name).datasets + [dataset]) }

    func without(_ name: DatasetName) -> CatalogView { CatalogView(datasets.filter { $0.name != name }) }
}
