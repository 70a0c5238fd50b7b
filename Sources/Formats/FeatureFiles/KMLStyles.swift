internal import Bytes

/// The colours of a KML file's styles, as "#0288d1": of marks, else of lines, not of areas.
struct KMLStyles {
    private static let maximumCount = 10_000

    /// A colour, or the style that a style map names.
    private enum Look { case colour(String), other(String) }

    private var looks: [String: Look] = [:]
    /// The style or style map that is open.
    private var open: String?

    mutating func begin(_ element: String, id: String) {
        if element == "Style" || element == "StyleMap" { open = id }
    }

    /// An element inside of `parent` ends; of a style map the first of a pair is how a mark is usually shown.
    mutating func end(_ element: String, in parent: String, _ text: String) {
        if element == "Style" || element == "StyleMap" { open = nil }
        guard let open, looks.count < Self.maximumCount else { return }
        if parent == "IconStyle", element == "color", let colour = Self.colour(text) {
            looks[open] = .colour(colour)
        } else if looks[open] != nil {
            return
        } else if parent == "LineStyle", element == "color" {
            looks[open] = Self.colour(text).map { .colour($0) }
        } else if parent == "Pair", element == "styleUrl" {
            looks[open] = .other(text)
        }
    }

    /// What was open can't be read to its end.
    mutating func cutOff() { open = nil }

    /// The colour of a style, by its address in the file; empty when it has none that is known.
    func colour(of address: String) -> String {
        let id = address.after("#").map(String.init) ?? address
        // Organic Maps knows colours by the names of its styles.
        if let name = id.after("placemark-") { return String(name) }
        switch looks[id] {
        case .colour(let colour): return colour
        case .other(let other):
            if case .colour(let colour)? = looks[other.after("#").map(String.init) ?? other] { return colour }
        case nil: break
        }
        return Self.colour(named: id)
    }

    /// "7f00ff00", opacity, blue, green and red; nil for white, which leaves a mark's picture as it is.
    static func colour(_ text: String) -> String? {
        let digits = Array(text.asciiLowercased.utf8.drop { $0 == UInt8(ascii: "#") })
        guard digits.count == 8, UInt32(String(decoding: digits, as: UTF8.self), radix: 16) != nil else { return nil }
        let colour = String(decoding: digits[6...] + digits[4..<6] + digits[2..<4], as: UTF8.self)
        return colour == "ffffff" ? nil : "#\(colour)"
    }

    /// Google's My Maps has the colour in the name: "icon-1899-0288D1-nodesc".
    private static func colour(named id: String) -> String {
        let parts = id.split(at: "-")
        guard parts.count >= 3, parts[0].isSame(as: "icon"), parts[2].utf8.count == 6,
            UInt32(parts[2], radix: 16) != nil
        else { return "" }
        return "#\(parts[2])"
    }
}
