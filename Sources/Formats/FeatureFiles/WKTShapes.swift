internal import Bytes

/// Shapes as databases and tables of maps write them (WKT, OGC 06-103r4): "POLYGON ((24 60, 25 60, 25 61, 24 60))".
package enum WKTShapes {
    /// Nil for another text, and for one that can't be read to its end.
    package static func feature(_ text: String, number: UInt64) -> Feature? {
        var reader = WKTReader(Feature(number: number), text)
        guard reader.passSystem(), reader.shape(depth: 0), reader.isAtEnd else { return nil }
        return reader.feature
    }
}

private struct WKTReader {
    private static let deepest = 8

    private(set) var feature: Feature
    private var rest: ArraySlice<UInt8>
    /// Whether a third number is a measure.
    private var hasMeasures = false

    init(_ feature: Feature, _ text: String) {
        self.feature = feature
        rest = Array(text.asciiLowercased.utf8)[...]
    }

    var isAtEnd: Bool { rest.allSatisfy { $0 <= 0x20 } }

    /// "srid=4326;", which is degrees; false for any other system.
    mutating func passSystem() -> Bool {
        guard rest.starts(with: "srid=".utf8), let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return true }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end].elementsEqual("srid=4326".utf8)
    }

    /// Whether one could be read.
    mutating func shape(depth: Int) -> Bool {
        var name = word()
        for suffix in ["zm", "z", "m"] where name.count > suffix.utf8.count && name.ends(with: suffix) {
            hasMeasures = suffix.isSame(as: "m")
            name = String(name.before(suffix) ?? "")
            break
        }
        let before = rest
        let next = word()
        if next.isSame(as: "empty") { return depth > 0 }
        let isDimension = next.isSame(as: "z") || next.isSame(as: "m") || next.isSame(as: "zm")
        if isDimension { hasMeasures = next.isSame(as: "m") } else { rest = before }
        switch name {
        case "point":
            feature.begin(.point)
            return positions()
        case "linestring", "linearring":
            feature.begin(.line)
            return positions()
        case "polygon": return polygon()
        case "multipoint": return list { $0.pointOfMany() }
        case "multilinestring":
            return list { reader in
                reader.feature.begin(.line)
                return reader.positions()
            }
        case "multipolygon": return list { $0.polygon() }
        case "geometrycollection": return depth < Self.deepest && list { $0.shape(depth: depth + 1) }
        default: return false
        }
    }

    private mutating func polygon() -> Bool {
        var isHole = false
        return list { reader in
            reader.feature.begin(.area, isHole: isHole)
            isHole = true
            return reader.positions()
        }
    }

    /// With brackets around each, or without.
    private mutating func pointOfMany() -> Bool {
        feature.begin(.point)
        let isInside = take("(")
        return position() && (!isInside || take(")"))
    }

    private mutating func positions() -> Bool { list { $0.position() } }

    private mutating func list(_ one: (inout WKTReader) -> Bool) -> Bool {
        guard take("(") else { return false }
        repeat { if !one(&self) { return false } } while take(",")
        return take(")")
    }

    private mutating func position() -> Bool {
        var numbers: [Double] = []
        while numbers.count < 4, let number = number() { numbers.append(number) }
        guard numbers.count >= 2 else { return false }
        feature.add(position: Array(numbers.prefix(hasMeasures ? 2 : 3)))
        return true
    }

    private mutating func number() -> Double? {
        passBlanks()
        let digits = rest.prefix { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.e".utf8.contains(byte)
        }
        guard !digits.isEmpty, let number = DecimalNumber.parse(String(decoding: digits, as: UTF8.self)) else {
            return nil
        }
        rest = rest[digits.endIndex...]
        return number
    }

    private mutating func word() -> String {
        passBlanks()
        let letters = rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        rest = rest[letters.endIndex...]
        return String(decoding: letters, as: UTF8.self)
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        passBlanks()
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func passBlanks() { rest = rest.drop { $0 <= 0x20 } }
}
