import Geo
import Texts

/// Finds the addresses and the crossings of streets that a text names.
struct AddressHits {
    /// Streets whose names are nearly what a text says, that are tried.
    private static let maximumStreets = 8
    /// Letters of a street of which only the beginning is there.
    private static let fewestLetters = 4

    let question: FindQuestion
    let sources: FindSources
    let ranking: FindRanking
    let checkpoint: (Int) throws -> Void
    private let words: QueryWords

    init(
        question: FindQuestion, sources: FindSources, ranking: FindRanking, checkpoint: @escaping (Int) throws -> Void
    ) {
        self.question = question
        self.sources = sources
        self.ranking = ranking
        self.checkpoint = checkpoint
        words = AddressSearch.words(of: question.text)
    }

    /// Whether the text may name a house or a crossing at all.
    var isWorthwhile: Bool { AddressSearch.isWorthwhile(words) || CrossingSearch.isWorthwhile(question.text) }

    func hits() throws -> [FindHit] {
        try houses() + crossings()
    }

    private func houses() throws -> [FindHit] {
        guard AddressSearch.isWorthwhile(words) else { return [] }
        let search = AddressSearch(words, in: sources.addresses, sources.gazetteer)
        let found = try search.addresses(
            sources.view, bias: question.near, limit: question.limit, checkpoint: { try checkpoint(0) })
        return found.isEmpty ? try misspelled(search) : found.map { hit($0) }
    }

    private func hit(_ found: AddressSearch.Found, less points: Float = 0, changes: Int = 0) -> FindHit {
        let nearness = ranking.nearness(of: found.address.position)
        let less = points + (found.isExact && found.units == 0 ? 0 : 1) + FindRanking.perChange * Float(changes)
        return FindHit(
            thing: .address(found.address), points: FindRanking.address + nearness - less, nearness: nearness,
            changes: changes)
    }

    // MARK: streets with typing mistakes, or not typed to their end

    /// Addresses in the streets that are nearly called so, the longest names first.
    private func misspelled(_ search: AddressSearch) throws -> [FindHit] {
        let numbers = Dictionary(grouping: search.spans) { $0.street }.mapValues { $0.map(\.number) }
        let longest = numbers.sorted { ($0.key.count, $1.key.lowerBound) > ($1.key.count, $0.key.lowerBound) }
        for isMistyped in [false, true] {
            for (street, numbers) in longest {
                let hits = try streets(words.text(street), isMistyped).flatMap { name, changes in
                    let name = FoldedText(name).bytes
                    return try search.addresses(
                        as: numbers.flatMap { search.readings(of: name, street, $0) }, sources.view,
                        bias: question.near, limit: question.limit, checkpoint: { try checkpoint(0) }
                    ).map { hit($0, less: isMistyped ? 0 : FindRanking.beginningOfStreet, changes: changes) }
                }
                if !hits.isEmpty { return hits }
            }
        }
        return []
    }

    /// The names of streets that words begin, or mistype; the best first.
    private func streets(_ text: ArraySlice<UInt8>, _ isMistyped: Bool) throws -> [(name: String, changes: Int)] {
        guard text.count >= Self.fewestLetters, let query = NameQuery(folded: text, isTyping: !isMistyped) else {
            return []
        }
        let search = NamesSearch(query: query, sources: sources, ranking: ranking, subject: .street)
        var names: [(name: String, changes: Int)] = []
        for hit in try search.hits(mistyped: isMistyped, checkpoint: checkpoint).sorted(by: { $0.points > $1.points }) {
            guard names.count < Self.maximumStreets else { break }
            guard let name = try street(hit.thing), !names.contains(where: { $0.name == name }) else { continue }
            names.append((name, hit.changes))
        }
        return names
    }

    private func street(_ thing: FindHit.Thing) throws -> String? {
        switch thing {
        case .bundledPart(_, let address): return address.street
        case .partOfAddress(_, let source, let ordinal):
            let place = try PlaceReader.place(ordinal, in: sources.view.set.snapshots[source])
            return place.flatMap { Address(near: $0, nil)?.street }
        default: return nil
        }
    }

    // MARK: crossings

    private func crossings() throws -> [FindHit] {
        guard CrossingSearch.isWorthwhile(question.text) else { return [] }
        let search = CrossingSearch(question.text, in: sources.addresses, sources.gazetteer)
        return try search.crossings(sources.view) { try checkpoint(0) }.map { crossing in
            let nearness = ranking.nearness(of: crossing.position)
            return FindHit(thing: .crossing(crossing), points: FindRanking.address + nearness, nearness: nearness)
        }
    }
}
