import Geo

/// Finds the nearest places of the kind that words name.
struct CategorySearch {
    let search: FindSearch
    /// Folded.
    let words: any Collection<UInt8>
    let ranking: FindRanking
    /// Only there; nil for around the point of the question.
    let area: FindArea?
    /// Whether the text says that it asks for the nearest.
    var isAsked = false

    /// How far places of a cuisine are looked for, of which each has to be looked at.
    private static let metresOfCuisine = 30_000.0

    /// Nothing without a point to be near to.
    func hits() throws -> [FindHit] {
        guard ranking.near != nil else { return [] }
        let view = search.sources.view
        let named = CategoryWords(words).paths(in: view)
        let meant = search.sources.kinds.kinds(of: words)
        let isWhole = named.isWhole || meant.isWhole
        let kinds = meant.isWhole == isWhole ? meant.kinds : []
        var paths = named.isWhole == isWhole ? named.paths : []
        paths += kinds.filter(\.cuisine.isEmpty).flatMap(\.paths)
        var bonus = isWhole ? FindRanking.category : FindRanking.beginningOfCategory(letters: words.count)
        if isAsked { bonus += FindRanking.nearest }
        if isWhole, meant.hasArticle { bonus -= FindRanking.article }
        func hits(_ filter: PlaceFilter, within metres: Double) throws -> [FindHit] {
            try places(filter, within: metres).map { source, ordinal, nearness in
                FindHit(
                    thing: .place(source: source, ordinal: ordinal), points: bonus + nearness, nearness: nearness,
                    isComplete: isWhole, isWhole: isWhole, isKind: isWhole)
            }
        }
        let open = search.question.open
        // Before the limit; the middle of an area may be far from what lies in it.
        let shape: AreaFilter? = if case .shape(let shape, _) = area { shape } else { search.question.area }
        let isWanted: PlaceFilter.Acceptance? =
            open == nil && shape == nil
            ? nil
            : { @Sendable _, record in
                unsafe (shape?.accepts(record) ?? true) && (open?.accepts(record) ?? true)
            }
        var all =
            paths.isEmpty ? [] : try hits(unsafe PlaceFilter(include: paths, accepts: isWanted), within: .infinity)
        for kind in kinds where !kind.cuisine.isEmpty {
            let food = FoodWord(kind.cuisine)
            let filter = unsafe PlaceFilter(
                include: kind.paths,
                accepts: { _, record in
                    unsafe food.isServed(record) && (shape?.accepts(record) ?? true) && (open?.accepts(record) ?? true)
                })
            all += try hits(filter, within: Self.metresOfCuisine)
        }
        return all
    }

    /// The nearest places that pass a filter.
    private func places(
        _ filter: PlaceFilter, within reach: Double
    ) throws -> [(source: Int, ordinal: UInt32, nearness: Float)] {
        guard let centre = ranking.near else { return [] }
        let view = search.sources.view
        let metres: Double =
            switch area {
            case .circle(_, let metres): metres
            case .shape(let shape, _): min(reach, shape.reach(from: centre))
            case .box, nil: reach
            }
        return try search.scratches.withScratch { scratch in
            let query = try NearbyQuery(
                centre: centre, radiusMetres: metres, limit: search.question.limit * 2,
                filter: try view.set.resolve(filter))
            _ = try view.set.nearby(query, using: scratch, checkpoint: search.checkpoint)
            return try scratch.hits.compactMap { hit in
                let position = try view.set.snapshots[Int(hit.source)].coordinate(of: hit.ordinal)
                guard area?.contains(position) ?? true else { return nil }
                return (Int(hit.source), hit.ordinal, ranking.nearness(of: position))
            }
        }
    }
}

/// What is eaten at a place: "pizza". Its name says so, or its attribute for the cuisine.
struct FoodWord: Sendable {
    private static let cuisine = Array("cuisine".utf8)
    /// Bytes of an attribute that are looked at.
    private static let longest = 160

    private let word: [UInt8]

    init(_ word: [UInt8]) { self.word = word }

    /// Whether a place's record says so.
    func isServed(_ record: UnsafeRawBufferPointer) -> Bool {
        if let text = unsafe StoredPlace.text(of: record), unsafe Self.find(word, in: text[...]) != nil { return true }
        guard let message = unsafe StoredPlace.message(of: record),
            let start = unsafe Self.find(Self.cuisine, in: message[...])
        else { return false }
        return unsafe Self.find(word, in: message[start...].prefix(Self.longest)) != nil
    }

    /// Where a word begins in some bytes; nil when they don't have it.
    private static func find(_ word: [UInt8], in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        var rest = unsafe bytes
        while let start = unsafe rest.firstIndex(of: word[0]) {
            unsafe rest = rest[start...]
            if unsafe rest.starts(with: word) { return start }
            unsafe rest = rest.dropFirst()
        }
        return nil
    }
}
