internal import Scratch

/// Makes the file of an index of areas. Points go to a file without a name as they come, and rings and lines where they
/// are many, so that memory holds the names alone.
package struct AreaIndexWriter: ~Copyable {
    private let maximumPieces: Int
    private let maximumTextBytes: Int
    private var arena: ByteArena
    private let folder: String
    private let memory: Int
    private var pieces: AreaPieces
    private var box = AreaBox()
    private var points: UInt64 = 0
    private var steps: UInt64 = 0
    private var starts: [UInt64] = [0]
    private var kinds: [UInt8] = []
    private var texts: [UInt8] = []
    private var packed: [UInt8] = []
    /// How many did not fit any more.
    package private(set) var leftOut = 0

    /// - Parameters:
    ///   - scratchFolder: where what has come so far is kept, in files without names.
    ///   - memory: bytes that each table of rings and lines may take in memory; nil: as many as is usual.
    package init(
        scratchFolder: String, memory: Int? = nil, maximumPieces: Int = 24_000_000, maximumTextBytes: Int = 1 << 30
    ) {
        (folder, self.memory) = (scratchFolder, memory ?? RecordSorter.ordinaryMemory)
        arena = ByteArena(folder: scratchFolder)
        pieces = AreaPieces(folder: folder, memory: self.memory)
        self.maximumPieces = maximumPieces
        self.maximumTextBytes = maximumTextBytes
    }

    package var isEmpty: Bool { pieces.count == 0 }
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
        let piece = AreaPiece(record: record, count: count, start: start, kind: kind, box: AreaBox(points))
        box.add(piece.box)
        self.points += UInt64(points.count)
        steps += UInt64(AreaIndex.stepLevels(points.count - 1).reduce(0, +))
        try pieces.append(piece, by: Int64(pieces.count))
    }

    /// Writes the file; gives how many bytes it has. Blocks.
    package consuming func write(to path: String, source: UInt64 = 0) throws(GeoError) -> Int {
        try arena.seal()
        guard
            let layout = AreaLayout(
                records: UInt64(count), pieces: UInt64(pieces.count), points: points, steps: steps,
                texts: UInt64(texts.count))
        else { throw .outOfRange(field: "areas", value: "\(points) points", allowed: "fewer are") }
        let order = try AreaOrder.of(try pieces.sorted(), around: box, folder: folder, memory: memory)
        var output = try AreaOutput(path: path)
        try Self.writePieces(order, to: &output)
        try Self.writeTree(order, to: &output)
        try forEachPiece(order) { bytes throws(GeoError) in try output.add(bytes) }
        try forEachPiece(order) { bytes throws(GeoError) in try output.add(AreaStepBoxes.of(bytes)) }
        for start in starts { try output.add(number: start) }
        try output.add(kinds)
        try output.add(texts)
        return try output.finish(layout, source: source)
    }

    private static func writePieces(_ order: SortedRecords, to output: inout AreaOutput) throws(GeoError) {
        var (point, box) = (0, 0)
        for index in 0..<order.count {
            let piece = AreaPiece(order, index)
            try output.add(number: piece.record)
            try output.add(number: piece.count)
            try output.add(number: UInt64(point))
            try output.add(number: UInt64(box))
            try output.add(number: UInt32(piece.kind))
            try output.add(number: UInt32(0))
            try output.add(piece.box)
            try output.add(number: UInt64(0))
            point += Int(piece.count)
            box += AreaIndex.stepLevels(Int(piece.count) - 1).reduce(0, +)
        }
    }

    private static func writeTree(_ order: SortedRecords, to output: inout AreaOutput) throws(GeoError) {
        guard order.count > 1 else { return }
        var boxes = stride(from: 0, to: order.count, by: AreaLayout.fan).map { first in
            (first..<min(first + AreaLayout.fan, order.count)).reduce(into: AreaBox()) { box, index in
                box.add(AreaPiece(order, index).box)
            }
        }
        while true {
            for box in boxes { try output.add(box) }
            if boxes.count == 1 { return }
            boxes = AreaStepBoxes.joined(boxes)
        }
    }

    /// Calls `body` with the points of each piece as they are in the file.
    private func forEachPiece(
        _ order: SortedRecords, _ body: ([UInt8]) throws(GeoError) -> Void
    ) throws(GeoError) {
        for index in 0..<order.count {
            let piece = AreaPiece(order, index)
            let bytes = unsafe arena.withBytes(at: piece.start, count: Int(piece.count) * AreaLayout.pointBytes) {
                unsafe [UInt8]($0)
            }
            try body(bytes)
        }
    }
}
