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
