internal import Scratch

/// The order of the boxes of an index, so that those of a tree over them, 16 in one and 16 of these in one, overlap as
/// little as they can: all are cut into 16 columns and rows by their middles, each part again, and so on
/// (overlap-minimising top-down packing, Lee and Lee 2003).
///
/// What is large stands at the end: among small ones it would make the box around them as large as itself.
///
/// Pieces that are too many for memory are sorted in files until parts of them fit.
struct AreaOrder: ~Copyable {
    /// A box is large when it is longer than this part of the box around all.
    private static let large: Int64 = 12
    /// Memory of a piece while it is put in its place.
    private static let bytesOfPiece = 64

    private let folder: String
    private let memory: Int
    private var output: AreaPieces

    /// The pieces in their order.
    /// - Parameters:
    ///   - pieces: in the order in which they came.
    ///   - all: the box around them.
    static func of(
        _ pieces: SortedRecords, around all: AreaBox, folder: String, memory: Int
    ) throws(GeoError) -> SortedRecords {
        var order = AreaOrder(folder: folder, memory: memory)
        let limit = max(1, side(all) / large)
        for isLarge in [false, true] {
            var part = AreaPieces(folder: folder, memory: memory)
            for index in 0..<pieces.count {
                let piece = AreaPiece(pieces, index)
                if (side(piece.box) > limit) == isLarge { try part.append(piece, by: piece.column) }
            }
            try order.pack(try part.sorted())
        }
        return try order.output.sorted()
    }

    private init(folder: String, memory: Int) {
        (self.folder, self.memory) = (folder, memory)
        output = AreaPieces(folder: folder, memory: memory)
    }

    private static func side(_ box: AreaBox) -> Int64 {
        max(Int64(box.north) - Int64(box.south), Int64(box.east) - Int64(box.west), 0)
    }

    /// - Parameter pieces: from west to east.
    private mutating func pack(_ pieces: SortedRecords) throws(GeoError) {
        guard pieces.count > max(memory / Self.bytesOfPiece, AreaLayout.fan) else {
            for piece in AreaOrderInMemory.of((0..<pieces.count).map { AreaPiece(pieces, $0) }) {
                try output.append(piece, by: Int64(output.count))
            }
            return
        }
        let (part, columns) = AreaOrderInMemory.parts(of: pieces.count)
        for first in stride(from: 0, to: pieces.count, by: part * columns) {
            var column = AreaPieces(folder: folder, memory: memory)
            for index in first..<min(first + part * columns, pieces.count) {
                let piece = AreaPiece(pieces, index)
                try column.append(piece, by: piece.row)
            }
            try pack(column: try column.sorted(), part)
        }
    }

    /// - Parameter pieces: from south to north.
    private mutating func pack(column pieces: SortedRecords, _ part: Int) throws(GeoError) {
        for first in stride(from: 0, to: pieces.count, by: part) {
            var own = AreaPieces(folder: folder, memory: memory)
            for index in first..<min(first + part, pieces.count) {
                let piece = AreaPiece(pieces, index)
                try own.append(piece, by: piece.column)
            }
            try pack(try own.sorted())
        }
    }
}

/// The same for pieces that fit into memory.
struct AreaOrderInMemory {
    private var pieces: [AreaPiece]

    static func of(_ pieces: [AreaPiece]) -> [AreaPiece] {
        var order = AreaOrderInMemory(pieces: pieces)
        order.pack(0..<pieces.count)
        return order.pieces
    }

    /// How many boxes a part has, and how many parts a column.
    static func parts(of count: Int) -> (part: Int, columns: Int) {
        var part = AreaLayout.fan
        while part * AreaLayout.fan < count { part *= AreaLayout.fan }
        let parts = (count + part - 1) / part
        return (part, Int(Double(parts).squareRoot().rounded(.up)))
    }

    private mutating func pack(_ range: Range<Int>) {
        guard range.count > AreaLayout.fan else { return sort(range, by: \.row) }
        let (part, columns) = Self.parts(of: range.count)
        sort(range, by: \.column)
        for first in stride(from: range.lowerBound, to: range.upperBound, by: part * columns) {
            let column = first..<min(first + part * columns, range.upperBound)
            sort(column, by: \.row)
            for start in stride(from: first, to: column.upperBound, by: part) {
                pack(start..<min(start + part, column.upperBound))
            }
        }
    }

    private mutating func sort(_ range: Range<Int>, by key: (AreaPiece) -> Int64) {
        pieces[range].sort { one, other in
            let (first, second) = (key(one), key(other))
            return first != second ? first < second : one.start < other.start
        }
    }
}
