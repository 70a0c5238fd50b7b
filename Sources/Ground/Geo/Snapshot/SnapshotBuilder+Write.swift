/// What a build came to.
package struct BuildReport: Sendable {
    /// Places in the file.
    package let places: Int
    /// The numbers (0-based, in order of `add`) of rows that a later row with the same id replaced.
    package let replacedRows: [Int]
    /// The file's length.
    package let fileBytes: Int
}

extension SnapshotBuilder {
    /// Sorts the rows and writes them to `path` in one atomic step. Blocks; needs about 50 bytes of memory per row. On
    /// an error what was at `path` is untouched.
    package consuming func write(to path: String) throws(GeoError) -> BuildReport {
        var file = try SnapshotSectionWriter(path: path)
        return try write(to: &file)
    }

    /// The snapshot of the rows, in memory.
    package consuming func snapshot() throws(GeoError) -> Snapshot {
        var file = SnapshotSectionWriter(inMemory: ())
        _ = try write(to: &file)
        return try Snapshot(memory: file.memory)
    }

    private consuming func write(to file: inout SnapshotSectionWriter) throws(GeoError) -> BuildReport {
        try arena.seal()
        let hashes = idHashes()
        let (order, replaced) = sortedOrder(hashes)
        try writeTree(order, to: &file)
        try writeCategories(to: &file)
        try writePoints(order, to: &file)
        try writeStarts(order, to: &file)
        try writeLookup(order, hashes, to: &file)
        try writeRecords(order, to: &file)
        let bytes = try file.commit(places: order.count, sets: categories.sets.count)
        return BuildReport(places: order.count, replacedRows: replaced, fileBytes: bytes)
    }

    private func withID<R>(_ row: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let bytes = Int(arena.firstByte(at: rows[row].start))
        return unsafe arena.withBytes(at: rows[row].start, count: 1 + bytes) {
            unsafe body(UnsafeRawBufferPointer(rebasing: $0[1...]))
        }
    }

    private func idHashes() -> [UInt64] { rows.indices.map { row in unsafe withID(row) { unsafe Checksum.of($0) } } }

    /// Row numbers in the order of the curve without replaced rows, and those.
    private func sortedOrder(_ hashes: [UInt64]) -> (order: [UInt32], replaced: [Int]) {
        var lookup = IDLookup(hashes: hashes)
        var isReplaced = [Bool](repeating: false, count: rows.count)
        for row in rows.indices {
            if let old = lookup.enter(row, isSame: { sameID($0, row) }) { isReplaced[old] = true }
        }
        var keys: [(position: UInt64, row: UInt32)] = []
        keys.reserveCapacity(rows.count)
        for row in rows.indices where !isReplaced[row] {
            keys.append((Hilbert.position(of: rows[row].point), UInt32(row)))
        }
        keys.sort { $0.position != $1.position ? $0.position < $1.position : $0.row < $1.row }
        return (keys.map(\.row), isReplaced.indices.filter { isReplaced[$0] })
    }

    private func sameID(_ a: Int, _ b: Int) -> Bool {
        unsafe withID(a) { a in unsafe withID(b) { b in unsafe a.elementsEqual(b) } }
    }

    private func writeTree(_ order: [UInt32], to file: inout SnapshotSectionWriter) throws(GeoError) {
        var level = blockBounds(order)
        while !level.isEmpty {
            let groups = SnapshotLayout.groups(of: level.count)
            let filler = BlockBounds()
            level.append(contentsOf: repeatElement(filler, count: groups * SnapshotLayout.groupNodes - level.count))
            var parents: [BlockBounds] = []
            for group in 0..<groups { parents.append(try writeGroup(level, group, to: &file)) }
            level = groups > 1 ? parents : []
        }
        try file.endSection()
        for mask in blockMasks(order) { try file.put(mask) }
        try file.endSection()
    }

    /// Writes 16 nodes edge by edge and gives their common bounds.
    private func writeGroup(
        _ level: [BlockBounds], _ group: Int, to file: inout SnapshotSectionWriter
    ) throws(GeoError) -> BlockBounds {
        let nodes = level[(group * SnapshotLayout.groupNodes)..<((group + 1) * SnapshotLayout.groupNodes)]
        for node in nodes { try file.put(node.south) }
        for node in nodes { try file.put(node.north) }
        for node in nodes { try file.put(node.west) }
        for node in nodes { try file.put(node.east) }
        return nodes.reduce(into: BlockBounds()) { $0.add($1) }
    }

    private func blockBounds(_ order: [UInt32]) -> [BlockBounds] {
        var bounds = [BlockBounds](repeating: BlockBounds(), count: SnapshotLayout.blocks(of: order.count))
        for (ordinal, row) in order.enumerated() { bounds[ordinal / SnapshotLayout.blockPlaces].add(rows[Int(row)]) }
        return bounds
    }

    private func blockMasks(_ order: [UInt32]) -> [UInt64] {
        var masks = [UInt64](repeating: 0, count: SnapshotLayout.blocks(of: order.count))
        for (ordinal, row) in order.enumerated() {
            masks[ordinal / SnapshotLayout.blockPlaces] |= 1 << UInt64(rows[Int(row)].set % 64)
        }
        return masks
    }

    private func writeCategories(to file: inout SnapshotSectionWriter) throws(GeoError) {
        try file.put(UInt32(categories.names.count))
        for name in categories.names {
            try file.put(UInt8(truncatingIfNeeded: name.count))
            for byte in name { try file.put(byte) }
        }
        try file.endSection()
        var start: UInt32 = 0
        try file.put(start)
        for set in categories.sets {
            start += UInt32(set.count)
            try file.put(start)
        }
        for set in categories.sets { for member in set { try file.put(member) } }
        try file.endSection()
    }

    private func writePoints(_ order: [UInt32], to file: inout SnapshotSectionWriter) throws(GeoError) {
        for block in stride(from: 0, to: order.count, by: SnapshotLayout.blockPlaces) {
            let members = order[block..<min(block + SnapshotLayout.blockPlaces, order.count)]
            let padding = SnapshotLayout.blockPlaces - members.count
            for row in members { try file.put(rows[Int(row)].latitudeE7) }
            for _ in 0..<padding { try file.put(Int32(0)) }
            for row in members { try file.put(rows[Int(row)].longitudeE7) }
            for _ in 0..<padding { try file.put(Int32(0)) }
        }
        try file.endSection()
        for row in order { try file.put(rows[Int(row)].set) }
        try file.endSection()
    }

    private func storedBytes(_ row: UInt32) -> Int {
        let row = rows[Int(row)]
        return 1 + Int(arena.firstByte(at: row.start)) + Int(row.recordBytes)
    }

    private func writeStarts(_ order: [UInt32], to file: inout SnapshotSectionWriter) throws(GeoError) {
        var relative: [UInt32] = []
        relative.reserveCapacity(order.count)
        var start = 0
        for block in stride(from: 0, to: order.count, by: SnapshotLayout.blockPlaces) {
            try file.put(UInt64(start))
            var inside = 0
            for row in order[block..<min(block + SnapshotLayout.blockPlaces, order.count)] {
                relative.append(UInt32(inside))
                inside += storedBytes(row)
            }
            start += inside
        }
        try file.put(UInt64(start))
        for offset in relative { try file.put(offset) }
        try file.endSection()
    }

    private func writeLookup(
        _ order: [UInt32], _ hashes: [UInt64], to file: inout SnapshotSectionWriter
    ) throws(GeoError) {
        var slots = [UInt32](repeating: 0, count: SnapshotLayout.slots(of: order.count))
        for (ordinal, row) in order.enumerated() {
            var slot = SnapshotLayout.slot(of: hashes[Int(row)], among: slots.count)
            while slots[slot] != 0 { slot = slot + 1 == slots.count ? 0 : slot + 1 }
            slots[slot] = UInt32(ordinal + 1)
        }
        for slot in slots { try file.put(slot) }
        try file.endSection()
    }

    private func writeRecords(_ order: [UInt32], to file: inout SnapshotSectionWriter) throws(GeoError) {
        for row in order {
            var failure: GeoError?
            unsafe arena.withBytes(at: rows[Int(row)].start, count: storedBytes(row)) { bytes in
                do throws(GeoError) { unsafe try file.put(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
        }
        try file.endSection()
    }
}
