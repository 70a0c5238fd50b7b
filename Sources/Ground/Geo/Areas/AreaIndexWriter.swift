/// Makes the file of an index of areas. Points go to a file without a name as they come, so that memory holds some 50
/// bytes for each ring and line, and the names.
package struct AreaIndexWriter: ~Copyable {
    private struct Piece {
        let record: UInt32
        let count: UInt32
        /// Where its points are among those that came.
        let start: Int
        let kind: AreaKind
        let box: AreaBox
    }

    private let maximumPieces: Int
    private let maximumTextBytes: Int
    private var arena: ByteArena
    private var pieces: [Piece] = []
    private var starts: [UInt64] = [0]
    private var kinds: [UInt8] = []
    private var texts: [UInt8] = []
    private var packed: [UInt8] = []
    /// How many did not fit any more.
    package private(set) var leftOut = 0

    /// - Parameter scratchFolder: where what has come so far is kept, in a file without a name.
    package init(scratchFolder: String, maximumPieces: Int = 24_000_000, maximumTextBytes: Int = 1 << 30) {
        arena = ByteArena(folder: scratchFolder)
        self.maximumPieces = maximumPieces
        self.maximumTextBytes = maximumTextBytes
    }

    package var isEmpty: Bool { pieces.isEmpty }
    /// How many records there are.
    package var count: Int { kinds.count / 2 }

    /// Adds a record; gives its number, and nil when there is no room for more.
    package mutating func add(_ record: AreaRecord) -> UInt32? {
        let text = AreaText.packed(record)
        guard texts.count + text.count <= maximumTextBytes, let number = UInt32(exactly: count) else {
            leftOut += 1
            return nil
        }
        texts += text
        starts.append(UInt64(texts.count))
        kinds += [record.kind.rawValue, record.level]
        return number
    }

    /// Adds rings on the Earth to a record that has been added.
    package mutating func add(rings: [[AreaPoint]], to record: UInt32, _ kind: AreaKind) throws(GeoError) {
        for ring in rings {
            for part in AreaRing.planar(ring) { try add(part, to: record, kind) }
        }
    }

    /// Adds a line to a record that has been added.
    package mutating func add(line: [AreaPoint], to record: UInt32, _ kind: AreaKind) throws(GeoError) {
        for part in AreaRing.planar(line: line) { try add(part, to: record, kind) }
    }

    private mutating func add(_ points: [AreaPoint], to record: UInt32, _ kind: AreaKind) throws(GeoError) {
        guard pieces.count < maximumPieces, let count = UInt32(exactly: points.count) else { return leftOut += 1 }
        packed.removeAll(keepingCapacity: true)
        for point in points { packed.add(point) }
        let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        let result: Result<Int, GeoError> = unsafe packed.withUnsafeBytes { bytes in
            do throws(GeoError) {
                return .success(unsafe try arena.append(idBytes: none, record: bytes))
            } catch {
                return .failure(error)
            }
        }
        // A row begins with the length of its id.
        let start = try result.get() + 1
        pieces.append(Piece(record: record, count: count, start: start, kind: kind, box: AreaBox(points)))
    }

    /// Writes the file; gives how many bytes it has. Blocks.
    package consuming func write(to path: String, source: UInt64 = 0) throws(GeoError) -> Int {
        try arena.seal()
        let order = AreaOrder.of(pieces.map(\.box))
        let steps = pieces.reduce(0) { $0 + AreaIndex.stepLevels(Int($1.count) - 1).reduce(0, +) }
        let points = pieces.reduce(0) { $0 + Int($1.count) }
        guard
            let layout = AreaLayout(
                records: UInt64(count), pieces: UInt64(pieces.count), points: UInt64(points), steps: UInt64(steps),
                texts: UInt64(texts.count))
        else { throw .outOfRange(field: "areas", value: "\(points) points", allowed: "fewer are") }
        var output = try AreaOutput(path: path)
        try writePieces(order, to: &output)
        try Self.writeTree(order.map { pieces[$0].box }, to: &output)
        try forEachPiece(order) { bytes throws(GeoError) in try output.add(bytes) }
        try forEachPiece(order) { bytes throws(GeoError) in try output.add(AreaStepBoxes.of(bytes)) }
        for start in starts { try output.add(number: start) }
        try output.add(kinds)
        try output.add(texts)
        return try output.finish(layout, source: source)
    }

    private func writePieces(_ order: [Int], to output: inout AreaOutput) throws(GeoError) {
        var (point, box) = (0, 0)
        for index in order {
            let piece = pieces[index]
            try output.add(number: piece.record)
            try output.add(number: piece.count)
            try output.add(number: UInt64(point))
            try output.add(number: UInt64(box))
            try output.add(number: UInt32(piece.kind.rawValue))
            try output.add(number: UInt32(0))
            try output.add(piece.box)
            try output.add(number: UInt64(0))
            point += Int(piece.count)
            box += AreaIndex.stepLevels(Int(piece.count) - 1).reduce(0, +)
        }
    }

    private static func writeTree(_ boxes: [AreaBox], to output: inout AreaOutput) throws(GeoError) {
        var boxes = boxes
        while boxes.count > 1 {
            boxes = AreaStepBoxes.joined(boxes)
            for box in boxes { try output.add(box) }
        }
    }

    /// Calls `body` with the points of each piece as they are in the file.
    private func forEachPiece(
        _ order: [Int], _ body: ([UInt8]) throws(GeoError) -> Void
    ) throws(GeoError) {
        for index in order {
            let piece = pieces[index]
            let bytes = unsafe arena.withBytes(at: piece.start, count: Int(piece.count) * AreaLayout.pointBytes) {
                unsafe [UInt8]($0)
            }
            try body(bytes)
        }
    }
}
