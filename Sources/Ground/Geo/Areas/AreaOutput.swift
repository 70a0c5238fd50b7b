/// The bytes of an index of areas on their way to its file.
struct AreaOutput: ~Copyable {
    /// A multiple of what the checksum takes at a time.
    private static let pieceBytes = 1 << 20

    private var file: SnapshotFileWriter
    private var checksum = Checksum()
    private var pending: [UInt8] = []

    init(path: String) throws(GeoError) {
        var file = try SnapshotFileWriter(path: path)
        try Self.write([UInt8](repeating: 0, count: AreaLayout.headerBytes), to: &file)
        self.file = file
    }

    mutating func add(_ bytes: [UInt8]) throws(GeoError) {
        pending += bytes
        try storeWhole()
    }

    mutating func add(number: some FixedWidthInteger) throws(GeoError) {
        pending.add(number)
        try storeWhole()
    }

    mutating func add(_ box: AreaBox) throws(GeoError) {
        pending.add(box)
        try storeWhole()
    }

    /// Writes the header and gives the file its name; gives its bytes.
    consuming func finish(_ layout: AreaLayout, source: UInt64) throws(GeoError) -> Int {
        unsafe pending.withUnsafeBytes { unsafe checksum.add($0) }
        try Self.write(pending, to: &file)
        var header = AreaLayout.magic
        header.add(checksum.value)
        header.add(source)
        header.add(UInt32(layout.records))
        header.add(UInt32(layout.pieces))
        for number in [layout.points, layout.steps, layout.texts] { header.add(UInt64(number)) }
        header.add(Checksum.of(header))
        try file.overwrite(at: 0, with: header)
        try file.commit()
        return layout.fileBytes
    }

    private mutating func storeWhole() throws(GeoError) {
        guard pending.count >= Self.pieceBytes else { return }
        let whole = Array(pending.prefix(pending.count / 32 * 32))
        unsafe whole.withUnsafeBytes { unsafe checksum.add($0) }
        try Self.write(whole, to: &file)
        pending.removeFirst(whole.count)
    }

    private static func write(_ bytes: [UInt8], to file: inout SnapshotFileWriter) throws(GeoError) {
        let result: Result<Void, GeoError> = unsafe bytes.withUnsafeBytes { buffer in
            do throws(GeoError) { return .success(unsafe try file.write(buffer)) } catch { return .failure(error) }
        }
        try result.get()
    }
}

/// Boxes around the steps of a piece.
enum AreaStepBoxes {
    /// Those of all levels, as they are in the file; none for few steps.
    static func of(_ points: [UInt8]) -> [UInt8] {
        let count = points.count / AreaLayout.pointBytes
        let levels = AreaIndex.stepLevels(count - 1)
        guard !levels.isEmpty else { return [] }
        var bytes: [UInt8] = []
        var boxes: [AreaBox] = stride(from: 0, to: count - 1, by: AreaLayout.fan).map { first in
            AreaBox((first...min(first + AreaLayout.fan, count - 1)).map { point($0, points) })
        }
        for level in levels.indices {
            if level > 0 { boxes = joined(boxes) }
            for box in boxes { bytes.add(box) }
        }
        return bytes
    }

    /// Boxes, each around some.
    static func joined(_ boxes: [AreaBox]) -> [AreaBox] {
        stride(from: 0, to: boxes.count, by: AreaLayout.fan).map { first in
            var box = AreaBox()
            for other in boxes[first..<min(first + AreaLayout.fan, boxes.count)] { box.add(other) }
            return box
        }
    }

    private static func point(_ index: Int, _ bytes: [UInt8]) -> AreaPoint {
        func number(_ at: Int) -> Int32 {
            Int32(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) })
        }
        let at = index * AreaLayout.pointBytes
        return AreaPoint(latitude: number(at), longitude: number(at + 4))
    }
}

extension [UInt8] {
    /// Appends a number, its lowest byte first.
    mutating func add(_ number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func add(_ point: AreaPoint) {
        add(point.latitude)
        add(point.longitude)
    }

    mutating func add(_ box: AreaBox) {
        for edge in [box.south, box.west, box.north, box.east] { add(edge) }
    }
}
