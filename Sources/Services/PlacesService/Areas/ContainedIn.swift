import Geo

/// The areas of datasets that a point lies in.
struct ContainedIn {
    /// One of them, and where it is from.
    struct Part {
        let record: AreaRecord
        let dataset: DatasetName
    }

    private static let kinds: Set<AreaKind> = [.country, .region, .place, .park, .square, .island, .house]
    /// Levels of municipalities, the likeliest first: in some countries towns are counted as districts are.
    private static let municipalities: [UInt8] = [8, 7, 6]
    private static let towns: Set<String> = ["city", "town", "village", "municipality", "hamlet"]
    private static let quarters: Set<String> = ["borough", "suburb", "quarter", "neighbourhood"]

    /// The largest first.
    let parts: [Part]

    /// - Parameter languages: those that names are wanted in.
    init(_ position: Coordinate, in view: CatalogView, languages: [String]) {
        var parts: [Part] = []
        for dataset in view.datasets {
            guard let areas = dataset.areas else { continue }
            for number in areas.areas(holding: position, Self.kinds) {
                guard let record = areas.record(number, names: languages + ["en"]) else { continue }
                parts.append(Part(record: record, dataset: dataset.name))
            }
        }
        self.parts = parts.sorted { Self.rank($0.record) < Self.rank($1.record) }
    }

    /// Administrative areas by their levels, then parks and islands, then what is smaller.
    private static func rank(_ record: AreaRecord) -> Int {
        switch record.kind {
        case .country, .region: Int(record.level) * 10
        case .island: 45
        case .park: 65
        case .place: towns.contains(record.place) ? 85 : 105
        case .square: 120
        case .house, .sea, .street, .lake: 130
        }
    }

    var country: AreaRecord? { first { $0.kind == .country && !$0.code.isEmpty } }
    /// The first-level region.
    var region: AreaRecord? { first { $0.kind == .region && $0.level == 4 } }
    var square: AreaRecord? { first { $0.kind == .square } }
    var house: AreaRecord? { first { $0.kind == .house } }
    var park: AreaRecord? { first { $0.kind == .park } }
    var island: AreaRecord? { first { $0.kind == .island } }

    /// The municipality: what says that it is one, else what has the level of most, else a town as it is drawn.
    var municipality: AreaRecord? {
        if let own = last(where: { $0.kind == .region && Self.towns.contains($0.place) }) { return own }
        for level in Self.municipalities {
            if let own = first(where: { $0.kind == .region && $0.level == level }) { return own }
        }
        return last { $0.kind == .place && Self.towns.contains($0.place) }
    }

    /// The smallest quarter in that.
    var quarter: AreaRecord? {
        let town = municipality
        return last { record in
            guard record.id != town?.id else { return false }
            if record.kind == .place { return Self.quarters.contains(record.place) }
            return record.kind == .region && record.level >= 9 && record.level > town?.level ?? 0
        }
    }

    private func first(where isWanted: (AreaRecord) -> Bool) -> AreaRecord? {
        parts.first { isWanted($0.record) }?.record
    }

    private func last(where isWanted: (AreaRecord) -> Bool) -> AreaRecord? {
        parts.last { isWanted($0.record) }?.record
    }
}
