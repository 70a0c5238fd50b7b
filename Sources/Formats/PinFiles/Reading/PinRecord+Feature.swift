import Bytes
import FeatureFiles
import Geo
import Refusals

// What the programs write that people keep places with. Names of properties are compared without their case.
//
//     ours       name, note, visited_date, radius_m, is_named, create_time, lists; in GPX and KML see `PinMarkup`
//     GPX        name, desc, cmt, time, link; of OsmAnd type, which is a list, and visited_date; of Garmin categories
//     KML        name, description (which is HTML), TimeStamp; a folder is a list, of its first mark's colour
//     Takeout    location.name, location.address, google_maps_url, date; before 2023 Title, Location.Business Name,
//                Location.Address, Google Maps URL, Published; of labelled places name and address; a table is
//                a list, which has the file's name

extension PinFileItem.Content {
    /// What a feature is to be.
    init(_ feature: Feature, hasHTML: Bool) throws(RowProblem) {
        if let problem = feature.problem { throw problem }
        if !feature.shapes.isEmpty, feature.point == nil {
            guard feature.shapes.contains(where: { $0.kind != .point }) else {
                throw RowProblem("position: it has several points; one is needed")
            }
            self = .ofLine(feature, feature.shapes.lineWords)
            return
        }
        let values = FeatureValues(feature, hasHTML: hasHTML)
        if let position = values.position {
            self = .pin(try PinRecord(feature, values, position))
        } else {
            let unplaced = UnplacedRecord(feature, values)
            guard unplaced.isNamed else { throw values.missingPosition }
            self = .unplaced(unplaced)
        }
    }
}

extension PinFileItem.Content {
    /// A track of all lines of a feature; without one its kind and its name.
    static func ofLine(_ feature: Feature, _ kind: String) -> Self {
        guard let track = TrackRecord(feature) else {
            return .line(kind + (feature.title.map { " \($0.quoted)" } ?? ""))
        }
        return .track(track)
    }
}

extension TrackRecord {
    /// Of all lines of a feature; nil when it has none.
    init?(_ feature: Feature) {
        let lines = feature.lines
        guard !lines.isEmpty else { return nil }
        self.init(parts: lines)
        name = feature.title ?? ""
        lists = feature.lists
        // As its program has it, and as maps of the web colour a line (simplestyle).
        colour = feature.properties.first { ["colour", "stroke"].contains($0.key.asciiLowercased) }?.value ?? ""
    }
}

extension [FeatureShape] {
    /// What they are, if they are no point.
    fileprivate var lineWords: String {
        let kinds = Set(map(\.kind))
        return kinds.contains(.area) ? "area" : kinds.contains(.track) ? "track" : "line"
    }
}

extension Feature {
    fileprivate var title: String? {
        properties.first { ["name", "title"].contains($0.key.asciiLowercased) }?.value
    }
}

extension PinRecord {
    fileprivate init(_ feature: Feature, _ values: FeatureValues, _ position: Geo.Coordinate) throws(RowProblem) {
        self.init(position: position)
        name = values.first(FeatureValues.names)
        if name.isEmpty { name = values.first(FeatureValues.addresses) }
        isNamed = Self.flag(values.first(["waymark:named", "is_named"])) ?? !name.isEmpty
        note = values.note
        id = values.first(["waymark:id"])
        if id.isEmpty { id = feature.id ?? "" }
        lists = feature.lists
        visitedDay = values.visitedDay
        createdMilliseconds = values.createdMilliseconds
        let radius = values.first(["waymark:radius-m", "radius_m"])
        if !radius.isEmpty {
            guard let metres = DecimalNumber.parse(radius) else {
                throw RowProblem("radius_m: \(radius.quoted) is not allowed; a number of metres is")
            }
            radiusMetres = metres
        }
    }

    private static func flag(_ text: String) -> Bool? { text == "true" ? true : text == "false" ? false : nil }
}

extension UnplacedRecord {
    fileprivate init(_ feature: Feature, _ values: FeatureValues) {
        self.init()
        name = values.first(FeatureValues.names)
        address = values.first(FeatureValues.addresses)
        note = values.note
        link = values.first(FeatureValues.links)
        visitedDay = values.visitedDay
        createdMilliseconds = values.createdMilliseconds
        lists = feature.lists
    }
}

/// The properties of a feature, by their names in small letters.
private struct FeatureValues {
    static let names = [
        "name", "title", "location.name", "location.business name", "label", "name:en", "name_en", "int_name",
    ]
    static let addresses = ["location.address", "address"]
    static let links = ["google_maps_url", "google maps url", "url", "website"]
    private static let times = ["waymark:created", "create_time", "time", "date", "published"]

    private let point: Geo.Coordinate?
    private let hasHTML: Bool
    private var values: [String: String] = [:]

    init(_ feature: Feature, hasHTML: Bool) {
        (point, self.hasHTML) = (feature.point, hasHTML)
        for (key, value) in feature.properties where values[key.lowercased()] == nil {
            values[key.lowercased()] = value
        }
    }

    func first(_ keys: [String]) -> String { keys.lazy.compactMap { values[$0] }.first ?? "" }

    /// OsmAnd has the time too.
    var visitedDay: String {
        let text = first(["waymark:visited", "visited_date"])
        return FileTime.milliseconds(text) == nil ? text : String(text.unicodeScalars.prefix(10))
    }
    var createdMilliseconds: Int64? { FileTime.milliseconds(first(Self.times)) }

    /// Takeout writes 0, 0 for a place of which it knows no position; its link may have one.
    var position: Geo.Coordinate? {
        let link = first(Self.links)
        if let point, point.latitudeE7 != 0 || point.longitudeE7 != 0 || !link.holds("google") { return point }
        return MapLink.point(link)
    }

    var missingPosition: RowProblem {
        let link = first(Self.links)
        guard !link.isEmpty else { return RowProblem("position: it is missing; a point is needed") }
        return RowProblem("position: it is missing, and the link \(link.quoted) has none; a point is needed")
    }

    var note: String {
        if let own = values["waymark:note"] ?? values["note"] { return own }
        var texts: [String] = []
        for key in ["description", "desc", "comment", "cmt"] {
            guard let value = values[key], !value.begins(with: "No location information is available") else { continue }
            let text = hasHTML ? HTMLText.plain(value) : value
            if !text.isEmpty, !texts.contains(text) { texts.append(text) }
        }
        if let link = values["website"], link.begins(with: "http"), !texts.contains(where: { $0.holds(link) }) {
            texts.append(link)
        }
        return texts.joined(separator: "\n")
    }
}
