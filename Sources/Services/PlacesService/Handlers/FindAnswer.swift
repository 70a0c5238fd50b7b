import Bytes
import PlaceContracts
import Geo
import Requests
import Texts

/// Makes the results of a search box's text.
struct FindAnswer {
    /// Metres around a point in numbers, and around the things that have no size here.
    private static let pointMetres = 500.0
    private static let placeMetres = 150.0
    private static let streetMetres = 400.0
    private static let postcodeMetres = 1_500.0
    private static let streets = [LineCategory.street, LineCategory.road]

    let question: FindQuestion
    let sources: FindSources
    let scratches: ScratchPool
    let checkpoint: (Int) throws -> Void

    /// Best first. What is a position is nothing else.
    func results() throws -> [FindResult] {
        let written = WrittenPosition(question.text)
        // A point has no hours.
        if case .points(let marks) = written {
            return question.open == nil ? marks.prefix(question.limit).map(point) : []
        }
        if let position = try written.flatMap(position) { return question.open == nil ? [point(position)] : [] }
        let search = FindSearch(
            question: (written.map(question(of:)) ?? question).spelled(by: sources.kinds), sources: sources,
            scratches: scratches, checkpoint: checkpoint)
        let (hits, isIncomplete) = try search.hits()
        var taken = DistinctResults(limit: question.limit)
        for hit in hits where !taken.isFull {
            try checkpoint(0)
            if let result = try result(hit) { taken.add(result) }
        }
        if taken.results.isEmpty, isIncomplete { throw PlacesError.addressesNotRead }
        return taken.results.map { finished($0) }
    }

    /// A link that looks for something asks for that, where it says.
    private func question(of written: WrittenPosition) -> FindQuestion {
        guard case .search(let words, let near) = written else { return question }
        return question.with(words, near: near ?? question.near)
    }

    /// A short plus code is near what stands behind it, else near the point of the question.
    private func position(_ written: WrittenPosition) throws -> Geo.Coordinate? {
        switch written {
        case .point(let position): return position
        case .search, .points: return nil
        case .shortCode(let code, let place):
            if place.isEmpty { return question.near.flatMap { code.point(near: $0) } }
            let search = FindSearch(
                question: FindQuestion(place, near: question.near, limit: question.limit), sources: sources,
                scratches: scratches, checkpoint: checkpoint)
            let best = try search.hits().hits.first
            return best.flatMap { sources.position(of: $0.thing) }.flatMap { code.point(near: $0) }
        }
    }

    private func point(_ position: Geo.Coordinate) -> FindResult {
        finished(
            FindResult(
                kind: .coordinates, name: Self.text(position), context: context([], city: "", at: position),
                position: BaseContracts.Coordinate(position),
                box: BaseContracts.Box(.around(position, metres: Self.pointMetres))))
    }

    /// "60.1699, 24.9384": degrees without zeros at the end.
    private static func text(_ position: Geo.Coordinate) -> String { "\(position.latitude), \(position.longitude)" }

    /// A hit as a result, but for what only results need that are given; nil for what can't be read.
    private func result(_ hit: FindHit) throws -> FindResult? {
        var result: FindResult?
        if let open = question.open { return try place(hit).flatMap { openPlace($0, open, hit) } }
        switch hit.thing {
        case .record(let index, let record): result = self.record(index, record)
        case .address(let address):
            let country = whereabouts(of: address.position)?.countryCode ?? ""
            let context = context([address.postcodeAndCity], city: address.city, at: address.position)
            result = FindResult(kind: .address, name: address.name(in: country), context: context)
            result?.take(address, metres: Self.placeMetres)
        case .bundledPart(let subject, let address): result = part(subject, of: address)
        case .crossing(let crossing): result = self.crossing(crossing)
        case .partOfAddress(let subject, let source, let ordinal):
            result = try place(source, ordinal).flatMap { Address(near: $0, facts(source)) }.map {
                part(subject, of: $0)
            }
        case .place(let source, let ordinal): result = try place(source, ordinal).map { self.result($0, facts(source)) }
        }
        result?.changedLetters = UInt32(clamping: hit.changes)
        return result
    }

    /// The place that a hit is; nil for anything else.
    private func place(_ hit: FindHit) throws -> (place: Place, facts: DatasetFacts?)? {
        guard case .place(let source, let ordinal) = hit.thing else { return nil }
        return try place(source, ordinal).map { ($0, facts(source)) }
    }

    /// Nil when it is not open then, or not closed, as is asked for.
    private func openPlace(
        _ found: (place: Place, facts: DatasetFacts?), _ open: OpenCondition, _ hit: FindHit
    ) -> FindResult? {
        guard open.isWanted(open.state(of: found.place)) else { return nil }
        var result = self.result(found.place, found.facts)
        result.changedLetters = UInt32(clamping: hit.changes)
        result.hours = HoursAnswer(seconds: open.seconds, tables: open.tables, hasDays: false).hours(of: found.place)
        return result
    }

    private func record(_ index: UInt32, _ record: GazetteerRecord) -> FindResult? {
        guard let gazetteer = sources.gazetteer else { return nil }
        let match = GeocodeMatch(
            GazetteerSearch.Match(index: index, record: record, changes: 0, score: 0), in: gazetteer)
        let kind: FindKind =
            switch record.kind {
            case .country: .country
            case .region: .region
            case .town: .town
            }
        let outer = record.kind == .country ? [] : [match.region, match.country]
        let result = FindResult(
            kind: kind, name: match.name, context: Self.joined(outer), position: match.position, box: match.box,
            placeId: match.placeId, attribution: match.attribution, licence: match.licence)
        return result.with(sources.area(of: result, countryCode: match.countryCode))
    }

    private func crossing(_ crossing: StreetCrossing) -> FindResult {
        let city = crossing.first.city
        var result = FindResult(
            kind: .intersection, name: crossing.name, context: context([city], city: city, at: crossing.position))
        var there = crossing.first
        there.position = crossing.position
        result.take(there, metres: Self.placeMetres)
        return result
    }

    /// The street of an address, or its postcode.
    private func part(_ subject: NameSubject, of address: Address) -> FindResult {
        let isStreet = subject == .street
        var result = FindResult(
            kind: isStreet ? .street : .postcode, name: isStreet ? address.street : address.postcode,
            context: context([address.city], city: address.city, at: address.position))
        result.take(address, metres: isStreet ? Self.streetMetres : Self.postcodeMetres)
        return result
    }

    private func result(_ place: Place, _ facts: DatasetFacts?) -> FindResult {
        var result = FindResult(
            kind: .place, name: place.name, position: place.position, placeId: place.id, categories: place.categories,
            attribution: facts?.attribution ?? "", licence: facts?.licence ?? "")
        if let point = place.position, let position = try? Geo.Coordinate(point, field: "position") {
            let line = LineBox.edges(of: place)
            if line != nil, Self.streets.contains(where: place.categories.contains) { result.kind = .street }
            result.box = BaseContracts.Box(line ?? .around(position, metres: Self.placeMetres))
            let address = Address(near: place, facts)
            let house = address.map { $0.street.isEmpty || $0.number.isEmpty ? $0.street : $0.name } ?? ""
            let city = address?.city ?? ""
            result.context = context([house, city], city: city, besides: place.name, at: position)
        }
        return result.with(sources.area(of: result, countryCode: ""))
    }

    private func place(_ source: Int, _ ordinal: UInt32) throws -> Place? {
        try PlaceReader.place(ordinal, in: sources.view.set.snapshots[source])
    }

    private func facts(_ source: Int) -> DatasetFacts? {
        sources.view.origins[source].dataset.flatMap { sources.view.dataset($0)?.facts }
    }

    /// With its distance.
    private func finished(_ result: FindResult) -> FindResult {
        var result = result
        if let near = question.near, let point = result.position {
            result.distanceM = (try? Geo.Coordinate(point, field: "position")).map { near.metres(to: $0) }
        }
        return result
    }

    /// What people say of where something is, with the country, and the nearest town where no city is known.
    private func context(
        _ parts: [String], city: String, besides name: String = "", at position: Geo.Coordinate
    ) -> String {
        guard let place = whereabouts(of: position), let town = place.inside.municipality?.name ?? place.town?.name
        else { return Self.joined(parts) }
        let isNew = city.isEmpty && town != name
        return Self.joined(parts + [isNew ? town : "", place.country])
    }

    /// Where a position is; nil where no town is known.
    private func whereabouts(of position: Geo.Coordinate) -> Whereabouts? {
        scratches.withScratch { scratch in
            try? Whereabouts(of: position, in: sources.view, sources.areas, scratch, checkpoint: checkpoint)
        }
    }

    private static func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: ", ") }
}

extension FindResult {
    fileprivate mutating func take(_ address: Address, metres: Double) {
        position = BaseContracts.Coordinate(address.position)
        box = BaseContracts.Box(.around(address.position, metres: metres))
        (attribution, licence) = (address.attribution, address.licence)
    }
}
