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
    /// What a feature is: a pin for each of its points, and what its lines and areas are. There is one at least.
    static func all(_ feature: Feature, hasHTML: Bool) throws(RowProblem) -> [Self] {
        if let problem = feature.problem { throw problem }
        let points = feature.points
        if !feature.shapes.isEmpty, points.isEmpty { return ofShapes(feature, feature.shapes.words) }
        let values = FeatureValues(feature, point: points.first, hasHTML: hasHTML)
        guard let position = values.position else {
            let unplaced = UnplacedRecord(feature, values)
            guard unplaced.isNamed else { throw values.missingPosition }
            return [.unplaced(unplaced)]
        }
        let first = try PinRecord(feature, values, position)
        guard feature.shapes.count > 1 || points.count > 1 else { return [.pin(first)] }
        var others = first
        others.id = ""
        return [.pin(first)]
            + points.dropFirst().map { point in
                others.position = point
                return .pin(others)
            } + TrackRecord.all(feature).map { .track($0) }
    }

    /// What is said of points that are left out.
    static func leftOut(_ feature: Feature, _ kind: String) -> [Self] {
        guard let problem = feature.leftOut else { return [] }
        let name = feature.title.map { "the \(kind) \($0.quoted)" } ?? "a \(kind)"
        let points = feature.leftOutCount == 1 ? "1 point is" : "\(feature.leftOutCount) points are"
        return [.bad("\(points) left out of \(name): \(problem)")]
    }

    /// What lines and areas of a feature are; where nothing of them is left its kind and its name.
    static func ofShapes(_ feature: Feature, _ kind: String) -> [Self] {
        let tracks = TrackRecord.all(feature)
        guard tracks.isEmpty else { return tracks.map { .track($0) } }
        return [.line(kind + (feature.title.map { " \($0.quoted)" } ?? ""))]
    }
}

extension TrackRecord {
    /// Of all lines of a feature, and of all its areas.
    static func all(_ feature: Feature) -> [TrackRecord] {
        let isArea = feature.properties.contains { $0.key.isSame(as: PinMarkup.area) }
        func parts(_ isWanted: (FeatureShape.Kind) -> Bool) -> [TrackRecord.Part] {
            feature.shapes.filter { isWanted($0.kind) }.map { TrackRecord.Part($0.points, isHole: $0.isHole) }
        }
        let lines = isArea ? [] : parts { $0 == .line || $0 == .track }.filter { $0.points.count > 1 }
        let rings = AreaRings.parts(parts { $0 == .area || isArea && $0 == .line })
        return [TrackRecord(feature, .line, lines), TrackRecord(feature, .area, rings)].compactMap(\.self)
    }

    private init?(_ feature: Feature, _ kind: Kind, _ parts: [TrackRecord.Part]) {
        guard !parts.isEmpty else { return nil }
        self.init(parts: parts.map(\.withoutFlatHeights))
        self.kind = kind
        name = feature.title ?? ""
        lists = feature.lists
        // As its program has it, and as maps of the web colour a line or an area (simplestyle).
        let keys = kind == .area ? ["colour", "fill", "stroke"] : ["colour", "stroke"]
        colour =
            keys.lazy.compactMap { key in
                feature.properties.first { $0.key.asciiLowercased.isSame(as: key) }?.value
            }.first ?? ""
    }
}

extension TrackRecord.Part {
    /// Programs that know no height write 0 for each.
    fileprivate var withoutFlatHeights: TrackRecord.Part {
        guard points.contains(where: { $0.heightCentimetres != nil }),
            points.allSatisfy({ ($0.heightCentimetres ?? 0) == 0 })
        else { return self }
        return TrackRecord.Part(points.map { ShapePoint($0.position, milliseconds: $0.milliseconds) }, isHole: isHole)
    }
}

extension [FeatureShape] {
    /// What they are, if they are no point.
    fileprivate var words: String {
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

    init(_ feature: Feature, point: Geo.Coordinate?, hasHTML: Bool) {
        (self.point, self.hasHTML) = (point, hasHTML)
        for (key, value) in feature.properties {
            let name = key.lowercased()
            if values[name] == nil { values[name] = value }
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
