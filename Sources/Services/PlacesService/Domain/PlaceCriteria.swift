import Bytes
import Geo
import Networks

/// The conditions that places in an answer must meet, already validated.
struct PlaceCriteria: Sendable {
    /// Empty: all.
    var networks: [Network] = []
    /// Empty: all.
    var datasets: [DatasetName] = []
    /// Category paths as UTF-8; empty: all.
    var categories: [[UInt8]] = []
    var excludedCategories: [[UInt8]] = []
    var name = NameWords()
    /// What their hours have to say; nil: anything.
    var open: OpenCondition?

    /// The id of the area that they have to be in; empty for anywhere.
    var areaID = ""
    /// That area, once it is known.
    var area: AreaFilter?

    /// `excludedCategories`, with those that were not asked for.
    var allExcluded: [[UInt8]] { excludedCategories + HiddenCategories.besides(categories) }

    /// These criteria without those for what a place is.
    var withoutConditions: PlaceCriteria { PlaceCriteria(networks: networks, datasets: datasets) }

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
        let excluded = view.hasHidden ? allExcluded : excludedCategories
        guard
            picksSources || !categories.isEmpty || !excluded.isEmpty || !name.words.isEmpty || open != nil
                || area != nil
        else { return nil }
        return try view.set.resolve(
            unsafe PlaceFilter(
                include: categories, exclude: excluded, sources: picksSources ? sources : nil, accepts: acceptance))
    }

    private var acceptance: PlaceFilter.Acceptance? {
        let (name, open, area) = (name, open, area)
        guard !name.words.isEmpty || open != nil || area != nil else { return nil }
        return { _, record in
            if !name.words.isEmpty {
                guard let text = unsafe StoredPlace.text(of: record), unsafe name.match(text) else { return false }
            }
            // The hours last: they are counted.
            guard unsafe area?.accepts(record) ?? true else { return false }
            return unsafe open?.accepts(record) ?? true
        }
    }

    func add(to hash: inout StableHash) {
        hash.add(list: networks.map { Array($0.name.utf8) })
        hash.add(list: datasets.map { Array($0.description.utf8) })
        hash.add(list: categories)
        hash.add(list: excludedCategories)
        hash.add(list: name.words)
        open?.add(to: &hash)
        if !areaID.isEmpty { hash.add(areaID.utf8) }
    }
}

/// Words that a name must contain, each as the beginning of one of the name's words. All are folded, so that case and
/// accents do not matter.
struct NameWords: Hashable, Sendable {
    private static let space = UInt8(ascii: " ")

    /// Folded UTF-8, without spaces.
    let words: [[UInt8]]

    init() { words = [] }

    /// Takes folded text: words with single spaces between them.
    init(folded: [UInt8]) { words = folded.split(separator: Self.space).map(Array.init) }

    /// Whether every word begins a word of a search text.
    func match(_ text: UnsafeRawBufferPointer) -> Bool {
        words.allSatisfy { unsafe Self.hasWord(startingWith: $0, in: text) }
    }

    private static func hasWord(startingWith word: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while text.count - start >= word.count {
            if unsafe text[start..<(start + word.count)].elementsEqual(word) { return true }
            guard let gap = unsafe text[start...].firstIndex(of: space) else { return false }
            start = gap + 1
        }
        return false
    }
}

extension StableHash {
    mutating func add(_ point: Coordinate) {
        add(UInt64(bitPattern: Int64(point.latitudeE7)))
        add(UInt64(bitPattern: Int64(point.longitudeE7)))
    }
}
