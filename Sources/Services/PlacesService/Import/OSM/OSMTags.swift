import Bytes
import FeatureFiles

/// The tags of an element that may be a place.
struct OSMTags {
    /// More than this no element may have; in OpenStreetMap none has half as many.
    static let maximumTags = 2000
    /// Bytes of all keys and values together.
    static let maximumBytes = 256 << 10

    private var values: [String: String] = [:]
    private var names: [(key: String, value: String)] = []

    /// Reads them from a block, whose texts they are known to be among.
    init(_ tags: [TagPair], in block: OSMBlock) throws(RowProblem) {
        guard tags.count <= Self.maximumTags else {
            throw RowProblem("it has \(tags.count) tags, at most \(Self.maximumTags) are allowed")
        }
        let bytes = tags.reduce(0) { $0 + block.texts[Int($1.key)].count + block.texts[Int($1.value)].count }
        guard bytes <= Self.maximumBytes else {
            throw RowProblem("its tags take \(bytes) bytes, at most \(Self.maximumBytes) are allowed")
        }
        for tag in tags {
            let key = try Self.text(block.texts[Int(tag.key)])
            let value = try Self.text(block.texts[Int(tag.value)])
            guard !value.isEmpty, values.updateValue(value, forKey: key) == nil else { continue }
            if let attribute = OSMKeys.nameAttribute(key) { names.append((attribute, value)) }
        }
    }

    func value(_ key: String) -> String? { values[key] }

    /// The names in other languages, by these.
    var namesByLanguage: [(language: String, name: String)] {
        names.map { (String($0.key.dropFirst("name_".count)), $0.value) }
    }

    /// Of relations: what kind of relation it is.
    var type: String { values["type"] ?? "" }

    /// Writes name, categories and attributes to a row; false when it is not a place.
    func fill(_ row: inout PlaceRow) -> Bool {
        let found = categories
        guard let name = values["name"], !found.isEmpty else { return fillAddress(&row) }
        row.name = name
        row.categories = found.joined(separator: ";")
        row.attributes = allNames
        for detail in OSMKeys.details {
            guard let key = detail.keys.first(where: { values[$0] != nil }), let value = values[key] else { continue }
            row.attributes.append((detail.attribute, value))
        }
        if isStop, !ownLines.isEmpty { row.attributes.append((LineKey.attribute, ownLines)) }
        return true
    }

    /// What a map writes along a way that has them.
    var lines: [OSMLine] {
        OSMLineRules.lines(values).map { line in
            guard line.name == values["name"] else { return line }
            var line = line
            line.attributes = allNames
            if let item = values["wikidata"] { line.attributes.append(("wikidata", item)) }
            return line
        }
    }

    /// Writes the line of an area, as a street's that is one; false when it has none.
    func fillLine(_ row: inout PlaceRow) -> Bool {
        guard let line = lines.first else { return false }
        (row.name, row.categories, row.attributes) = (line.name, line.category, line.attributes)
        return true
    }

    /// The address among them, as far as there is one.
    var address: AddressFields {
        var address = AddressFields()
        address.street = OSMKeys.streets.lazy.compactMap { values[$0] }.first ?? ""
        address.number = values[OSMKeys.number] ?? ""
        address.city = values["addr:city"] ?? ""
        address.postcode = values["addr:postcode"] ?? ""
        return address
    }

    /// Of a way along houses: "odd", "even", "all", or by how much a number differs from the next one.
    var interpolation: String { values[OSMKeys.interpolation] ?? "" }

    /// A house without a name is one of an address.
    private func fillAddress(_ row: inout PlaceRow) -> Bool {
        let address = address
        guard !address.number.isEmpty, (try? address.fill(&row)) != nil else { return false }
        return true
    }

    private var categories: [String] {
        var found = OSMKeys.categories.flatMap { key in values[key].map { Self.categories(key, $0) } ?? [] }
        if let category = values[OSMKeys.road].flatMap({ OSMKeys.roadPlaces[$0] }) { found.append(category) }
        // That something is a building adds little to its purpose.
        let telling = found.filter { $0 != "building" }
        return Array(Self.distinct(telling.isEmpty ? found : telling).prefix(PlaceRow.maximumCategories))
    }

    /// Names in other languages, and other names.
    private var allNames: [(key: String, value: String)] {
        let others = otherNames
        return others.isEmpty ? names : names + [(key: "alt_names", value: others.joined(separator: ";"))]
    }

    private var otherNames: [String] {
        Self.distinct(
            OSMKeys.otherNames.flatMap { key in
                (values[key] ?? "").split(at: ";").map { String($0).withoutBlanks }
            }
            .filter { !$0.isEmpty })
    }

    /// `amenity=bar;cafe` gives amenity/bar and amenity/cafe; `building=yes` just building.
    static func categories(_ key: String, _ value: String) -> [String] {
        value.split(at: ";").compactMap { part in
            let word = word(part.lowercased())
            let category = word == "yes" ? key : "\(key)/\(word)"
            let isNothing = word.isEmpty || word == "no" || OSMKeys.noPlaces.contains(category)
            if isNothing || (key == "railway" && !OSMKeys.railwayPlaces.contains(word)) { return nil }
            return category
        }
    }

    /// Lower-case letters, digits, '-' and ':' as they are; a '_' for everything between them.
    private static func word(_ text: String) -> String {
        let words = text.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): false
            case UInt8(ascii: ":"), UInt8(ascii: "-"): false
            default: true
            }
        }
        return words.map { String(Substring($0)) }.joined(separator: "_")
    }

    private static func distinct(_ list: [String]) -> [String] {
        var seen: Set<String> = []
        return list.filter { seen.insert($0).inserted }
    }

    private static func text(_ bytes: [UInt8]) throws(RowProblem) -> String {
        guard let text = try? UTF8Span(validating: bytes.span) else { throw RowProblem("one of its tags is not UTF-8") }
        return String(copying: text).streamSafe
    }
}
