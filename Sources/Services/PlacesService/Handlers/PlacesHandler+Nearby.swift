import PlaceContracts
import EventLoops
import Geo
import RPC
import Wire

extension PlacesHandler {
    func nearby(_ request: NearbyRequest, _ context: CallContext) async throws -> Packed<NearbyResponse> {
        let question = try NearbyQuestion(request, limits)
        let mask = FieldMask(request.fields)
        let byName = !question.criteria.name.words.isEmpty
        return try await search(context, byName: byName) { [verifier] view, scratch, checkpoint in
            let start = request.explain ? MonotonicTime.now : nil
            let found = try NearbySearch(question: question, view: view, scratch: scratch).find(checkpoint: checkpoint)
            if found.emptiness != nil, let hint = CategoryHint(question.criteria, view) { throw PlacesError(hint) }
            verifier?.note(.nearby(question), view, found.emptiness == nil ? scratch.hits : [])
            let answer = PlacesAnswer(set: view.set, mask: mask)
            var rest = NearbyResponse()
            rest.explanation = start.map { SearchExplanation(found, view, since: $0, context) }
            rest.count = found.count.map { UInt64(clamping: $0) }
            guard found.emptiness == nil else { return try answer.empty(found, &rest) }
            let searched = request.explain ? MonotonicTime.now : nil
            var (bytes, given) = try answer.places(scratch)
            if let searched { rest.explanation?.add(encoded: given, since: searched) }
            rest.truncated = found.isTruncated || given < scratch.hits.count
            if rest.truncated {
                let cursor = try view.set.cursor(after: scratch.hits[given - 1])
                rest.nextPageToken = question.token(after: cursor)
            }
            if rest != NearbyResponse() { bytes.append(contentsOf: rest.packedBytes()) }
            return Packed(bytes: bytes)
        }
    }

    func within(_ request: WithinRequest, _ context: CallContext) async throws -> Packed<WithinResponse> {
        let question = try WithinQuestion(request, limits)
        let mask = FieldMask(request.fields)
        let byName = !question.criteria.name.words.isEmpty
        return try await search(context, byName: byName) { [verifier] view, scratch, checkpoint in
            let start = request.explain ? MonotonicTime.now : nil
            let found = try WithinSearch(question: question, view: view, scratch: scratch).find(checkpoint: checkpoint)
            if scratch.hits.isEmpty, let hint = CategoryHint(question.criteria, view) { throw PlacesError(hint) }
            verifier?.note(.within(question), view, scratch.hits)
            let answer = PlacesAnswer(set: view.set, mask: mask, hasDistances: question.nearestTo != nil)
            var rest = WithinResponse()
            rest.explanation = start.map { SearchExplanation(found, view, since: $0, context) }
            rest.count = found.count.map { UInt64(clamping: $0) }
            let searched = request.explain ? MonotonicTime.now : nil
            var (bytes, given) = try answer.places(scratch)
            if let searched { rest.explanation?.add(encoded: given, since: searched) }
            rest.truncated = found.isTruncated || given < scratch.hits.count
            if rest.truncated, given > 0 {
                let cursor = try view.set.cursor(after: scratch.hits[given - 1])
                rest.nextPageToken = question.token(after: cursor)
            }
            if rest != WithinResponse() { bytes.append(contentsOf: rest.packedBytes()) }
            return Packed(bytes: bytes)
        }
    }
}

extension PlacesAnswer {
    fileprivate func empty(
        _ found: PlacesFound, _ rest: inout NearbyResponse
    ) throws -> Packed<NearbyResponse> {
        rest.emptyReason = found.emptiness.map { EmptyReason($0.reason) } ?? .unspecified
        rest.nearest = try found.emptiness?.nearest.map { try place($0) }
        return Packed(rest)
    }
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
