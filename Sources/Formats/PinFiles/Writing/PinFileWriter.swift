/// The formats that pins are written in.
package enum PinFormat: CaseIterable, Sendable {
    case geoJSON, gpx, kml, kmz
}

/// Writes pins to a file, whose bytes are given as they are made.
package struct PinFileWriter: ~Copyable {
    private var text: any PinText
    private var archive: KMZArchive?

    package init(_ format: PinFormat) {
        switch format {
        case .geoJSON: text = GeoJSONText()
        case .gpx: text = GPXText()
        case .kml: text = KMLText()
        case .kmz:
            text = KMLText()
            archive = KMZArchive()
        }
    }

    /// What stands before the first pin.
    package mutating func begin() -> [UInt8] { give(text.begin) }

    package mutating func add(_ pins: [PinRecord]) -> [UInt8] {
        var bytes: [UInt8] = []
        for pin in pins { text.add(pin, to: &bytes) }
        return give(bytes)
    }

    /// Behind all pins.
    package mutating func add(_ tracks: [TrackRecord]) -> [UInt8] {
        var bytes: [UInt8] = []
        for track in tracks { text.add(track, to: &bytes) }
        return give(bytes)
    }

    /// What stands after the last one.
    package mutating func end() -> [UInt8] { give(text.end, isLast: true) }

    private mutating func give(_ bytes: [UInt8], isLast: Bool = false) -> [UInt8] {
        archive == nil ? bytes : archive?.add(bytes, isLast: isLast) ?? []
    }
}

/// The text of one format.
protocol PinText {
    var begin: [UInt8] { get }
    var end: [UInt8] { get }
    mutating func add(_ pin: PinRecord, to bytes: inout [UInt8])
    mutating func add(_ track: TrackRecord, to bytes: inout [UInt8])
}

/// 1e-7 degrees as degrees, without anything lost: "60.1699".
enum DegreesE7 {
    static func text(_ e7: Int32) -> String {
        let (whole, rest) = e7.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
        let sign = e7 < 0 ? "-" : ""
        guard rest != 0 else { return "\(sign)\(whole)" }
        let digits = String(rest)
        var fraction = String(repeating: "0", count: 7 - digits.utf8.count) + digits
        while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
        return "\(sign)\(whole).\(fraction)"
    }
}

/// Centimetres as metres: "123.4".
enum Metres {
    static func text(centimetres: Int32) -> String {
        let (whole, rest) = centimetres.magnitude.quotientAndRemainder(dividingBy: 100)
        let fraction = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return "\(centimetres < 0 ? "-" : "")\(whole)\(fraction)"
    }
}
