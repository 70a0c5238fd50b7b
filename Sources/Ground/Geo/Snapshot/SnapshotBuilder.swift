internal import Scratch

/// Collects rows and writes them as one snapshot. While rows come in, they lie in memory or, where they are many, in
/// files without names.
package struct SnapshotBuilder: ~Copyable {
    var arena: ByteArena
    var rows: SnapshotRows
    var categories = CategoryTable()

    /// An empty builder.
    /// - Parameters:
    ///   - scratchFolder: where the bytes of the rows are kept, as many as the snapshot will have; nil: in memory.
    ///   - memory: bytes that each table of rows may take in memory while there is a folder; nil: as many as is usual.
    package init(scratchFolder: String? = nil, memory: Int? = nil) {
        arena = ByteArena(folder: scratchFolder)
        rows = SnapshotRows(folder: scratchFolder, memory: memory ?? RecordSorter.ordinaryMemory)
    }

    /// Rows added so far, those with a repeated id included.
    package var count: Int { rows.count }

    /// Interns a set of category names (1 … 255 bytes each; the order and repeats don't matter; none is fine).
    package mutating func categorySet(_ names: [[UInt8]]) throws(GeoError) -> CategorySet {
        try categories.set(of: names)
    }

    /// Sees to it that the next row can be added without touching the disk: then only the row itself can be refused.
    package mutating func makeRoom(idBytes: Int, recordBytes: Int) throws(GeoError) {
        try arena.makeRoom(for: 1 + idBytes + recordBytes)
        try rows.makeRoom()
    }

    /// Adds a row. The id has 1 … 255 bytes, the record 0 … 16 MiB; the bytes are copied.
    package mutating func add(
        id: [UInt8], at point: Coordinate, categories: CategorySet, record: [UInt8]
    ) throws(GeoError) {
        try check(idBytes: id.count, recordBytes: record.count, set: categories)
        try unsafe id.withUnsafeBufferPointer { id throws(GeoError) in
            try unsafe record.withUnsafeBufferPointer { record throws(GeoError) in
                try unsafe append(UnsafeRawBufferPointer(id), point, categories, UnsafeRawBufferPointer(record))
            }
        }
    }

    /// Adds a row from bytes that are valid during the call.
    package mutating func add(
        id: UnsafeRawBufferPointer, at point: Coordinate, categories: CategorySet, record: UnsafeRawBufferPointer
    ) throws(GeoError) {
        try check(idBytes: id.count, recordBytes: record.count, set: categories)
        try unsafe append(id, point, categories, record)
    }

    private mutating func append(
        _ id: UnsafeRawBufferPointer, _ point: Coordinate, _ categories: CategorySet, _ record: UnsafeRawBufferPointer
    ) throws(GeoError) {
        let start = try unsafe arena.append(idBytes: id, record: record)
        try rows.append(
            SnapshotRows.Row(
                start: start, recordBytes: UInt32(record.count), latitudeE7: point.latitudeE7,
                longitudeE7: point.longitudeE7, set: categories.number, hash: unsafe Checksum.of(id)))
    }

    private func check(idBytes: Int, recordBytes: Int, set: CategorySet) throws(GeoError) {
        precondition(Int(set.number) < categories.sets.count, "a category set of another builder")
        guard (1...SnapshotLayout.maximumIDBytes).contains(idBytes) else {
            let allowed = "1 to \(SnapshotLayout.maximumIDBytes) bytes are"
            throw .outOfRange(field: "id", value: "\(idBytes) bytes", allowed: allowed)
        }
        guard recordBytes <= SnapshotLayout.maximumRecordBytes else {
            let allowed = "at most \(SnapshotLayout.maximumRecordBytes) bytes are"
            throw .outOfRange(field: "record", value: "\(recordBytes) bytes", allowed: allowed)
        }
        guard rows.count < SnapshotLayout.maximumPlaces else {
            let allowed = "at most \(SnapshotLayout.maximumPlaces) are"
            throw .outOfRange(field: "rows", value: "\(rows.count)", allowed: allowed)
        }
    }
}
