import Bytes
import Geo

/// What places must be like to be in an answer, all of it checked.
struct PlaceCriteria: Sendable {
    /// Empty: all.
    var networks: [Network] = []
    /// Empty: all.
    var datasets: [DatasetName] = []
    /// Category paths as UTF-8; empty: all.
    var categories: [[UInt8]] = []
    var excludedCategories: [[UInt8]] = []
    var name = NameWords()

    /// Which snapshots of a view are searched.
    func sources(in view: CatalogView) -> [Bool] {
        view.origins.map { origin in
            if !networks.isEmpty, !networks.contains(origin.network) { return false }
            return datasets.isEmpty || origin.dataset.map(datasets.contains) ?? false
        }
    }

    /// The filter for a view of which `sources` are searched; nil when every place passes.
    func resolved(_ view: CatalogView, _ sources: [Bool]) throws(GeoError) -> ResolvedFilter? {
        let picksSources = sources.contains(false)
        guard picksSources || !categories.isEmpty || !excludedCategories.isEmpty || !name.words.isEmpty else {
            return nil
        }
        return try view.set.resolve(
            unsafe PlaceFilter(
                include: categories, exclude: excludedCategories, sources: picksSources ? sources : nil,
                accepts: acceptance))
    }

    private var acceptance: PlaceFilter.Acceptance? {
        let name = name
        guard !name.words.isEmpty else { return nil }
        return { _, record in
            guard let text = unsafe StoredPlace.text(of: record) else { return false }
            return unsafe name.match(text)
        }
    }

    func add(to hash: inout StableHash) {
        hash.add(list: networks.map { Array($0.rawValue.utf8) })
        hash.add(list: datasets.map { Array($0.description.utf8) })
        hash.add(list: categories)
        hash.add(list: excludedCategories)
        hash.add(list: name.words)
    }
}
