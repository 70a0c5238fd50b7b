package import BaseContracts
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

    fileprivate func byteCount(_ metres: Double) -> Int { omitsZero && metres == 0 ? 0 : 9 }

    fileprivate func append(_ metres: Double, to bytes: inout [UInt8]) {
        if omitsZero, metres == 0 { return }
        bytes.append(tag)
        unsafe withUnsafeBytes(of: metres.bitPattern.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}

/// Rows as field 1 of a response, each with its distance behind its other fields.
struct PackedRows: Sendable, Equatable {
    private static let field = BytesField(1)

    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    init() {}

    init(_ hits: [NearHits.Hit], _ distance: DistanceField) {
        reserve(hits.reduce(0) { $0 + $1.row.message.count }, rows: hits.count)
        for hit in hits {
            unsafe hit.row.message.withUnsafeBufferPointer { unsafe append($0, distance, hit.metres) }
        }
    }

    /// Makes room for messages that are so long together.
    mutating func reserve(_ byteCount: Int, rows: Int) { bytes.reserveCapacity(byteCount + rows * 16 + 64) }

    mutating func append(_ message: UnsafeBufferPointer<UInt8>, _ distance: DistanceField, _ metres: Double) {
        Self.field.appendHead(message.count + distance.byteCount(metres), to: &bytes)
        unsafe bytes.append(contentsOf: message)
        distance.append(metres, to: &bytes)
        count += 1
    }
}

extension NearSearch.Found {
    /// Packs a response: what follows the rows is packed from `rest`.
    package func packed<Response: WireMessage>(
        explains: Bool, since start: MonotonicTime, _ context: CallContext,
        rest: (_ isTruncated: Bool, _ explanation: SearchExplanation?) -> Response
    ) -> Packed<Response> {
        let explanation = explains ? explanation(since: start, context) : nil
        guard isTruncated || explains else { return Packed(bytes: rows.bytes) }
        return Packed(bytes: rows.bytes + rest(isTruncated, explanation).packedBytes())
    }

    /// The rows are gathered after the search.
    private func explanation(since start: MonotonicTime, _ context: CallContext) -> SearchExplanation {
        SearchExplanation(
            indexCount: UInt32(clamping: work.indexCount), visitedCount: UInt64(clamping: work.visited),
            testedCount: UInt64(clamping: work.tested), duration: DurationMessage(work.end.since(start)),
            queued: DurationMessage(start.since(context.start)),
            encoding: DurationMessage(MonotonicTime.now.since(work.end)),
            foundCount: UInt32(clamping: rows.count))
    }
}
