/// Collects rows and writes them as one snapshot. While rows come in, ids and records lie in memory or, of many rows,
/// in a file without a name, and 24 bytes of each row in memory.
package struct SnapshotBuilder: ~Copyable {
    /// One row as it came in; its id and record bytes lie in the arena.
    struct Row {
        var start: Int
        var recordBytes: UInt32
        var latitudeE7: Int32
        var longitudeE7: Int32
        var set: UInt32
    }

    var arena: ByteArena
    var rows: [Row] = []
    var categories = CategoryTable()

    /// An empty builder.
    /// - Parameter scratchFolder: where the bytes of the rows are kept, as many as the snapshot will have; nil: in
    ///   memory.
    package init(scratchFolder: String? = nil) { arena = ByteArena(folder: scratchFolder) }

    /// Rows added so far, those with a repeated id included.
    package var count: Int { rows.count }

    /// Interns a set of category names (1 … 255 bytes each; the order and repeats don't matter; none is fine).
    package mutating func categorySet(_ names: [[UInt8]]) throws(GeoError) -> CategorySet {
        try categories.set(of: names)
    }

    /// Sees to it that the next row can be added without touching the disk: then only the row itself can be refused.
    package mutating func makeRoom(idBytes: Int, recordBytes: Int) throws(GeoError) {
        try arena.makeRoom(for: 1 + idBytes + recordBytes)
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
        rows.append(
            Row(
                start: start, recordBytes: UInt32(record.count), latitudeE7: point.latitudeE7,
                longitudeE7: point.longitudeE7, set: categories.number))
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

extension SnapshotBuilder.Row {
    var point: Coordinate { Coordinate(uncheckedLatitudeE7: latitudeE7, longitudeE7: longitudeE7) }
}
