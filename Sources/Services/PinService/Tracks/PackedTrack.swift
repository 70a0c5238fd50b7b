import FeatureFiles
import Geo
import PinFiles

/// A track as bytes, in which a point takes some four, and some three more with height and time.
///
/// `shape`: how many pieces there are, and of each how many points, and for each of these how far north and how far
/// east of the one before it is, in 1e-7 degrees.
///
/// `details`, which are empty where there are none: for each piece what it has, and for each of its points the height
/// in centimetres, then the time in milliseconds, or in seconds where all are whole: how much more than that of the
/// last point that has one, plus one; 0 where it is not known.
///
/// All numbers have seven bits a byte, the lowest first; the steps have their sign in the lowest bit.
struct PackedTrack: Equatable, Sendable {
    var shape: [UInt8]
    var details: [UInt8]

    var byteCount: Int { shape.count + details.count }

    private static let hasHeights: UInt64 = 1
    private static let hasTimes: UInt64 = 2
    private static let hasSeconds: UInt64 = 4
    private static let isHole: UInt64 = 8

    init(shape: [UInt8], details: [UInt8]) { (self.shape, self.details) = (shape, details) }

    init(_ parts: [TrackRecord.Part]) {
        var (shape, details) = (PackedNumbers(), PackedNumbers())
        shape.add(UInt64(parts.count))
        for part in parts {
            shape.add(UInt64(part.points.count))
            var (north, east): (Int64, Int64) = (0, 0)
            for point in part.points {
                shape.add(step: Int64(point.position.latitudeE7) - north)
                shape.add(step: Int64(point.position.longitudeE7) - east)
                (north, east) = (Int64(point.position.latitudeE7), Int64(point.position.longitudeE7))
            }
            Self.add(part, to: &details)
        }
        self.shape = shape.bytes
        self.details = details.bytes.allSatisfy { $0 == 0 } ? [] : details.bytes
    }

    private static func add(_ part: TrackRecord.Part, to details: inout PackedNumbers) {
        let heights = part.points.map { $0.heightCentimetres.map(Int64.init) }
        let times = part.points.map(\.milliseconds)
        let isWhole = times.allSatisfy { ($0 ?? 0) % 1_000 == 0 }
        var flags = part.isHole ? isHole : 0
        if heights.contains(where: { $0 != nil }) { flags |= hasHeights }
        if times.contains(where: { $0 != nil }) { flags |= hasTimes | (isWhole ? hasSeconds : 0) }
        details.add(flags)
        if flags & hasHeights != 0 { details.add(values: heights) }
        if flags & hasTimes != 0 { details.add(values: isWhole ? times.map { $0.map { $0 / 1_000 } } : times) }
    }

    /// Nil for what are no such bytes.
    var parts: [TrackRecord.Part]? {
        var rest = PackedReading(shape)
        var details = PackedReading(self.details)
        var parts: [TrackRecord.Part] = []
        guard let count = rest.number() else { return nil }
        for _ in 0..<min(count, UInt64(shape.count)) {
            guard var part = Self.part(&rest) else { return nil }
            if !self.details.isEmpty, !Self.read(&details, into: &part) { return nil }
            parts.append(part)
        }
        return rest.isAtEnd && details.isAtEnd ? parts : nil
    }

    private static func part(_ rest: inout PackedReading) -> TrackRecord.Part? {
        guard let count = rest.number(), count <= rest.count else { return nil }
        var (north, east): (Int64, Int64) = (0, 0)
        var points: [ShapePoint] = []
        for _ in 0..<count {
            guard let up = rest.step(), let right = rest.step() else { return nil }
            (north, east) = (north &+ up, east &+ right)
            guard let latitude = Int32(exactly: north), let longitude = Int32(exactly: east),
                let point = try? Coordinate(latitudeE7: latitude, longitudeE7: longitude)
            else { return nil }
            points.append(ShapePoint(point))
        }
        return TrackRecord.Part(points)
    }

    /// Whether that could be read.
    private static func read(_ details: inout PackedReading, into part: inout TrackRecord.Part) -> Bool {
        guard let flags = details.number() else { return false }
        part.isHole = flags & isHole != 0
        if flags & hasHeights != 0 {
            for index in part.points.indices {
                guard let height = details.value() else { return false }
                part.points[index].heightCentimetres = height.flatMap { Int32(exactly: $0) }
            }
        }
        if flags & hasTimes != 0 {
            details.beginValues()
            let unit: Int64 = flags & hasSeconds != 0 ? 1_000 : 1
            for index in part.points.indices {
                guard let time = details.value() else { return false }
                part.points[index].milliseconds = time.flatMap { time in
                    let product = time.multipliedReportingOverflow(by: unit)
                    return product.overflow ? nil : product.partialValue
                }
            }
        }
        details.beginValues()
        return true
    }
}
