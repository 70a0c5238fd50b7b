/// A set of ordinals, stored as bits in pieces: a changed copy shares all pieces but the changed one, so that each
/// change of a large snapshot may have its own set.
package struct PlaceMarks: Sendable {
    private static let pieceWords = 512
    private static let piecePlaces = pieceWords * 64
    /// Empty where nothing is marked.
    private var pieces: [[UInt64]] = []
    /// How many are marked.
    package private(set) var count = 0

    package init() {}

    /// Whether a place is marked.
    func contains(_ ordinal: UInt32) -> Bool {
        let (piece, word, bit) = Self.position(ordinal)
        guard piece < pieces.count, !pieces[piece].isEmpty else { return false }
        return pieces[piece][word] & bit != 0
    }

    /// Marks a place.
    mutating func insert(_ ordinal: UInt32) {
        let (piece, word, bit) = Self.position(ordinal)
        while piece >= pieces.count { pieces.append([]) }
        if pieces[piece].isEmpty { pieces[piece] = [UInt64](repeating: 0, count: Self.pieceWords) }
        if pieces[piece][word] & bit == 0 { count += 1 }
        pieces[piece][word] |= bit
    }

    /// Marks those places of a snapshot that have one of these ids.
    package mutating func insert(_ ids: some Sequence<[UInt8]>, of snapshot: Snapshot) throws(GeoError) {
        for id in ids {
            if let ordinal = try snapshot.ordinal(ofID: id) { insert(ordinal) }
        }
    }

    /// The same of many ids: it takes as many look-ups as there are ids or places, whichever are fewer.
    package init(_ ids: Set<[UInt8]>, of snapshot: Snapshot) throws(GeoError) {
        if ids.count <= snapshot.count {
            try insert(ids, of: snapshot)
            return
        }
        for ordinal in 0..<UInt32(snapshot.count) where ids.contains(try unsafe Array(snapshot.place(ordinal).id)) {
            insert(ordinal)
        }
    }

    /// The marks but for those that the others have too.
    func subtracting(_ others: PlaceMarks) -> PlaceMarks {
        var rest = self
        for piece in 0..<min(pieces.count, others.pieces.count) {
            for (word, (own, other)) in zip(pieces[piece], others.pieces[piece]).enumerated() where own & other != 0 {
                rest.pieces[piece][word] = own & ~other
                rest.count -= (own & other).nonzeroBitCount
            }
        }
        return rest
    }

    /// Calls `body` with each marked ordinal, ascending.
    func forEach<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
        for (piece, words) in pieces.enumerated() {
            for (word, bits) in words.enumerated() {
                var rest = bits
                while rest != 0 {
                    try body(piece * Self.piecePlaces + word * 64 + rest.trailingZeroBitCount)
                    rest &= rest - 1
                }
            }
        }
    }

    private static func position(_ ordinal: UInt32) -> (piece: Int, word: Int, bit: UInt64) {
        let ordinal = Int(ordinal)
        return (ordinal / piecePlaces, ordinal % piecePlaces / 64, 1 << UInt64(ordinal % 64))
    }
}
