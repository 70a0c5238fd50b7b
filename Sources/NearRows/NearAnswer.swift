package import Contracts
package import EventLoops
package import RPC
package import Wire

/// The field of a message that has a distance in metres: a double, whose tag is one byte.
package struct DistanceField: Sendable {
    private let tag: UInt8
    /// Whether 0 is left out, as in a field without presence.
    private let omitsZero: Bool

    /// - Parameter number: below 16.
    package init(_ number: UInt8, omitsZero: Bool = false) {
        tag = number << 3 | 1
        self.omitsZero = omitsZero
    }

    func byteCount(_ metres: Double) -> Int { omitsZero && metres == 0 ? 0 : 9 }

    func append(_ metres: Double, to bytes: inout [UInt8]) {
        if omitsZero, metres == 0 { return }
        bytes.append(tag)
        bytes.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: metres.bitPattern >> ($0 * 8)) })
    }
}

extension NearSearch.Found {
    private static let rows = BytesField(1)

    /// Packs a response: field 1 has the rows, each with its distance behind its other fields; what follows is packed
    /// from `rest`.
    package func packed<Response: WireMessage>(
        _ distance: DistanceField, explains: Bool, since start: MonotonicTime, _ context: CallContext,
        rest: (_ isTruncated: Bool, _ explanation: SearchExplanation?) -> Response
    ) -> Packed<Response> {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(answer.hits.reduce(64) { $0 + $1.row.message.count + 16 })
        for hit in answer.hits {
            Self.rows.appendHead(hit.row.message.count + distance.byteCount(hit.metres), to: &bytes)
            bytes.append(contentsOf: hit.row.message)
            distance.append(hit.metres, to: &bytes)
        }
        let explanation = explains ? explanation(since: start, context) : nil
        if answer.isTruncated || explains {
            bytes.append(contentsOf: rest(answer.isTruncated, explanation).packedBytes())
        }
        return Packed(bytes: bytes)
    }

    /// The rows are gathered after the search.
    private func explanation(since start: MonotonicTime, _ context: CallContext) -> SearchExplanation {
        SearchExplanation(
            indexCount: UInt32(clamping: indexCount), visitedCount: UInt64(clamping: visited),
            testedCount: UInt64(clamping: tested), duration: DurationMessage(searched.since(start)),
            queued: DurationMessage(start.since(context.start)),
            encoding: DurationMessage(MonotonicTime.now.since(searched)),
            foundCount: UInt32(clamping: answer.hits.count))
    }
}
