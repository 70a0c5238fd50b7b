import Bytes
import Geo

/// The records of a gazetteer as things with names.
struct GazetteerThings: NamedThings {
    let gazetteer: Gazetteer
    let whole = WholeName.ofRecord

    func position(of item: UInt32) -> Geo.Coordinate? { gazetteer.record(item)?.position }
}

/// The places of a snapshot, but for those that do not count any more.
struct PlaceThings: NamedThings {
    let layer: SnapshotLayer
    let whole = WholeName.ofPlace

    func position(of item: UInt32) -> Geo.Coordinate? {
        layer.holds(item) ? try? layer.snapshot.coordinate(of: item) : nil
    }
}

/// Some addresses.
struct AddressThings: NamedThings {
    let addresses: [Address]
    let whole = WholeName.ofPlace

    func position(of item: UInt32) -> Geo.Coordinate? {
        item < UInt32(clamping: addresses.count) ? addresses[Int(item)].position : nil
    }
}

/// Finds what has a name in all sources at once.
struct NamesSearch {
    /// The best of each index; the rest is too far down for any answer.
    private static let maximumOfIndex = 100

    let query: NameQuery
    let sources: FindSources
    let ranking: FindRanking
    var area: FindArea?
    /// Only what is named so of a place; nil for all.
    var subject: NameSubject?

    /// What has the words of the query in its name.
    /// - Parameter mistyped: looks for words that are nearly the same instead.
    func hits(mistyped: Bool = false, checkpoint: (Int) throws -> Void) throws -> [FindHit] {
        try records(mistyped, checkpoint) + places(mistyped, checkpoint) + bundled(mistyped, checkpoint)
    }

    /// Whether a dataset that may have the name was not read yet.
    var isIncomplete: Bool {
        zip(sources.view.set.snapshots, sources.view.origins).contains { snapshot, origin in
            !isInGazetteer(origin) && sources.names.indexes(of: snapshot) == nil
        }
    }

    /// Towns are in the gazetteer, in more languages.
    private func isInGazetteer(_ origin: CatalogView.Origin) -> Bool {
        origin.isTowns && !sources.gazetteerNames.isEmpty
    }

    private func records(_ mistyped: Bool, _ checkpoint: (Int) throws -> Void) throws -> [FindHit] {
        // What lies in something is asked for by the gazetteer's own search.
        guard let gazetteer = sources.gazetteer, area == nil, subject == nil else { return [] }
        let things = GazetteerThings(gazetteer: gazetteer)
        return try sources.gazetteerNames.flatMap { index in
            try names(of: index, things, mistyped, checkpoint).compactMap { name in
                gazetteer.record(name.item).map { FindHit(.record(name.item, $0), name) }
            }
        }
    }

    private func places(_ mistyped: Bool, _ checkpoint: (Int) throws -> Void) throws -> [FindHit] {
        var hits: [FindHit] = []
        for (source, layer) in sources.view.set.layers.enumerated()
        where !isInGazetteer(sources.view.origins[source]) {
            let indexes = try sources.names.indexes(reading: layer.snapshot) { try checkpoint(0) }
            for index in indexes ?? [] {
                let names = try names(of: index, PlaceThings(layer: layer), mistyped, checkpoint)
                for name in names where try isTrue(name, layer.snapshot) {
                    let thing: FindHit.Thing =
                        name.subject == .thing
                        ? .place(source: source, ordinal: name.item)
                        : .partOfAddress(name.subject, source: source, ordinal: name.item)
                    hits.append(FindHit(thing, name))
                }
            }
        }
        return hits
    }

    private func bundled(_ mistyped: Bool, _ checkpoint: (Int) throws -> Void) throws -> [FindHit] {
        guard let index = sources.addresses.bundledNames else { return [] }
        let addresses = sources.addresses.bundledFirst
        return try names(of: index, AddressThings(addresses: addresses), mistyped, checkpoint).map { name in
            FindHit(.bundledPart(name.subject, addresses[Int(name.item)]), name)
        }
    }

    private func names(
        of index: NameIndex, _ things: some NamedThings, _ mistyped: Bool, _ checkpoint: (Int) throws -> Void
    ) throws -> [FoundName] {
        let search = NameSearch(
            query: query, index: index, things: things, ranking: ranking, area: area, subject: subject,
            known: sources.nearTerms)
        return mistyped
            ? try search.mistypedNames(maximum: Self.maximumOfIndex, checkpoint: checkpoint)
            : try search.names(maximum: Self.maximumOfIndex, checkpoint: checkpoint)
    }

    /// In scripts without blanks the letters may be pairs of a name that are not side by side.
    private func isTrue(_ name: FoundName, _ snapshot: Snapshot) throws -> Bool {
        guard !query.parts.isEmpty, name.subject == .thing else { return true }
        return try unsafe snapshot.withPlace(name.item) { _, record in
            guard let text = unsafe StoredPlace.text(of: record) else { return false }
            let letters = unsafe Array(text)
            return query.parts.allSatisfy { letters.contains($0) }
        }
    }
}

extension FindHit {
    fileprivate init(_ thing: Thing, _ name: FoundName) {
        self.init(
            thing: thing, points: name.points, nearness: name.nearness, changes: name.changes,
            isComplete: name.isComplete, isWhole: name.isWhole, isMain: name.isMain)
    }
}
