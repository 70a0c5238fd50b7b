import Geo

/// The pieces of a track as bytes, in which a point takes some four: how many pieces there are, and of each how many
/// points, and for each of these how far north and how far east of the one before it is, in 1e-7 degrees. All numbers
/// have seven bits a byte, the lowest first; the steps have their sign in the lowest bit.
enum PackedTrack {
    static func bytes(_ parts: [[Coordinate]]) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ number: UInt64) {
            var rest = number
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        func add(step: Int64) { add(UInt64(bitPattern: step << 1 ^ step >> 63)) }
        add(UInt64(parts.count))
        for part in parts {
            add(UInt64(part.count))
            var (north, east): (Int64, Int64) = (0, 0)
            for point in part {
                add(step: Int64(point.latitudeE7) - north)
                add(step: Int64(point.longitudeE7) - east)
                (north, east) = (Int64(point.latitudeE7), Int64(point.longitudeE7))
            }
        }
        return bytes
    }

    /// Nil for what are no such bytes.
    static func parts(_ bytes: [UInt8]) -> [[Coordinate]]? {
        var rest = bytes[...]
        func number() -> UInt64? {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while let byte = rest.popFirst(), shift < 64 {
                value |= UInt64(byte & 0x7f) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            return nil
        }
        func step() -> Int64? { number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) } }
        var parts: [[Coordinate]] = []
        guard let count = number() else { return nil }
        for _ in 0..<min(count, UInt64(bytes.count)) {
            guard let points = number(), points <= bytes.count else { return nil }
            var (north, east): (Int64, Int64) = (0, 0)
            var part: [Coordinate] = []
            for _ in 0..<points {
                guard let up = step(), let right = step() else { return nil }
                (north, east) = (north &+ up, east &+ right)
                guard let latitude = Int32(exactly: north), let longitude = Int32(exactly: east),
                    let point = try? Coordinate(latitudeE7: latitude, longitudeE7: longitude)
                else { return nil }
                part.append(point)
            }
            parts.append(part)
        }
        return rest.isEmpty ? parts : nil
    }
}
