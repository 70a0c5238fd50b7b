extension Snapshot {
    /// The ordinal of the place with this id, or nil.
    package func ordinal(ofID id: [UInt8]) throws(GeoError) -> UInt32? {
        let slots = unsafe lookup.count / 4
        var slot = SnapshotLayout.slot(of: Checksum.of(id), among: slots)
        // At most one round: a damaged table may have no empty slot.
        for _ in 0..<slots {
            let entry = unsafe lookup.number(at: slot * 4, as: UInt32.self)
            guard entry > 0 else { return nil }
            guard entry <= count else { throw .corrupt(path: path, reason: "slot \(slot) names place \(entry - 1)") }
            if try unsafe place(entry - 1).id.elementsEqual(id) { return entry - 1 }
            slot = slot + 1 == slots ? 0 : slot + 1
        }
        return nil
    }

    /// Id and record of a place; the ordinal is known to be in range.
    @inline(__always)
    func place(_ ordinal: UInt32) throws(GeoError) -> (id: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer) {
        guard let span = records.span(Int(ordinal)), let place = unsafe records.place(at: span) else {
            throw damagedRecord(ordinal)
        }
        return unsafe place
    }

    func damagedRecord(_ ordinal: UInt32) -> GeoError {
        .corrupt(path: path, reason: "the record of place \(ordinal) is out of its bounds")
    }

    func offEarth(_ ordinal: UInt32) -> GeoError {
        .corrupt(path: path, reason: "place \(ordinal) is not on the Earth")
    }

    func unknownSet(of ordinal: UInt32) -> GeoError {
        .corrupt(path: path, reason: "place \(ordinal) has a category set that does not exist")
    }
}

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
