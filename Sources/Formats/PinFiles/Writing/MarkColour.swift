import Bytes
import FeatureFiles

/// The colours of lists as other programs say them. Read again, each is the same colour.
enum MarkColour: String, CaseIterable {
    case red, orange, yellow, green, teal, blue, purple, pink, brown, grey

    /// Red, green and blue, in two hexadecimal digits each.
    var digits: String {
        switch self {
        case .red: "e53935"
        case .orange: "fb8c00"
        case .yellow: "fdd835"
        case .green: "43a047"
        case .teal: "00897b"
        case .blue: "1e88e5"
        case .purple: "8e24aa"
        case .pink: "d81b60"
        case .brown: "795548"
        case .grey: "757575"
        }
    }

    /// KML's order: opacity, blue, green, red.
    var reversedDigits: String { reversedDigits(opacity: "ff") }

    func reversedDigits(opacity: String) -> String {
        let digits = Array(digits.utf8)
        return String(decoding: Array(opacity.utf8) + digits[4...] + digits[2..<4] + digits[..<2], as: UTF8.self)
    }

    /// The style that has this colour in Organic Maps, whatever a file says of it.
    var style: String { self == .grey ? "placemark-gray" : "placemark-\(rawValue)" }

    /// The symbol of Garmin's devices that is nearest to it.
    var symbol: String {
        switch self {
        case .red, .pink: "Navaid, Red"
        case .orange, .brown: "Navaid, Orange"
        case .yellow: "Navaid, Amber"
        case .green: "Navaid, Green"
        case .teal, .blue: "Navaid, Blue"
        case .purple: "Navaid, Violet"
        case .grey: "Navaid, White"
        }
    }
}

extension TrackRecord {
    /// Its rings: each outline with the holes in it.
    var areas: [[TrackRecord.Part]] {
        parts.reduce(into: []) { areas, ring in
            if ring.isHole, !areas.isEmpty { areas[areas.count - 1].append(ring) } else { areas.append([ring]) }
        }
    }

    /// Its own, or that of its list.
    var markColour: MarkColour? {
        MarkColour(rawValue: colour) ?? lists.first.flatMap { MarkColour(rawValue: $0.colour) }
    }
}

extension PinRecord {
    /// The list that stands for all in programs that know one: its oldest.
    var firstList: (name: String, colour: MarkColour?)? {
        lists.first.map { ($0.name, MarkColour(rawValue: $0.colour)) }
    }

    /// The first address of the web in its note.
    var link: String? {
        for word in note.split(atScalars: { $0.properties.isWhitespace || $0 == "<" || $0 == "\"" }) {
            guard word.begins(with: "https://") || word.begins(with: "http://") else { continue }
            let isEnd = { (scalar: Unicode.Scalar) in ").,;:!?'".unicodeScalars.contains(scalar) }
            var scalars = word.unicodeScalars
            while let last = scalars.last, isEnd(last) { scalars.removeLast() }
            return String(scalars)
        }
        return nil
    }
}
