/// Finds rows with the same id while a snapshot is built: open addressing over row numbers, grown by doubling.
/// The hash of each row's id is kept, so that most comparisons touch no id bytes.
struct IDLookup {
    private var slots: [UInt32]
    private let hashes: [UInt64]

    /// Room for as many ids as there are hashes.
    init(hashes: [UInt64]) {
        self.hashes = hashes
        slots = Array(repeating: 0, count: SnapshotLayout.slots(of: hashes.count))
    }

    /// Enters a row and gives the earlier row with the same id, which it replaces.
    mutating func enter(_ row: Int, isSame: (Int) -> Bool) -> Int? {
        var slot = SnapshotLayout.slot(of: hashes[row], among: slots.count)
        while slots[slot] != 0 {
            let other = Int(slots[slot]) - 1
            if hashes[other] == hashes[row], isSame(other) {
                slots[slot] = UInt32(row + 1)
                return other
            }
            slot = slot + 1 == slots.count ? 0 : slot + 1
        }
        slots[slot] = UInt32(row + 1)
        return nil
    }
}
