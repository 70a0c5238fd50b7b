internal import EventLoops
internal import Scratch

/// A ring or a line of a record, while an index of areas is made.
struct AreaPiece {
    /// Numbers of a piece in a sorter, behind the one that it is sorted by.
    static let words = 4
    private static let kindBits: UInt64 = 8

    let record: UInt32
    /// Its points.
    let count: UInt32
    /// Where its points are among those that came.
    let start: Int
    let kind: UInt8
    let box: AreaBox

    /// A piece as it was sorted.
    init(_ records: SortedRecords, _ index: Int) {
        let (place, size) = (records.word(1, of: index), records.word(2, of: index))
        (start, kind) = (Int(place >> Self.kindBits), UInt8(truncatingIfNeeded: place))
        (record, count) = (UInt32(size >> 32), UInt32(truncatingIfNeeded: size))
        let (low, high) = (records.word(3, of: index), records.word(4, of: index))
        box = AreaBox(
            south: Int32(truncatingIfNeeded: low >> 32), west: Int32(truncatingIfNeeded: low),
            north: Int32(truncatingIfNeeded: high >> 32), east: Int32(truncatingIfNeeded: high))
    }

    init(record: UInt32, count: UInt32, start: Int, kind: AreaKind, box: AreaBox) {
        (self.record, self.count, self.start, self.kind, self.box) = (record, count, start, kind.rawValue, box)
    }

    /// The piece for a sorter: those of the same key stay in the order in which they came.
    func record(by key: Int64) -> [UInt64] {
        [
            UInt64(bitPattern: key) ^ 1 << 63, UInt64(start) << Self.kindBits | UInt64(kind),
            UInt64(record) << 32 | UInt64(count), Self.word(box.south, box.west), Self.word(box.north, box.east),
        ]
    }

    private static func word(_ high: Int32, _ low: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: high)) << 32 | UInt64(UInt32(bitPattern: low))
    }

    /// Twice its middle from west to east, and from south to north.
    var column: Int64 { Int64(box.west) + Int64(box.east) }
    var row: Int64 { Int64(box.south) + Int64(box.north) }
}

/// Pieces while they come and are sorted.
struct AreaPieces: ~Copyable {
    private var sorter: RecordSorter

    init(folder: String, memory: Int) {
        sorter = RecordSorter(width: 1 + AreaPiece.words, folder: folder, memory: memory)
    }

    var count: Int { sorter.count }

    mutating func append(_ piece: AreaPiece, by key: Int64) throws(GeoError) {
        do throws(SystemError) { try sorter.append(piece.record(by: key)) } catch { throw GeoError(error) }
    }

    /// Ends the adding; it is called once.
    mutating func sorted() throws(GeoError) -> SortedRecords {
        do throws(SystemError) { return try sorter.sorted() } catch { throw GeoError(error) }
    }
}
