import Bytes
import FeatureFiles
import Geo
import Refusals

// What the programs write that people keep places with. Names of properties are compared without their case.
//
//     ours       name, note, visited_date, radius_m, is_named, create_time, lists; in GPX and KML see `PinMarkup`
//     GPX        name, desc, cmt, time
//     KML        name, description (which is HTML), TimeStamp; a folder is a list
//     Takeout    location.name, location.address, google_maps_url, date; before 2023 Title, Location.Business Name,
//                Location.Address, Google Maps URL, Published; of labelled places name and address; a table is
//                a list, which has the file's name

extension PinRecord {
    private static let names = [
        "name", "title", "location.name", "location.business name", "label", "name:en", "name_en", "int_name",
    ]
    private static let addresses = ["location.address", "address"]
    private static let links = ["google_maps_url", "google maps url", "url", "website"]
    private static let times = ["waymark:created", "create_time", "time", "date", "published"]

    /// Nil for a feature that is a line or an area.
    init?(_ feature: Feature, hasHTML: Bool) throws(RowProblem) {
        if let problem = feature.problem { throw problem }
        if !feature.shapes.isEmpty, feature.point == nil {
            guard feature.shapes.contains(where: { $0.kind != .point }) else {
                throw RowProblem("position: it has several points; one is needed")
            }
            return nil
        }
        var values: [String: String] = [:]
        for (key, value) in feature.properties where values[key.lowercased()] == nil {
            values[key.lowercased()] = value
        }
        func first(_ keys: [String]) -> String { keys.lazy.compactMap { values[$0] }.first ?? "" }
        self.init(position: try Self.position(feature, link: first(Self.links)))
        name = first(Self.names)
        if name.isEmpty { name = first(Self.addresses) }
        isNamed = Self.flag(first(["waymark:named", "is_named"])) ?? !name.isEmpty
        note = Self.note(values, hasHTML: hasHTML)
        id = values["waymark:id"] ?? feature.id ?? ""
        lists = feature.lists
        visitedDay = first(["waymark:visited", "visited_date"])
        createdMilliseconds = FileTime.milliseconds(first(Self.times))
        let radius = first(["waymark:radius-m", "radius_m"])
        if !radius.isEmpty {
            guard let metres = DecimalNumber.parse(radius) else {
                throw RowProblem("radius_m: \(radius.quoted) is not allowed; a number of metres is")
            }
            radiusMetres = metres
        }
    }

    /// Takeout writes 0, 0 for a place of which it knows no position; its link may have one.
    private static func position(_ feature: Feature, link: String) throws(RowProblem) -> Geo.Coordinate {
        let point = feature.point
        if let point, point.latitudeE7 != 0 || point.longitudeE7 != 0 || !link.holds("google") { return point }
        if let linked = MapLink.point(link) { return linked }
        guard !link.isEmpty else { throw RowProblem("position: it is missing; a point is needed") }
        throw RowProblem("position: it is missing, and the link \(link.quoted) has none; a point is needed")
    }

    private static func note(_ values: [String: String], hasHTML: Bool) -> String {
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

    private static func flag(_ text: String) -> Bool? { text == "true" ? true : text == "false" ? false : nil }
}
