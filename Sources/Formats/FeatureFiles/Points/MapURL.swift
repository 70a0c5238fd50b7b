internal import Bytes
internal import Geo

/// The parts of a URL.
struct MapURL {
    /// In small letters: "om"; empty for http, https and none.
    let scheme: String
    let host: String
    /// The host as it is written, where programs put a code there.
    let name: String
    let path: String
    let fragment: String
    private let query: [(name: String, value: String)]

    /// Nil for what is no URL, with or without its scheme.
    init?(_ text: Substring) {
        let (scheme, rest) = Self.scheme(text)
        self.scheme = scheme
        let (whole, behind) = rest.halves(at: "#") ?? (rest, "")
        fragment = Self.decoded(behind)
        let address = whole.split(at: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let location = address.first ?? ""
        let place = location.until("/", ":")
        guard !place.isEmpty || !scheme.isEmpty else { return nil }
        name = String(place)
        host = place.asciiLowercased
        path = Self.decoded(location[place.endIndex...])
        let pairs = address.count == 2 ? address[1].split(at: "&") : []
        query = pairs.map { pair in
            let sides = pair.split(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(sides.first ?? ""), Self.decoded(sides.count == 2 ? sides[1] : ""))
        }
    }

    private static func scheme(_ text: Substring) -> (String, Substring) {
        guard let range = text.utf8.firstRange(of: "://".utf8) else { return ("", text) }
        let name = text[..<range.lowerBound].asciiLowercased
        guard name.unicodeScalars.allSatisfy({ $0.isASCIILetter || $0.isDigit }) else { return ("", text) }
        return (name == "http" || name == "https" ? "" : name, text[range.upperBound...])
    }

    subscript(_ name: String) -> String? { query.first { $0.name.isSame(as: name) }?.value }

    func isAt(_ domains: String...) -> Bool {
        scheme.isEmpty && domains.contains { host.isSame(as: $0) || host.ends(with: ".\($0)") }
    }

    /// What stands between the slashes of its path.
    var parts: [Substring] { path.split(at: "/") }

    /// The first of these fields that holds a point in degrees north and east.
    func point(_ names: String...) -> Geo.Coordinate? {
        for name in names {
            guard let value = self[name] else { continue }
            if let point = Self.point(value.after("loc:") ?? value[...]) { return point }
        }
        return nil
    }

    /// The first of these fields that holds two numbers with degrees east first.
    func turnedPoint(_ names: String...) -> Geo.Coordinate? {
        for name in names {
            guard let value = self[name], let (east, north) = value.halves(at: ",") else { continue }
            if let point = NumberPair.point("\(north.until(",", "~", "z", "l")),\(east)") { return point }
        }
        return nil
    }

    /// Degrees with decimals, or with minutes and seconds.
    static func point(_ text: Substring) -> Geo.Coordinate? {
        NumberPair.point(text) ?? DegreesText.point(String(text.until("(")))
    }

    /// Without %XX; "+" stands for a blank.
    private static func decoded(_ text: Substring) -> String { URLText.unescaped(text, plusIsBlank: true) }
}
