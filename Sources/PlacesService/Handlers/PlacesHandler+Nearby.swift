import Contracts
import Geo
import RPC
import Wire

extension PlacesHandler {
    func nearby(_ request: NearbyRequest, _ context: CallContext) async throws -> Packed<NearbyResponse> {
        let question = try NearbyQuestion(request, limits)
        let mask = try FieldMask(request.fields)
        return try await search(context, byName: !question.name.words.isEmpty) { view, scratch, checkpoint in
            let finding = try NearbySearch(question: question, view: view, scratch: scratch).find(
                checkpoint: checkpoint)
            let answer = NearbyAnswer(set: view.set, mask: mask)
            return finding.emptiness == nil
                ? try answer.full(finding, scratch.hits, question) : try answer.empty(finding)
        }
    }
}

extension NearbyAnswer {
    func full(
        _ finding: NearbySearch.Finding, _ hits: [Hit], _ question: NearbyQuestion
    ) throws -> Packed<NearbyResponse> {
        var (bytes, given) = try places(hits)
        var rest = NearbyResponse(truncated: finding.isTruncated || given < hits.count)
        rest.count = finding.count.map { UInt64(clamping: $0) }
        if rest.truncated {
            let cursor = try set.cursor(after: hits[given - 1])
            rest.nextPageToken = PageToken.text(after: cursor, fingerprint: question.fingerprint)
        }
        if rest != NearbyResponse() { bytes.append(contentsOf: rest.packedBytes()) }
        return Packed(bytes: bytes)
    }

    func empty(_ finding: NearbySearch.Finding) throws -> Packed<NearbyResponse> {
        var response = NearbyResponse()
        response.count = finding.count.map { UInt64(clamping: $0) }
        response.emptyReason = finding.emptiness.map { EmptyReason($0.reason) } ?? .unspecified
        response.nearest = try finding.emptiness?.nearest.map { try place($0) }
        return Packed(response)
    }
}

extension EmptyReason {
    init(_ reason: NearbySearch.Emptiness.Reason) {
        self =
            switch reason {
            case .noData: .noData
            case .filter: .filter
            case .radius: .radius
            case .lastPage: .lastPage
            }
    }
}
