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
    /// Sorts the rows and writes them to `path` in one atomic step. Blocks. On an error what was at `path` is
    /// untouched.
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
        let (sorted, replaced) = try sortedRows()
        try writeTree(sorted, to: &file)
        try writeCategories(to: &file)
        try Self.writePoints(sorted, to: &file)
        try writeStarts(sorted, to: &file)
        try rows.forEachSlot(of: sorted) { slot throws(GeoError) in try file.put(slot) }
        try file.endSection()
        try writeRecords(sorted, to: &file)
        let bytes = try file.commit(places: sorted.count, sets: categories.sets.count)
        return BuildReport(places: sorted.count, replacedRows: replaced, fileBytes: bytes)
    }

    private mutating func sortedRows() throws(GeoError) -> (rows: SortedRows, replaced: [Int]) {
        var rows = SnapshotRows(folder: nil, memory: 0)
        swap(&rows, &self.rows)
        defer { swap(&rows, &self.rows) }
        return try rows.sorted { one, other in
            unsafe withID(at: one) { one in unsafe withID(at: other) { other in unsafe one.elementsEqual(other) } }
        }
    }

    private func withID<R>(at start: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe arena.withBytes(at: start, count: 1 + Int(arena.firstByte(at: start))) {
            unsafe body(UnsafeRawBufferPointer(rebasing: $0[1...]))
        }
    }

    private func writeTree(_ rows: SortedRows, to file: inout SnapshotSectionWriter) throws(GeoError) {
        var level = Self.blockBounds(rows)
        while !level.isEmpty {
            let groups = SnapshotLayout.groups(of: level.count)
            let filler = BlockBounds()
            level.append(contentsOf: repeatElement(filler, count: groups * SnapshotLayout.groupNodes - level.count))
            var parents: [BlockBounds] = []
            for group in 0..<groups { parents.append(try writeGroup(level, group, to: &file)) }
            level = groups > 1 ? parents : []
        }
        try file.endSection()
        for mask in Self.blockMasks(rows) { try file.put(mask) }
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

    private static func blockBounds(_ rows: SortedRows) -> [BlockBounds] {
        var bounds = [BlockBounds](repeating: BlockBounds(), count: SnapshotLayout.blocks(of: rows.count))
        for ordinal in 0..<rows.count { bounds[ordinal / SnapshotLayout.blockPlaces].add(rows[ordinal]) }
        return bounds
    }

    private static func blockMasks(_ rows: SortedRows) -> [UInt64] {
        var masks = [UInt64](repeating: 0, count: SnapshotLayout.blocks(of: rows.count))
        for ordinal in 0..<rows.count {
            masks[ordinal / SnapshotLayout.blockPlaces] |= 1 << UInt64(rows[ordinal].set % 64)
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

    private static func writePoints(
        _ rows: SortedRows, to file: inout SnapshotSectionWriter
    ) throws(GeoError) {
        for block in stride(from: 0, to: rows.count, by: SnapshotLayout.blockPlaces) {
            let members = block..<min(block + SnapshotLayout.blockPlaces, rows.count)
            let padding = SnapshotLayout.blockPlaces - members.count
            for ordinal in members { try file.put(rows[ordinal].latitudeE7) }
            for _ in 0..<padding { try file.put(Int32(0)) }
            for ordinal in members { try file.put(rows[ordinal].longitudeE7) }
            for _ in 0..<padding { try file.put(Int32(0)) }
        }
        try file.endSection()
        for ordinal in 0..<rows.count { try file.put(rows[ordinal].set) }
        try file.endSection()
    }

    private func storedBytes(_ row: SnapshotRows.Row) -> Int {
        1 + Int(arena.firstByte(at: row.start)) + Int(row.recordBytes)
    }

    private func writeStarts(_ rows: SortedRows, to file: inout SnapshotSectionWriter) throws(GeoError) {
        var start = 0
        for ordinal in 0..<rows.count {
            if ordinal % SnapshotLayout.blockPlaces == 0 { try file.put(UInt64(start)) }
            start += storedBytes(rows[ordinal])
        }
        try file.put(UInt64(start))
        var inside: UInt32 = 0
        for ordinal in 0..<rows.count {
            if ordinal % SnapshotLayout.blockPlaces == 0 { inside = 0 }
            try file.put(inside)
            inside += UInt32(storedBytes(rows[ordinal]))
        }
        try file.endSection()
    }

    private func writeRecords(_ rows: SortedRows, to file: inout SnapshotSectionWriter) throws(GeoError) {
        for ordinal in 0..<rows.count {
            let row = rows[ordinal]
            var failure: GeoError?
            unsafe arena.withBytes(at: row.start, count: storedBytes(row)) { bytes in
                do throws(GeoError) { unsafe try file.put(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
        }
        try file.endSection()
    }
}
