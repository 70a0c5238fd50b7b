internal import Bytes
internal import Refusals

/// Collects the places of one kind of XML file.
protocol PlacemarkCollector: MarkupVisitor {
    /// What the format is called, and its outermost element.
    var format: String { get }
    var root: String { get }
    /// Whether that was seen.
    var isRoot: Bool { get }
    /// The elements that places and lines are.
    var beginnings: [String] { get }
    /// Hands over what is complete.
    func takePlaces() -> [Feature]
    /// The same of lines beside the places.
    func takeLines() -> [FeatureLine]
    /// The same of what is said of lists by itself.
    func takeLists() -> [FeatureList]
    /// What is open can't be read to its end. Gives what is left out, in words.
    func cutOff() -> String
    /// Of elements that are open, as they are written, those in which the next place begins.
    func context(of open: [String]) -> [String]
}

/// Where an element begins in a part of a text.
enum MarkupBeginning: Equatable {
    case at(Int)
    /// It does not, before this byte.
    case after(Int)
}

extension PlacemarkCollector {
    /// Where the next place begins.
    func beginning(in bytes: ArraySlice<UInt8>, isLast: Bool) -> MarkupBeginning {
        var rest = bytes
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            let name = rest[(start + 1)...].prefix(Self.longestName).prefix { byte in
                byte > 0x20 && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
            }
            if name.endIndex == bytes.endIndex, !isLast, name.count < Self.longestName { return .after(start) }
            let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
            if beginnings.contains(where: { local.elementsEqual($0.utf8) }) { return .at(start) }
            rest = rest[name.endIndex...]
        }
        return .after(bytes.endIndex)
    }

    private static var longestName: Int { 100 }
}

extension Feature {
    /// "the placemark \"Museum\"".
    func calling(_ kind: String) -> String {
        let name = properties.first { $0.key == "name" }?.value
        return name.map { "the \(kind) \($0.quoted)" } ?? "\(kind) \(number)"
    }

    /// Whether we have written it.
    var isOfWaymark: Bool { properties.contains { $0.key.begins(with: "\(PinMarkup.prefix):") } }

    /// Adds what an element says when it is one of our own.
    mutating func add(own element: String, _ attribute: (String) -> String?) {
        if element == PinMarkup.list, let name = attribute("name") {
            add(list: FeatureList(name: name, colour: attribute("colour") ?? ""))
        }
        if element == PinMarkup.track || element == PinMarkup.area { add(property: element, "true") }
        if element == PinMarkup.hole { markHole() }
        guard element == PinMarkup.pin else { return }
        for name in PinMarkup.attributes {
            if let value = attribute(name) { add(property: "\(PinMarkup.prefix):\(name)", value) }
        }
    }

    /// Adds a position from texts of degrees east and north.
    mutating func add(positionTexts texts: [String], line: UInt64) {
        let numbers = texts.prefix(2).compactMap { DecimalNumber.parse($0) }
        // With more than a height behind them two are glued, or have commas for points: it is another place.
        let isWhole = texts.count <= 3 && texts.dropFirst(2).allSatisfy { $0.isEmpty || DecimalNumber.parse($0) != nil }
        guard numbers.count == 2, isWhole else {
            let given = texts.joined(separator: ",").quoted
            return refuse(position: "line \(line): its position is \(given), degrees east and north are needed")
        }
        add(position: numbers + texts.dropFirst(2).prefix(1).compactMap { DecimalNumber.parse($0) })
    }
}
