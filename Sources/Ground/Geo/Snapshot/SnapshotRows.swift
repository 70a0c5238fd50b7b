internal import EventLoops
internal import Scratch

/// The rows of a snapshot as they come in, in memory or, where they are many, in files without names: once by their
/// places on the curve, and once by their ids, to find those that come again.
struct SnapshotRows: ~Copyable {
    /// One row; its id and record bytes lie in the arena.
    struct Row {
        var start: Int
        var recordBytes: UInt32
        var latitudeE7: Int32
        var longitudeE7: Int32
        var set: UInt32
        /// Of its id.
        var hash: UInt64
    }

    private static let rowWords = 6
    private static let idWords = 3
    private static let rowColumn = 1

    private var order: RecordSorter
    private var ids: RecordSorter
    private let folder: String?
    private let memory: Int

    init(folder: String?, memory: Int) {
        (self.folder, self.memory) = (folder, memory)
        order = RecordSorter(width: Self.rowWords, folder: folder, memory: memory)
        ids = RecordSorter(width: Self.idWords, folder: folder, memory: memory)
    }

    var count: Int { order.count }

    /// Sees to it that the next row can be added without touching the disk.
    mutating func makeRoom() throws(GeoError) {
        do throws(SystemError) {
            try order.makeRoom()
            try ids.makeRoom()
        } catch {
            throw GeoError(error)
        }
    }

    mutating func append(_ row: Row) throws(GeoError) {
        let (number, start) = (UInt64(count), UInt64(row.start))
        do throws(SystemError) {
            try ids.append([row.hash, number, start])
            try order.append([
                Hilbert.position(of: row.point), number, start, UInt64(row.recordBytes) << 32 | UInt64(row.set),
                UInt64(UInt32(bitPattern: row.latitudeE7)) << 32 | UInt64(UInt32(bitPattern: row.longitudeE7)),
                row.hash,
            ])
        } catch {
            throw GeoError(error)
        }
    }

    /// The rows in the order of the curve, without those that a later one with the same id replaces; and the numbers of
    /// these.
    /// - Parameter isSame: whether the ids at two places of the arena are the same.
    mutating func sorted(isSame: (Int, Int) -> Bool) throws(GeoError) -> (rows: SortedRows, replaced: [Int]) {
        do throws(SystemError) {
            let replaced = Self.replaced(try ids.sorted(), isSame)
            let rows = try order.sorted(where: Self.rowColumn) { !replaced.contains(Int($0)) }
            return (SortedRows(rows), replaced.sorted())
        } catch {
            throw GeoError(error)
        }
    }

    private static func replaced(_ ids: SortedRecords, _ isSame: (Int, Int) -> Bool) -> Set<Int> {
        var replaced: Set<Int> = []
        var start = 0
        while start < ids.count {
            var end = start + 1
            while end < ids.count, ids.word(0, of: end) == ids.word(0, of: start) { end += 1 }
            // Different ids may have the same hash.
            var last: [Int] = []
            if end - start > 1 {
                for record in (start..<end).reversed() {
                    let at = Int(ids.word(2, of: record))
                    if last.contains(where: { isSame($0, at) }) {
                        replaced.insert(Int(ids.word(1, of: record)))
                    } else {
                        last.append(at)
                    }
                }
            }
            start = end
        }
        return replaced
    }

    /// The slots of the table by which ids are found, each with the ordinal of its row and one more, or 0: each row is
    /// in the first slot from its hash's on that no row before it has. They are given in their order, so that the table
    /// needs no memory.
    mutating func forEachSlot(
        of rows: SortedRows, _ body: (UInt32) throws(GeoError) -> Void
    ) throws(GeoError) {
        var hashes = RecordSorter(width: 2, folder: folder, memory: memory)
        let sorted: SortedRecords
        do throws(SystemError) {
            for ordinal in 0..<rows.count { try hashes.append([rows.hash(of: ordinal), UInt64(ordinal)]) }
            sorted = try hashes.sorted()
        } catch {
            throw GeoError(error)
        }
        let slots = SnapshotLayout.slots(of: rows.count)
        // What finds no slot up to the end goes on at the beginning; at least a quarter of the slots is empty, so that
        // it doesn't come around once more.
        var scan = SlotScan(sorted, slots)
        for slot in 0..<slots { _ = scan.next(slot) }
        scan.startAgain()
        for slot in 0..<slots { try body(scan.next(slot)) }
    }
}

/// Rows in the order of the curve.
struct SortedRows {
    private let records: SortedRecords

    init(_ records: SortedRecords) { self.records = records }

    var count: Int { records.count }

    func hash(of ordinal: Int) -> UInt64 { records.word(5, of: ordinal) }

    subscript(ordinal: Int) -> SnapshotRows.Row {
        let (numbers, point) = (records.word(3, of: ordinal), records.word(4, of: ordinal))
        return SnapshotRows.Row(
            start: Int(records.word(2, of: ordinal)), recordBytes: UInt32(numbers >> 32),
            latitudeE7: Int32(truncatingIfNeeded: point >> 32), longitudeE7: Int32(truncatingIfNeeded: point),
            set: UInt32(truncatingIfNeeded: numbers), hash: hash(of: ordinal))
    }
}

extension SnapshotRows.Row {
    var point: Coordinate { Coordinate(uncheckedLatitudeE7: latitudeE7, longitudeE7: longitudeE7) }
}

extension GeoError {
    init(_ error: SystemError) { self = .system(call: error.call, code: error.code, path: error.subject) }
}
