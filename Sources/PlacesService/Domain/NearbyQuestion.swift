import Geo

/// A search for places around a point, all of it checked.
struct NearbyQuestion: Sendable {
    let centre: Geo.Coordinate
    let radiusMetres: Double
    let limit: Int
    /// Where the page before ended; nil for the first page.
    var after: SearchCursor?
    /// Empty: all.
    var networks: [Network] = []
    /// Empty: all.
    var datasets: [DatasetName] = []
    /// Category paths as UTF-8; empty: all.
    var categories: [[UInt8]] = []
    var excludedCategories: [[UInt8]] = []
    var name = NameWords()
    var wantsCount = false

    /// What places can be left out by, beside the dataset they are in.
    var hasFilter: Bool { !categories.isEmpty || !excludedCategories.isEmpty || !name.words.isEmpty }

    /// Whether the catalog is searched; no other network has places of its own yet.
    var asksCatalog: Bool { networks.isEmpty || networks.contains(.catalog) }

    /// Tells questions apart whose pages must not be mixed; the limit may change from page to page.
    var fingerprint: UInt64 {
        var hash = StableHash()
        hash.add(UInt64(bitPattern: Int64(centre.latitudeE7)))
        hash.add(UInt64(bitPattern: Int64(centre.longitudeE7)))
        hash.add(radiusMetres.bitPattern)
        hash.add(list: networks.map { Array($0.rawValue.utf8) })
        hash.add(list: datasets.map { Array($0.description.utf8) })
        hash.add(list: categories)
        hash.add(list: excludedCategories)
        hash.add(list: name.words)
        return hash.value
    }
}
