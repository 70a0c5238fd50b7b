import Geo
import PlaceContracts
import Texts

/// Finds what a text in a search box means. Plain synchronous code, for a thread that may block.
///
/// The whole text is looked for as a name, an address and a category; then what it names with an area. Typing mistakes
/// are looked for when hardly anything has the words as they are.
struct FindSearch {
    /// With so many things found the text has no mistake.
    private static let enough = 5
    /// Readings of a text as a thing in an area that are tried.
    private static let maximumReadings = 6
    private static let maximumAirports = 20
    private static let fewLetters = 3

    let question: FindQuestion
    let sources: FindSources
    let scratches: ScratchPool
    /// Called now and then with how much was tested; ends the search by throwing.
    let checkpoint: (Int) throws -> Void

    /// What was found, best first; and whether something may be missing, because it was not read yet.
    func hits() throws -> (hits: [FindHit], isIncomplete: Bool) {
        let words = question.words
        guard let query = NameQuery(folded: words.folded, isTyping: true, sources.addresses.words) else {
            return ([], false)
        }
        let ranking = FindRanking(near: question.near ?? question.area?.centre)
        let names = NamesSearch(query: query, sources: sources, ranking: ranking, area: ownArea)
        let addresses = AddressHits(question: question, sources: sources, ranking: ranking, checkpoint: checkpoint)
        let written = gazetteerHits(words, ranking, mistyped: false)
        var hits = try written + addresses.hits()
        hits += try names.hits(checkpoint: checkpoint).map { try weighed($0, words.folded) }
        // What follows "nearest" is looked for by itself too.
        let asked = QueryWords(folded: sources.kinds.withoutNear(words.folded))
        let isAsked = asked.folded != words.folded
        if isAsked { hits += try self.hits(named: asked.folded[...], ranking, isTyping: true) }
        hits += try CategorySearch(
            search: self, words: asked.folded, ranking: ranking, area: ownArea, isAsked: isAsked
        ).hits()
        hits += try otherHits(OtherReadings(words: words), ranking)
        if let stop = StopReading(asked, sources.kinds) { hits += try stopHits(stop, ranking) }
        // Where nothing says that a part of the text is an area, it is none if the whole is a name.
        let isName = hits.contains(where: \.isComplete)
        let readings = AreaWords.readings(of: asked).prefix(Self.maximumReadings).filter { $0.isStated || !isName }
        for reading in readings { hits += try self.hits(of: reading, in: asked) }
        if written.isEmpty, !hits.contains(where: \.isComplete) { hits += gazetteerHits(words, ranking) }
        let isKind = sources.kinds.kinds(of: asked.folded).isWhole
        if isKind { hits.removeAll { !$0.isBesideKind } }
        let isIncomplete = names.isIncomplete || addresses.isWorthwhile && !sources.addresses.isReady(sources.view)
        // What is still being read may have the very words.
        if hits.count < Self.enough, !hits.contains(where: \.isComplete), !isIncomplete, !isKind {
            hits += try names.hits(mistyped: true, checkpoint: checkpoint)
            if hits.isEmpty { hits = try readings.flatMap { try self.hits(of: $0, in: asked, mistyped: true) } }
        }
        if let area = question.area {
            hits.removeAll { hit in sources.position(of: hit.thing).map { !area.contains($0) } ?? true }
        }
        return (hits.ranked(isShort: words.folded.count <= Self.fewLetters), isIncomplete)
    }

    /// The area of the question; nil for anywhere.
    private var ownArea: FindArea? {
        guard let area = question.area, let centre = question.near ?? area.centre else { return nil }
        return .shape(area, centre: centre)
    }

    /// A place nearby that is called just so but for the word for what it is, as "Robert's Coffee" is for "roberts", is
    /// rather meant than what is far away.
    private func weighed(_ hit: FindHit, _ folded: [UInt8]) throws -> FindHit {
        guard hit.isComplete, !hit.isWhole, hit.changes == 0, FindRanking.isNear(hit.nearness),
            case .place(let source, let ordinal) = hit.thing,
            let place = try PlaceReader.place(ordinal, in: sources.view.set.snapshots[source])
        else { return hit }
        var words = FoldedText(place.name).bytes.split(separator: UInt8(ascii: " "))[...]
        func isKind(_ word: ArraySlice<UInt8>?) -> Bool { word.map { sources.kinds.kinds(of: $0).isWhole } ?? false }
        while isKind(words.last) { words.removeLast() }
        while isKind(words.first) { words.removeFirst() }
        let name = words.joined()
        guard name.filter(Self.isOfWord).elementsEqual(folded.filter(Self.isOfWord)) else { return hit }
        var hit = hit
        // A mark that one leaves out is no other spelling.
        hit.points += FindRanking.besidesKind + (name.elementsEqual(folded) ? 0 : FindRanking.respelled)
        return hit
    }

    /// Whether it is no mark and no blank.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || AddressKey.isDigit(byte)
    }

    /// Postcodes with their country, and airports that are called so.
    private func otherHits(_ readings: OtherReadings, _ ranking: FindRanking) throws -> [FindHit] {
        var hits: [FindHit] = []
        if let postcode = readings.postcode {
            hits += try self.hits(named: postcode[...], ranking, isTyping: true, of: .postcode)
        }
        if let airport = readings.airport {
            let named = try self.hits(named: airport[...], ranking, isTyping: false)
            hits += named.sorted { $0.points > $1.points }.prefix(Self.maximumAirports).filter(isAirport)
        }
        return hits
    }

    /// Stops and stations of a line, before what only has the same words.
    private func stopHits(_ reading: StopReading, _ ranking: FindRanking) throws -> [FindHit] {
        try hits(named: reading.line[...], ranking, isTyping: false).map { hit in
            var hit = hit
            hit.points += FindRanking.category
            return hit
        }
    }

    private func isAirport(_ hit: FindHit) -> Bool {
        guard case .place(let source, let ordinal) = hit.thing,
            let place = try? PlaceReader.place(ordinal, in: sources.view.set.snapshots[source])
        else { return false }
        return AirportName.isAirport(place)
    }

    private func hits(
        named text: ArraySlice<UInt8>, _ ranking: FindRanking, isTyping: Bool, area: FindArea? = nil,
        of subject: NameSubject? = nil, mistyped: Bool = false
    ) throws -> [FindHit] {
        guard let query = NameQuery(folded: text, isTyping: isTyping, sources.addresses.words) else { return [] }
        let names = NamesSearch(query: query, sources: sources, ranking: ranking, area: area, subject: subject)
        return try names.hits(mistyped: mistyped, checkpoint: checkpoint)
    }

    /// What the whole text names, with what it lies in: "Paris, Texas".
    private func gazetteerHits(_ words: QueryWords, _ ranking: FindRanking, mistyped: Bool = true) -> [FindHit] {
        guard let gazetteer = sources.gazetteer else { return [] }
        let question = GeocodeQuestion(words: words, limit: question.limit)
        return GazetteerSearch(gazetteer: gazetteer, question: question).matches(mistyped: mistyped).map { match in
            let points =
                Float(match.score) + WholeName.ofRecord.points(isMain: match.quality == .main)
                - FindRanking.perChange * Float(match.changes)
            let nearness = ranking.nearness(of: match.record.position)
            return FindHit(
                thing: .record(match.index, match.record), points: points + nearness, nearness: nearness,
                changes: match.changes)
        }
    }

    /// What a text names in an area; by that name also just beyond its border, where nothing in it has the name.
    private func hits(of reading: AreaReading, in words: QueryWords, mistyped: Bool = false) throws -> [FindHit] {
        let name = words.text(reading.name)
        guard let (area, surroundings) = try area(reading, in: words) else { return [] }
        let ranking = FindRanking(near: area.centre)
        var hits = try hits(named: name, ranking, isTyping: false, area: area, mistyped: mistyped)
        if !mistyped { hits += try CategorySearch(search: self, words: name, ranking: ranking, area: area).hits() }
        if hits.isEmpty, let surroundings {
            hits = try self.hits(named: name, ranking, isTyping: false, area: surroundings, mistyped: mistyped)
        }
        return hits.map {
            // How near it is to the middle of that area says nothing of where the map is.
            FindHit(
                thing: $0.thing, points: $0.points + FindRanking.inArea, nearness: 0, changes: $0.changes,
                isComplete: $0.isComplete, isWhole: $0.isWhole)
        }
    }

    /// Where the words of an area are: what the gazetteer has by that name, or a place. That it is near counts twice:
    /// one looks for something there. Where its border is known also what lies just beyond.
    private func area(
        _ reading: AreaReading, in words: QueryWords
    ) throws -> (area: FindArea, surroundings: FindArea?)? {
        let text = words.text(reading.area)
        let near = FindRanking(near: question.near)
        var hits = gazetteerHits(QueryWords(folded: Array(text)), near, mistyped: false)
        if reading.isStated { hits += try self.hits(named: text, near, isTyping: true) }
        guard let best = hits.max(by: { $0.points + $0.nearness < $1.points + $1.nearness }) else { return nil }
        guard let position = sources.position(of: best.thing) else { return nil }
        if let border = sources.area(named: text, around: position)?.filter {
            return (.shape(border, centre: position), .beyond(border, centre: position))
        }
        if case .record(let index, let record) = best.thing, let gazetteer = sources.gazetteer {
            return (FindArea(record, index, in: gazetteer), nil)
        }
        return (.around(position), nil)
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
