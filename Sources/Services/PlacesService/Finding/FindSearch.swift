import Geo

/// Finds what a text in a search box means. Plain synchronous code, for a thread that may block.
///
/// The whole text is looked for as a name, an address and a category; then what it names with an area. Typing mistakes
/// are looked for when hardly anything has the words as they are.
struct FindSearch {
    /// With so many things found the text has no mistake.
    private static let enough = 5
    /// Readings of a text as a thing in an area that are tried.
    private static let maximumReadings = 6

    let question: FindQuestion
    let sources: FindSources
    let scratches: ScratchPool
    /// Called now and then with how much was tested; ends the search by throwing.
    let checkpoint: (Int) throws -> Void

    /// What was found, best first; and whether something may be missing, because it was not read yet.
    func hits() throws -> (hits: [FindHit], isIncomplete: Bool) {
        let words = question.words
        guard let query = NameQuery(folded: words.folded, isTyping: true) else { return ([], false) }
        let ranking = FindRanking(near: question.near)
        let names = NamesSearch(query: query, sources: sources, ranking: ranking)
        let addresses = AddressHits(question: question, sources: sources, ranking: ranking, checkpoint: checkpoint)
        var hits = try gazetteerHits(ranking) + addresses.hits()
        hits += try names.hits(checkpoint: checkpoint)
        hits += try CategorySearch(search: self, words: words.folded, ranking: ranking, area: nil).hits()
        // Where nothing says that a part of the text is an area, it is none if the whole is a name.
        let isName = hits.contains(where: \.isComplete)
        for reading in AreaWords.readings(of: words).prefix(Self.maximumReadings) where reading.isStated || !isName {
            hits += try self.hits(of: reading)
        }
        let isIncomplete = names.isIncomplete || addresses.isWorthwhile && !sources.addresses.isReady(sources.view)
        // What is still being read may have the very words.
        if hits.count < Self.enough, !hits.contains(where: \.isComplete), !isIncomplete {
            hits += try names.hits(mistyped: true, checkpoint: checkpoint)
        }
        return (hits.ranked, isIncomplete)
    }

    /// What the whole text names, with what it lies in: "Paris, Texas".
    private func gazetteerHits(_ ranking: FindRanking) -> [FindHit] {
        guard let gazetteer = sources.gazetteer else { return [] }
        let question = GeocodeQuestion(words: question.words, limit: question.limit)
        return GazetteerSearch(gazetteer: gazetteer, question: question).matches().map { match in
            let points =
                Float(match.score) + WholeName.ofRecord.points(isMain: match.quality == .main)
                - FindRanking.perChange * Float(match.changes)
            let nearness = ranking.nearness(of: match.record.position)
            return FindHit(
                thing: .record(match.index, match.record), points: points + nearness, nearness: nearness,
                changes: match.changes)
        }
    }

    /// What a text names in an area.
    private func hits(of reading: AreaReading) throws -> [FindHit] {
        let words = question.words
        let name = words.text(reading.name)
        guard let area = try area(reading), let query = NameQuery(folded: name, isTyping: false) else { return [] }
        let ranking = FindRanking(near: area.centre)
        let names = NamesSearch(query: query, sources: sources, ranking: ranking, area: area)
        var hits = try names.hits(checkpoint: checkpoint)
        hits += try CategorySearch(search: self, words: name, ranking: ranking, area: area).hits()
        return hits.map {
            // How near it is to the middle of that area says nothing of where the map is.
            FindHit(
                thing: $0.thing, points: $0.points + FindRanking.inArea, nearness: 0, changes: $0.changes,
                isComplete: $0.isComplete, isWhole: $0.isWhole)
        }
    }

    /// Where the words of an area are: what the gazetteer has by that name, else a place.
    private func area(_ reading: AreaReading) throws -> FindArea? {
        let text = question.words.text(reading.area)
        let words = QueryWords(String(decoding: text, as: UTF8.self))
        let near = FindRanking(near: question.near)
        if let gazetteer = sources.gazetteer {
            let matches = GazetteerSearch(
                gazetteer: gazetteer, question: GeocodeQuestion(words: words, limit: question.limit)
            ).matches().filter { $0.changes == 0 }
            let best = matches.max {
                Float($0.score) + near.nearness(of: $0.record.position)
                    < Float($1.score) + near.nearness(of: $1.record.position)
            }
            if let best { return FindArea(best.record, best.index, in: gazetteer) }
        }
        guard reading.isStated, let query = NameQuery(folded: text, isTyping: true) else { return nil }
        let hits = try NamesSearch(query: query, sources: sources, ranking: near).hits(checkpoint: checkpoint)
        guard let best = hits.max(by: { $0.points < $1.points }) else { return nil }
        return sources.position(of: best.thing).map { .around($0) }
    }
}

extension FindSources {
    /// Where a thing is; nil when it can't be read.
    func position(of thing: FindHit.Thing) -> Geo.Coordinate? {
        switch thing {
        case .record(_, let record): record.position
        case .address(let address), .bundledPart(_, let address): address.position
        case .crossing(let crossing): crossing.position
        case .place(let source, let ordinal), .partOfAddress(_, let source, let ordinal):
            try? view.set.snapshots[source].coordinate(of: ordinal)
        }
    }
}

/// Finds the nearest places of the category that words name.
struct CategorySearch {
    let search: FindSearch
    /// Folded.
    let words: any Collection<UInt8>
    let ranking: FindRanking
    /// Only there; nil for around the point of the question.
    let area: FindArea?

    /// Nothing without a point to be near to.
    func hits() throws -> [FindHit] {
        guard let centre = ranking.near else { return [] }
        let view = search.sources.view
        let (paths, isWhole) = CategoryWords(words).paths(in: view)
        guard !paths.isEmpty else { return [] }
        let metres: Double? = if case .circle(_, let metres) = area { metres } else { nil }
        return try search.scratches.withScratch { scratch in
            let filter = try unsafe view.set.resolve(PlaceFilter(include: paths))
            let query = try NearbyQuery(
                centre: centre, radiusMetres: metres ?? .infinity, limit: search.question.limit * 2, filter: filter)
            _ = try view.set.nearby(query, using: scratch, checkpoint: search.checkpoint)
            return try scratch.hits.compactMap { hit in
                let position = try view.set.snapshots[Int(hit.source)].coordinate(of: hit.ordinal)
                guard area?.contains(position) ?? true else { return nil }
                let bonus = isWhole ? FindRanking.category : FindRanking.beginningOfCategory
                let nearness = ranking.nearness(of: position)
                return FindHit(
                    thing: .place(source: Int(hit.source), ordinal: hit.ordinal), points: bonus + nearness,
                    nearness: nearness, isComplete: isWhole, isWhole: isWhole)
            }
        }
    }
}
