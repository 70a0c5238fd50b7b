import Contracts
import RPC
import Wire

/// What a service returned for a branch of an exploration.
struct BranchPage: Sendable {
    /// Nearest first.
    var rows: AnswerRows
    /// Of places, when live networks are asked too: before what is the same was put together.
    var given: [[UInt8]] = []
    /// Whether there are more within the radius.
    var isTruncated: Bool
    /// Of places: of the next page.
    var nextToken = ""
    /// What the search did, if it was asked to tell.
    var explanation: SearchExplanation?

    /// Takes a packed answer apart: its rows stay packed.
    init(_ answer: [UInt8], of branch: ExploreBranch) throws(RPCError) {
        let (rows, rest) = AnswerRows.take(from: answer)
        (self.rows, isTruncated) = (rows, false)
        if rest.isEmpty { return }
        switch branch {
        case .places, .network:
            let parts = try NearbyParts(answer: rest)
            take(parts.places, parts.truncated, parts.explanation)
            nextToken = parts.nextPageToken
        case .pins:
            let parts = try PinsNearParts(answer: rest)
            take(parts.pins, parts.truncated, parts.explanation)
        case .photos:
            let parts = try PhotosNearParts(answer: rest)
            take(parts.photos, parts.truncated, parts.explanation)
        case .posts:
            let parts = try PostsNearParts(answer: rest)
            take(parts.posts, parts.truncated, parts.explanation)
        }
    }

    /// - Parameter others: rows that do not come first in the answer.
    private mutating func take(_ others: [[UInt8]], _ isTruncated: Bool, _ explanation: SearchExplanation?) {
        if !others.isEmpty { rows.append(AnswerRows(others)) }
        (self.isTruncated, self.explanation) = (isTruncated, explanation)
    }
}
