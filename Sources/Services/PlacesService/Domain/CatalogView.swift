import Geo
import Networks
import VectorTiles

/// All datasets, and the findings of live networks, at one moment. A change makes a new view; running searches keep
/// theirs.
final class CatalogView: Sendable {
    /// A dataset with its places.
    struct Dataset: Sendable {
        let name: DatasetName
        let facts: DatasetFacts
        let snapshot: Snapshot
        /// The SHA-256 of a snapshot that is a copy of one in a bucket; nil for one that is only here.
        var snapshotName: String?
        /// Its map; nil without one.
        var tiles: PMTilesFile?
        /// Its areas; nil without any.
        var areas: AreaIndex?

        var placeCount: Int { snapshot.count }
        /// The size of the snapshot file.
        var byteCount: Int { snapshot.fileBytes }
    }

    /// The source of the places in a snapshot of the set.
    struct Origin: Sendable {
        let network: Network
        /// Only in the catalog.
        var dataset: DatasetName?

        /// Whether it is the dataset that names the town at a point.
        var isTowns: Bool { dataset?.description == CatalogView.townsName }
    }

    /// Filters for finding the house at a point.
    struct SpotFilters: Sendable {
        /// All of these places.
        let all: ResolvedFilter
        /// Houses that have nothing but an address, and squares.
        let houses: ResolvedFilter
        /// All but lines.
        let places: ResolvedFilter

        fileprivate init?(_ set: SnapshotSet, _ sources: [Bool]) {
            let ofHouses = [AddressCategory.path, NearestSpot.squareCategory].map { Array($0.utf8) }
            let lines = [Array(LineCategory.path.utf8)]
            guard sources.contains(true), let all = unsafe try? set.resolve(PlaceFilter(sources: sources)),
                let houses = unsafe try? set.resolve(PlaceFilter(include: ofHouses, sources: sources)),
                let places = unsafe try? set.resolve(PlaceFilter(exclude: lines, sources: sources))
            else { return nil }
            (self.all, self.houses, self.places) = (all, houses, places)
        }
    }

    /// The dataset that names the town at a point.
    static let townsName = "towns"

    /// By name.
    let datasets: [Dataset]
    /// What live networks have found.
    let discovered: [Network: PlaceLayers]
    /// The datasets, then the layers of the networks.
    let set: SnapshotSet
    /// For each snapshot of the set.
    let origins: [Origin]
    /// Lets only towns through; nil when there are none.
    let towns: ResolvedFilter?
    /// What lets through what may have an address; nil when no dataset has any such place.
    let spots: SpotFilters?
    /// Whether there are places that this view's account does not see.
    let hidesSome: Bool
    /// Whether places that a search has to ask for are among them.
    let hasHidden: Bool

    convenience init(_ datasets: [Dataset]) {
        self.init(sorted: datasets.sorted { $0.name < $1.name }, discovered: [:])
    }

    /// - Parameter whole: the view of which this one is a part.
    private init(sorted datasets: [Dataset], discovered: [Network: PlaceLayers], of whole: CatalogView? = nil) {
        self.datasets = datasets
        self.discovered = discovered
        var layers = datasets.map { SnapshotLayer($0.snapshot) }
        var origins = datasets.map { Origin(network: .catalog, dataset: $0.name) }
        for network in Network.ofPlaces {
            for layer in discovered[network]?.layers ?? [] {
                layers.append(layer)
                origins.append(Origin(network: network))
            }
        }
        self.origins = origins
        let set = SnapshotSet(layers)
        self.set = set
        hidesSome = whole.map { set.count < $0.set.count } ?? false
        hasHidden =
            whole?.hasHidden ?? layers.contains { $0.snapshot.categoryNames.contains(where: HiddenCategories.contains) }
        let isTowns = zip(origins, layers).map { $0.isTowns && $1.count > 0 }
        towns = isTowns.contains(true) ? unsafe try? set.resolve(PlaceFilter(sources: isTowns)) : nil
        spots = SpotFilters(set, zip(origins, layers).map { $0.network == .catalog && !$0.isTowns && $1.count > 0 })
    }

    /// Whether there is a place that only some accounts see.
    var hasDiscovered: Bool { discovered.values.contains { $0.count > 0 } }

    /// The view in which, of what live networks have found, only the places are that `marks` marks in each snapshot.
    func showing(
        _ marks: (Network, Snapshot) throws(GeoError) -> PlaceMarks
    ) throws(GeoError) -> CatalogView {
        var shown: [Network: PlaceLayers] = [:]
        for (network, layers) in discovered {
            shown[network] = try layers.limited { snapshot throws(GeoError) in try marks(network, snapshot) }
        }
        return CatalogView(sorted: datasets, discovered: shown, of: self)
    }

    func dataset(_ name: DatasetName) -> Dataset? { datasets.first { $0.name == name } }

    /// Whether some of the sources, as `PlaceCriteria` selects them, have a place.
    func hasPlaces(in sources: [Bool]) -> Bool { zip(set.layers, sources).contains { $1 && $0.count > 0 } }

    /// The view with this dataset in place of the one with its name.
    func with(_ dataset: Dataset) -> CatalogView {
        let datasets = (without(dataset.name).datasets + [dataset]).sorted { $0.name < $1.name }
        return CatalogView(sorted: datasets, discovered: discovered)
    }

    func without(_ name: DatasetName) -> CatalogView {
        CatalogView(sorted: datasets.filter { $0.name != name }, discovered: discovered)
    }

    /// The view with these places of a network.
    func with(_ layers: PlaceLayers, of network: Network) -> CatalogView {
        var discovered = discovered
        discovered[network] = layers
        return CatalogView(sorted: datasets, discovered: discovered)
    }
}
