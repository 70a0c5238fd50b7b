internal import Bytes

/// The colours of a KML file's styles, as "#0288d1".
struct KMLStyles {
    private static let maximumCount = 10_000

    /// What a style says; of a style map, the style that it names.
    private struct Look {
        var colours = KMLColours()
        var other: String?
    }

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
        if element == "color" || element == "fill" {
            looks[open, default: Look()].colours.take(element, in: parent, text)
        } else if parent == "Pair", element == "styleUrl", looks[open] == nil {
            looks[open] = Look(other: text)
        }
    }

    /// What was open can't be read to its end.
    mutating func cutOff() { open = nil }

    /// The colours of a style, by its address in the file; empty where it has none that are known.
    func colours(of address: String) -> KMLColours {
        let id = address.after("#").map(String.init) ?? address
        // Organic Maps knows colours by the names of its styles.
        if let name = id.after("placemark-") { return KMLColours(mark: String(name)) }
        let look = looks[id]
        let other = look?.other.flatMap { looks[$0.after("#").map(String.init) ?? $0] }
        let colours = (other ?? look)?.colours ?? KMLColours()
        return colours.isEmpty ? KMLColours(mark: Self.colour(named: id)) : colours
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

/// The colours that a style has for marks, lines and areas; empty where it says none.
struct KMLColours {
    var mark = ""
    var line = ""
    var fill = ""
    /// Whether areas are only outlined; nil where it is not said.
    private var isHollow: Bool?

    init(mark: String = "") { self.mark = mark }

    var isEmpty: Bool { mark.isEmpty && line.isEmpty && fill.isEmpty }
    /// What stands for all that has the style.
    var any: String { mark.isEmpty ? line : mark }

    /// An element of a style ends, inside of what it is about.
    mutating func take(_ element: String, in parent: String, _ text: String) {
        if element == "fill", parent == "PolyStyle" { isHollow = text.isSame(as: "0") || text.isSame(as: "false") }
        guard element == "color", let colour = Self.colour(text) else { return }
        switch parent {
        case "IconStyle": mark = colour
        case "LineStyle": line = colour
        // What can't be seen is no colour of it.
        case "PolyStyle": fill = text.begins(with: "00") || text.begins(with: "#00") ? "" : colour
        default: break
        }
    }

    /// What this has, and else that of another style.
    func over(_ other: KMLColours) -> KMLColours {
        var colours = self
        if mark.isEmpty { colours.mark = other.mark }
        if line.isEmpty { colours.line = other.line }
        if fill.isEmpty { colours.fill = other.fill }
        colours.isHollow = isHollow ?? other.isHollow
        return colours
    }

    /// Says them of a line or an area, as maps of the web do (simplestyle).
    func say(of feature: inout Feature) {
        guard feature.shapes.contains(where: { $0.kind != .point }) else { return }
        if isHollow != true { feature.add(property: "fill", fill) }
        feature.add(property: "stroke", line)
    }

    /// "7f00ff00", opacity, blue, green and red; nil for white, which leaves a mark's picture as it is.
    private static func colour(_ text: String) -> String? {
        let digits = Array(text.asciiLowercased.utf8.drop { $0 == UInt8(ascii: "#") })
        guard digits.count == 8, UInt32(String(decoding: digits, as: UTF8.self), radix: 16) != nil else { return nil }
        let colour = String(decoding: digits[6...] + digits[4..<6] + digits[2..<4], as: UTF8.self)
        return colour == "ffffff" ? nil : "#\(colour)"
    }
}
