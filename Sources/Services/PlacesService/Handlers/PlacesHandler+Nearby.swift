import PlaceContracts
import EventLoops
import Geo
import RPC
import Wire

extension PlacesHandler {
    func nearby(_ request: NearbyRequest, _ context: CallContext) async throws -> Packed<NearbyResponse> {
        try await list(request, try NearbyQuestion(request, limits, now: now), context)
    }

    func within(_ request: WithinRequest, _ context: CallContext) async throws -> Packed<WithinResponse> {
        try await list(request, try WithinQuestion(request, limits, now: now), context)
    }

    private func list<Question: ListQuestion>(
        _ request: some ListRequest, _ question: Question, _ context: CallContext
    ) async throws -> Packed<Question.Answer> {
        let (mask, explains) = (FieldMask(request.fields), request.explain)
        let byRecord =
            !question.criteria.name.words.isEmpty || question.criteria.open != nil
            || !question.criteria.areaID.isEmpty
        let hours = await hours(mask, question.criteria.open)
        var question = question
        question.criteria.area = try await area(question.criteria.areaID, context)
        if let hours { question.criteria.open?.tables = hours.tables }
        // What people write as hours can take milliseconds for each place, and borders ten microseconds.
        let isLong = hours != nil || question.criteria.area != nil
        return try await search(context, byName: byRecord, isLong: isLong) {
            [verifier, question] view, scratch, checkpoint in
            let start = explains ? MonotonicTime.now : nil
            let found = try question.find(in: view, scratch, checkpoint)
            // Where it is said why there are none, the hits are another search's.
            let isEmpty = found.emptiness != nil || scratch.hits.isEmpty
            if isEmpty, let hint = CategoryHint(question.criteria, view) { throw PlacesError(hint) }
            verifier?.offer(question.forVerifier, view, isEmpty ? [] : scratch.hits)
            let answer = PlacesAnswer(set: view.set, mask: mask, hasDistances: question.hasDistances, hours: hours)
            var rest = Question.Answer()
            rest.explanation = start.map { SearchExplanation(found, view, since: $0, context) }
            rest.count = found.count.map { UInt64(clamping: $0) }
            rest.openCounts = found.openCounts
            if let emptiness = found.emptiness {
                try rest.say(emptiness, answer)
                return Packed(rest)
            }
            let searched = explains ? MonotonicTime.now : nil
            var (bytes, given) = try answer.places(scratch, checkpoint)
            if let searched { rest.explanation?.add(encoded: given, since: searched) }
            rest.truncated = found.isTruncated || given < scratch.hits.count
            if rest.truncated, given > 0 {
                let cursor = try view.set.cursor(after: scratch.hits[given - 1])
                rest.nextPageToken = question.token(after: cursor)
            }
            if rest != Question.Answer() { bytes.append(contentsOf: rest.packedBytes()) }
            return Packed(bytes: bytes)
        }
    }

    /// What says the hours of the places in an answer; nil when they are not asked for.
    private func hours(_ mask: FieldMask, _ open: OpenCondition?) async -> HoursAnswer? {
        guard mask.hasHours || open != nil else { return nil }
        return HoursAnswer(
            seconds: open?.seconds ?? now, tables: await hours.tables, hasDays: mask.hasHours)
    }
}

/// A search for a list of places, already validated.
private protocol ListQuestion: Sendable {
    associatedtype Answer: ListAnswer
    var criteria: PlaceCriteria { get set }
    /// Whether places are given in order of their distance, and with it.
    var hasDistances: Bool { get }
    var forVerifier: Verifier.Question { get }
    func find(in view: CatalogView, _ scratch: SearchScratch, _ checkpoint: (Int) throws -> Void) throws -> PlacesFound
    func token(after cursor: SearchCursor) -> String
}

private protocol ListRequest {
    var fields: [String] { get }
    var explain: Bool { get }
}

/// What an answer says besides its places.
private protocol ListAnswer: WireMessage {
    var nextPageToken: String { get set }
    var truncated: Bool { get set }
    var count: UInt64? { get set }
    var openCounts: OpenCounts? { get set }
    var explanation: SearchExplanation? { get set }
    mutating func say(_ emptiness: PlacesFound.Emptiness, _ answer: PlacesAnswer) throws
}

extension NearbyRequest: ListRequest {}
extension WithinRequest: ListRequest {}

extension NearbyQuestion: ListQuestion {
    fileprivate typealias Answer = NearbyResponse
    fileprivate var hasDistances: Bool { true }
    fileprivate var forVerifier: Verifier.Question { .nearby(self) }

    fileprivate func find(
        in view: CatalogView, _ scratch: SearchScratch, _ checkpoint: (Int) throws -> Void
    ) throws -> PlacesFound {
        try NearbySearch(question: self, view: view, scratch: scratch).find(checkpoint: checkpoint)
    }
}

extension WithinQuestion: ListQuestion {
    fileprivate typealias Answer = WithinResponse
    fileprivate var hasDistances: Bool { nearestTo != nil }
    fileprivate var forVerifier: Verifier.Question { .within(self) }

    fileprivate func find(
        in view: CatalogView, _ scratch: SearchScratch, _ checkpoint: (Int) throws -> Void
    ) throws -> PlacesFound {
        try WithinSearch(question: self, view: view, scratch: scratch).find(checkpoint: checkpoint)
    }
}

extension NearbyResponse: ListAnswer {
    fileprivate mutating func say(_ emptiness: PlacesFound.Emptiness, _ answer: PlacesAnswer) throws {
        emptyReason = EmptyReason(emptiness.reason)
        nearest = try emptiness.nearest.map { try answer.place($0) }
    }
}

extension WithinResponse: ListAnswer {
    // An empty box needs no reason.
    fileprivate mutating func say(_ emptiness: PlacesFound.Emptiness, _ answer: PlacesAnswer) {}
}

extension SearchExplanation {
    fileprivate init(
        _ found: PlacesFound, _ view: CatalogView, since start: MonotonicTime, _ context: CallContext
    ) {
        // Where others have found places, more are looked at than the caller may know of.
        let outcome = view.hidesSome ? nil : found.outcome
        self.init(
            indexCount: UInt32(clamping: view.origins.count),
            visitedCount: UInt64(clamping: outcome?.visited ?? 0),
            testedCount: UInt64(clamping: outcome?.tested ?? 0),
            filteredCount: UInt64(clamping: outcome?.filtered ?? 0),
            duration: DurationMessage(MonotonicTime.now.since(start)),
            queued: DurationMessage(start.since(context.start)))
    }

    fileprivate mutating func add(encoded count: Int, since start: MonotonicTime) {
        encoding = DurationMessage(MonotonicTime.now.since(start))
        foundCount = UInt32(clamping: count)
    }
}

extension EmptyReason {
    fileprivate init(_ reason: PlacesFound.Emptiness.Reason) {
        self =
            switch reason {
            case .noData: .noData
            case .filter: .filter
            case .radius: .radius
            case .lastPage: .lastPage
            }
    }
}
