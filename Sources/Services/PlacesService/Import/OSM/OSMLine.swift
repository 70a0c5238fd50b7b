import Bytes
import FeatureFiles

/// What a map writes along a way: the name of a street, the number of a road, the name of a river.
struct OSMLine {
    enum Kind: String {
        case street, road, waterway, railway, ferry, bridge, tunnel
    }

    let kind: Kind
    let name: String
    let category: String
    /// Other names, and what else there is to know.
    var attributes: [(key: String, value: String)] = []
}

/// Which ways have lines, and which.
enum OSMLineRules {
    /// Things beside roads.
    private static let noStreets: Set<String> = [
        "bus_stop", "platform", "elevator", "rest_area", "services",
    ]
    /// Roads whose numbers are on signs; those of paths are of routes.
    private static let numbered: Set<String> = [
        "motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "road",
    ]
    private static let rails: Set<String> = [
        "rail", "light_rail", "narrow_gauge", "subway", "tram", "funicular", "monorail",
    ]
    /// What waterways are called besides.
    private static let waters: Set<String> = ["river", "stream", "canal", "ditch", "drain", "brook", "fairway"]
    /// Bytes of a road's number.
    private static let longestNumber = 24

    /// - Parameter tags: the values of an element by their keys.
    static func lines(_ tags: [String: String]) -> [OSMLine] {
        var lines: [OSMLine] = []
        if let name = tags["name"], let (kind, category) = Self.kind(of: tags) {
            lines.append(OSMLine(kind: kind, name: name, category: category))
        }
        for (key, kind) in zip(OSMKeys.lineNames, [OSMLine.Kind.bridge, .tunnel]) {
            guard let name = tags[key] else { continue }
            lines.append(OSMLine(kind: kind, name: name, category: "\(LineCategory.path)/\(kind)"))
        }
        return lines + numbers(tags)
    }

    private static func kind(of tags: [String: String]) -> (OSMLine.Kind, category: String)? {
        if let value = tags["highway"], !noStreets.contains(value) { return (.street, LineCategory.street) }
        if let value = tags["waterway"] {
            return (.waterway, "\(LineCategory.path)/\(waters.contains(value) ? value : "waterway")")
        }
        if let value = tags["railway"], rails.contains(value) { return (.railway, "line/railway") }
        if tags["route"] == "ferry" { return (.ferry, "\(LineCategory.path)/ferry") }
        return nil
    }

    private static func numbers(_ tags: [String: String]) -> [OSMLine] {
        guard let road = tags["highway"], numbered.contains(road) else { return [] }
        var names: Set<String> = []
        return OSMKeys.lineNumbers.flatMap { (tags[$0] ?? "").split(at: ";") }.compactMap { part in
            let name = String(part).withoutBlanks
            guard name.utf8.contains(where: { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                name.utf8.count <= longestNumber, names.insert(name).inserted
            else { return nil }
            let others = RoadNumber(name).spellings.filter { $0 != name }
            return OSMLine(
                kind: .road, name: name, category: LineCategory.road,
                attributes: others.isEmpty ? [] : [(key: "alt_names", value: others.joined(separator: ";"))])
        }
    }
}

/// The number of a road, as "I 83", "US 322", "A7".
struct RoadNumber {
    private static let states: Set<String> = [
        "AK", "AL", "AR", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "GA", "HI", "IA", "ID", "IL", "IN", "KS", "KY",
        "LA", "MA", "MD", "ME", "MI", "MN", "MO", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH",
        "OK", "OR", "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VT", "WA", "WI", "WV", "WY", "SR", "SH",
    ]

    private static let written = [
        "I": ["Interstate"], "US": ["US Route", "US Highway", "Route", "Highway"],
    ]
    private static let ofState = ["Route", "Highway", "State Route"]
    private static let between: Set<Unicode.Scalar> = [" ", "-"]

    private let words: [String]

    /// Takes it as a sign or a map has it; blanks and hyphens say the same.
    init(_ text: String) {
        words = text.split(atScalars: Self.between.contains).map(String.init)
    }

    /// How people write it besides: without the blank, with one, and in the words of its country.
    var spellings: [String] {
        if words.count == 1 { return [spaced].compactMap(\.self) }
        guard words.count == 2, let letters = words.first, let number = words.last else { return [] }
        let others = Self.written[letters] ?? (Self.states.contains(letters) ? Self.ofState : [])
        return [letters + number] + others.map { "\($0) \(number)" }
    }

    /// "A 7" of "A7"; nil for what has no letters before its digits.
    private var spaced: String? {
        let text = words[0]
        let letters = text.utf8.prefix { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }
        let number = text.utf8.dropFirst(letters.count)
        guard !letters.isEmpty, !number.isEmpty else { return nil }
        return "\(Substring(letters)) \(Substring(number))"
    }
}
