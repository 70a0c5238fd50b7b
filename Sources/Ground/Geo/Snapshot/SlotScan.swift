internal import Scratch

/// Goes through the slots of a table of open addressing in their order, with rows sorted by their hashes: of the rows
/// that want a slot the one with the lowest ordinal gets it, and the others want the next. That is the table into which
/// the rows were entered in the order of their ordinals.
struct SlotScan {
    private let hashes: SortedRecords
    private let slots: Int
    private var next = 0
    /// Ordinals of rows without a slot: a heap, the lowest first.
    private var waiting: [UInt32] = []

    init(_ hashes: SortedRecords, _ slots: Int) {
        self.hashes = hashes
        self.slots = slots
    }

    /// The ordinal of the row in a slot and one more; 0 for none. The slots are asked for one after the other.
    mutating func next(_ slot: Int) -> UInt32 {
        while next < hashes.count, SnapshotLayout.slot(of: hashes.word(0, of: next), among: slots) == slot {
            insert(UInt32(truncatingIfNeeded: hashes.word(1, of: next)))
            next += 1
        }
        return removeLowest().map { $0 + 1 } ?? 0
    }

    /// Goes on with the first slot, and with the rows that have none yet.
    mutating func startAgain() { next = 0 }

    private mutating func insert(_ ordinal: UInt32) {
        waiting.append(ordinal)
        var index = waiting.count - 1
        while index > 0, waiting[(index - 1) / 2] > waiting[index] {
            waiting.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func removeLowest() -> UInt32? {
        guard let lowest = waiting.first, let last = waiting.popLast() else { return nil }
        if waiting.isEmpty { return lowest }
        waiting[0] = last
        var index = 0
        while true {
            var least = index
            for child in 2 * index + 1...2 * index + 2 where child < waiting.count && waiting[child] < waiting[least] {
                least = child
            }
            if least == index { return lowest }
            waiting.swapAt(index, least)
            index = least
        }
    }
}
