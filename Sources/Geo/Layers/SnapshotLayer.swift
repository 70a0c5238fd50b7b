/// A snapshot, and which of its places no longer count because a newer layer has them or they were removed.
package struct SnapshotLayer: Sendable {
    package let snapshot: Snapshot
    /// Nil: all places count.
    package internal(set) var superseded: PlaceMarks?

    package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// How many places count.
    package var count: Int { snapshot.count - (superseded?.count ?? 0) }

    /// Whether a place of the snapshot counts.
    package func holds(_ ordinal: UInt32) -> Bool { superseded?.contains(ordinal) != true }

    /// The ordinal of the place with this id, if it counts.
    func ordinal(ofID id: [UInt8]) throws(GeoError) -> UInt32? {
        guard let ordinal = try snapshot.ordinal(ofID: id) else { return nil }
        return superseded?.contains(ordinal) == true ? nil : ordinal
    }

    /// The layer with those places alone that count and have one of these ids.
    func limited(to ids: Set<[UInt8]>) throws(GeoError) -> SnapshotLayer {
        var shown: [UInt32] = []
        if ids.count < snapshot.count {
            for id in ids {
                if let ordinal = try ordinal(ofID: id) { shown.append(ordinal) }
            }
        } else {
            for ordinal in 0..<UInt32(snapshot.count) where holds(ordinal) {
                if ids.contains(try unsafe Array(snapshot.place(ordinal).id)) { shown.append(ordinal) }
            }
        }
        if shown.count == count { return self }
        var layer = self
        layer.superseded = PlaceMarks(allBut: shown, of: snapshot.count)
        return layer
    }

    /// Marks the place with this id as superseded, if it counts.
    mutating func supersede(_ id: [UInt8]) throws(GeoError) {
        guard let ordinal = try ordinal(ofID: id) else { return }
        var marks = superseded ?? PlaceMarks()
        superseded = nil
        marks.insert(ordinal)
        superseded = marks
    }
}

/// A set of ordinals, stored as bits in pieces: a changed copy shares all pieces but the changed one, so that each
/// change of a large snapshot may have its own set.
package struct PlaceMarks: Sendable {
    private static let pieceWords = 512
    private static let piecePlaces = pieceWords * 64
    /// Empty where nothing is marked.
    private var pieces: [[UInt64]] = []
    /// How many are marked.
    package private(set) var count = 0

    init() {}

    /// Marks all of so many places but these.
    init(allBut ordinals: [UInt32], of count: Int) {
        guard count > 0 else { return }
        let full = [UInt64](repeating: .max, count: Self.pieceWords)
        pieces = [[UInt64]](repeating: full, count: (count + Self.piecePlaces - 1) / Self.piecePlaces)
        self.count = count
        for ordinal in ordinals { remove(ordinal) }
        // No place is there.
        for ordinal in count..<(pieces.count * Self.piecePlaces) {
            let (piece, word, bit) = Self.position(UInt32(ordinal))
            pieces[piece][word] &= ~bit
        }
    }

    /// Unmarks a place.
    private mutating func remove(_ ordinal: UInt32) {
        let (piece, word, bit) = Self.position(ordinal)
        if pieces[piece][word] & bit != 0 { count -= 1 }
        pieces[piece][word] &= ~bit
    }

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
