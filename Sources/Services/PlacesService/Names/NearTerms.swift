import Synchronization

/// What mistyped words of one text may be, in each index: the readings of a text ask for the same words.
final class NearTerms: Sendable {
    private struct Key: Hashable {
        let index: ObjectIdentifier
        let word: [UInt8]
        let isBeginning: Bool
    }

    private struct Known {
        /// Kept, so that no other one gets its identity.
        let index: NameIndex
        let runs: [SpellingWalk.Run]
    }

    private let known = Mutex<[Key: Known]>([:])

    /// What was found before, else what `look` finds.
    func runs(
        of piece: NameQuery.Piece, in index: NameIndex, look: () throws -> [SpellingWalk.Run]
    ) rethrows -> [SpellingWalk.Run] {
        let key = Key(index: ObjectIdentifier(index), word: piece.text, isBeginning: piece.isBeginning)
        if let known = known.withLock({ $0[key] }) { return known.runs }
        let runs = try look()
        known.withLock { $0[key] = Known(index: index, runs: runs) }
        return runs
    }
}
