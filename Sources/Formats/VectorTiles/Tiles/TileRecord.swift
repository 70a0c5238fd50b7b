/// A feature in one tile, as bytes that wait until all features of the tile are known:
///
///     what it is | its kind | number of parts | for each: number of coordinates, then their steps
struct TileRecord {
    /// What it is, and its kind: records that agree in them become one feature.
    let head: [UInt8]
    let feature: TileFeature
    let kind: TileShape.Kind
    let parts: [[Int32]]

    /// The bytes of a record.
    static func bytes(_ head: [UInt8], _ parts: [[Int32]]) -> [UInt8] {
        var bytes = head
        Varint.append(UInt64(parts.count), to: &bytes)
        var (x, y) = (Int32(0), Int32(0))
        for part in parts {
            Varint.append(UInt64(part.count), to: &bytes)
            for index in stride(from: 0, to: part.count - 1, by: 2) {
                Varint.append(UInt64(Varint.folded(part[index] - x)), to: &bytes)
                Varint.append(UInt64(Varint.folded(part[index + 1] - y)), to: &bytes)
                (x, y) = (part[index], part[index + 1])
            }
        }
        return bytes
    }

    static func head(_ feature: TileFeature, _ kind: TileShape.Kind) -> [UInt8] {
        var head: [UInt8] = []
        feature.write(to: &head)
        head.append(kind.rawValue)
        return head
    }

    /// Nil for bytes that are no record.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard let feature = TileFeature(reading: &rest), let kind = rest.popFirst().flatMap(TileShape.Kind.init) else {
            return nil
        }
        head = Array(bytes[..<rest.startIndex])
        self.feature = feature
        self.kind = kind
        guard let count = Varint.read(&rest) else { return nil }
        var parts: [[Int32]] = []
        var (x, y) = (Int32(0), Int32(0))
        for _ in 0..<count {
            guard let length = Varint.read(&rest), length <= 2 * rest.count else { return nil }
            var part: [Int32] = []
            for _ in 0..<length / 2 {
                guard let right = Varint.read(&rest), let down = Varint.read(&rest) else { return nil }
                x &+= Varint.unfolded(right)
                y &+= Varint.unfolded(down)
                part.append(x)
                part.append(y)
            }
            parts.append(part)
        }
        self.parts = parts
    }
}
