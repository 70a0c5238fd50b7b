internal import Glibc

/// Areas and lines with names, in a mapped file: which areas a point lies in, exactly, and which lines are near it.
///
/// What is read is checked where it is read, so that a damaged file gives wrong answers at worst.
///
/// `@unchecked Sendable`: its properties don't change after `init`; the pointer leads into a read-only mapping that
/// lives as long as this object and whose file is never written again.
@safe
package final class AreaIndex: @unchecked Sendable {
    /// A ring or a line.
    struct Piece {
        let record: UInt32
        let kind: UInt32
        let firstPoint: Int
        let firstBox: Int
        /// One less than its points.
        let steps: Int
        let box: AreaBox
    }

    /// Where the file is.
    package let path: String
    private let file: MappedFile
    let layout: AreaLayout
    /// Where each level of the tree begins, the lowest first.
    private let levelStarts: [Int]
    private var table = AreaTable()

    /// Opens a file, and reads which areas it has. Blocks.
    package init(path: String) throws(GeoError) {
        let file = try MappedFile(path: path)
        guard unsafe file.bytes.count >= AreaLayout.headerBytes,
            unsafe file.bytes.prefix(8).elementsEqual(AreaLayout.magic)
        else { throw .corrupt(path: path, reason: "it is no index of areas") }
        let header = unsafe UnsafeRawBufferPointer(rebasing: file.bytes[..<AreaLayout.checkedHeaderBytes])
        let layout = AreaLayout(
            records: UInt64(unsafe file.bytes.value(at: 24, UInt32.self)),
            pieces: UInt64(unsafe file.bytes.value(at: 28, UInt32.self)),
            points: unsafe file.bytes.value(at: 32, UInt64.self),
            steps: unsafe file.bytes.value(at: 40, UInt64.self), texts: unsafe file.bytes.value(at: 48, UInt64.self))
        guard let layout, unsafe layout.fileBytes == file.bytes.count,
            unsafe Checksum.of(header) == file.bytes.value(at: AreaLayout.checkedHeaderBytes, UInt64.self)
        else { throw .corrupt(path: path, reason: "its header is none") }
        var (start, starts) = (layout.treeAt, [Int]())
        for count in layout.levels {
            starts.append(start)
            start += count * AreaLayout.boxBytes
        }
        levelStarts = starts
        self.path = path
        self.file = file
        self.layout = layout
        table = readTable()
    }

    private func readTable() -> AreaTable {
        var table = AreaTable()
        for number in 0..<UInt32(clamping: count) where AreaTable.has(kind(of: number)?.kind) {
            if let record = record(number, names: []) { table.add(number, record) }
        }
        visit(pieces: 0..<layout.pieces, .world) { piece in
            let kind = AreaKind(rawValue: UInt8(truncatingIfNeeded: piece.kind))
            if AreaTable.has(kind) { table.add(piece.box, of: piece.record) }
        }
        return table
    }

    /// What the file was made of.
    package var source: UInt64 { unsafe file.bytes.value(at: 16, UInt64.self) }
    package var fileBytes: Int { layout.fileBytes }
    /// How many areas and lines there are.
    package var count: Int { layout.records }

    /// Compares the checksum. Reads everything; blocks.
    package func verify() throws(GeoError) {
        let content = unsafe UnsafeRawBufferPointer(rebasing: file.bytes[AreaLayout.headerBytes...])
        guard unsafe Checksum.of(content) == file.bytes.value(at: 8, UInt64.self) else {
            throw .corrupt(path: path, reason: "its checksum is another one")
        }
    }

    /// The kind and the level of a record; nil when there is none of that number.
    package func kind(of record: UInt32) -> (kind: AreaKind, level: UInt8)? {
        guard Int(record) < layout.records else { return nil }
        let at = layout.kindsAt + 2 * Int(record)
        let kind = AreaKind(rawValue: unsafe file.bytes.value(at: at, UInt8.self))
        return kind.map { ($0, unsafe file.bytes.value(at: at + 1, UInt8.self)) }
    }

    /// A record; nil when it can't be read.
    /// - Parameter languages: those that its other names are wanted in; nil for all, which takes longer.
    package func record(_ number: UInt32, names languages: [String]? = nil) -> AreaRecord? {
        guard let (kind, level) = kind(of: number) else { return nil }
        let at = layout.startsAt + 8 * Int(number)
        let start = unsafe file.bytes.value(at: at, UInt64.self)
        let end = unsafe file.bytes.value(at: at + 8, UInt64.self)
        guard start <= end, end <= UInt64(layout.texts) else { return nil }
        let place = layout.textsAt + Int(start)..<layout.textsAt + Int(end)
        return unsafe AreaText.unpacked(
            UnsafeRawBufferPointer(rebasing: file.bytes[place]), kind: kind, level: level, languages)
    }
}

extension AreaIndex {
    /// The area with an id; nil without one.
    package func number(ofID id: String) -> UInt32? { table.numbers[id] }

    /// Whether it has the border of a country, by its code.
    package func hasCountry(_ code: String) -> Bool { table.countries.contains(code) }

    /// The box around areas; nil of none.
    package func box(around records: some Sequence<UInt32>) -> AreaBox? {
        var box = AreaBox()
        for record in records { table.boxes[record].map { box.add($0) } }
        return box.south <= box.north ? box : nil
    }
}

// MARK: reading

extension AreaIndex {
    /// Calls `body` with each piece whose box meets another one.
    func forEachPiece(meeting box: AreaBox, _ body: (Piece) -> Void) {
        let levels = layout.levels
        guard let top = levels.indices.last else {
            return visit(pieces: 0..<layout.pieces, box, body)
        }
        visit(top, 0..<levels[top], levels, levelStarts, box, body)
    }

    /// The levels are handed down, which counts no references for each of them.
    private func visit(
        _ level: Int, _ range: Range<Int>, _ levels: [Int], _ starts: [Int], _ box: AreaBox, _ body: (Piece) -> Void
    ) {
        let start = starts[level]
        let below = level == 0 ? layout.pieces : levels[level - 1]
        for index in range where self.box(at: start + index * AreaLayout.boxBytes).meets(box) {
            let first = index * AreaLayout.fan
            let inner = first..<max(first, min(first + AreaLayout.fan, below))
            if level == 0 {
                visit(pieces: inner, box, body)
            } else {
                visit(level - 1, inner, levels, starts, box, body)
            }
        }
    }

    private func visit(pieces: Range<Int>, _ box: AreaBox, _ body: (Piece) -> Void) {
        for number in pieces {
            let at = layout.piecesAt + number * AreaLayout.pieceBytes
            let own = self.box(at: at + 32)
            if own.meets(box), let piece = piece(at: at, own) { body(piece) }
        }
    }

    private func piece(at offset: Int, _ box: AreaBox) -> Piece? {
        let count = Int(unsafe file.bytes.value(at: offset + 4, UInt32.self))
        let firstPoint = unsafe file.bytes.value(at: offset + 8, UInt64.self)
        let firstBox = unsafe file.bytes.value(at: offset + 16, UInt64.self)
        guard count > 1, firstPoint <= UInt64(layout.points), count <= layout.points - Int(firstPoint),
            firstBox <= UInt64(layout.steps)
        else { return nil }
        return Piece(
            record: unsafe file.bytes.value(at: offset, UInt32.self),
            kind: unsafe file.bytes.value(at: offset + 24, UInt32.self), firstPoint: Int(firstPoint),
            firstBox: Int(firstBox), steps: count - 1, box: box)
    }

    @inline(__always)
    private func box(at offset: Int) -> AreaBox {
        // Two loads instead of four: a search reads hundreds.
        let low = unsafe file.bytes.value(at: offset, UInt64.self)
        let high = unsafe file.bytes.value(at: offset + 8, UInt64.self)
        return AreaBox(
            south: Int32(truncatingIfNeeded: low), west: Int32(truncatingIfNeeded: low >> 32),
            north: Int32(truncatingIfNeeded: high), east: Int32(truncatingIfNeeded: high >> 32))
    }

    /// A box around steps; one of nothing where there is none.
    @inline(__always)
    func stepBox(_ number: Int) -> AreaBox {
        number < layout.steps ? box(at: layout.stepsAt + number * AreaLayout.boxBytes) : AreaBox()
    }

    /// A point; the number is one of a piece's.
    @inline(__always)
    func point(_ number: Int) -> AreaPoint {
        let packed = unsafe file.bytes.value(at: layout.pointsAt + number * AreaLayout.pointBytes, UInt64.self)
        return AreaPoint(
            latitude: Int32(truncatingIfNeeded: packed), longitude: Int32(truncatingIfNeeded: packed >> 32))
    }
}

extension UnsafeRawBufferPointer {
    /// A little-endian number; zero for one that does not lie inside.
    @inline(__always)
    fileprivate func value<N: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _ type: N.Type) -> N {
        guard offset >= 0, offset <= count - MemoryLayout<N>.size else { return 0 }
        return unsafe N(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}
