import Bytes
import Contracts
import Terminal

/// Places as lines for a person.
enum PlaceTable {
    static func lines(_ places: [Place], on sink: TextSink) -> [String] {
        let hasHours = places.contains { $0.hours != nil }
        let hours: [Table.Column] = hasHours ? [.init(title: "HOURS", minimum: 8)] : []
        var table = Table(
            columns: [
                .init(title: "DISTANCE", isRight: true), .init(title: "NAME", minimum: 14, style: .bold),
            ] + hours + [
                .init(title: "CATEGORY", minimum: 10, rank: 1), .init(title: "DETAILS", minimum: 8, rank: 2),
                .init(title: "SOURCES", minimum: 8, rank: 1), .init(title: "ID", style: .faint),
            ])
        table.rows = places.map { place in
            [.init(distance(place.distanceM)), .init(place.name)]
                + (hasHours ? [.init(HoursText.text(place.hours))] : []) + [
                    .init(place.categories.first ?? ""), .init(details(place)),
                    .init(PlaceSources.text(place.id, place.sources.map(\.id))), .init(place.id),
                ]
        }
        return table.lines(on: sink)
    }

    static func distance(_ metres: Double?) -> String { metres.map(Quantity.distance) ?? "" }

    /// The address when there is one, else the first two things that the source says.
    static func details(_ place: Place) -> String {
        let values = Dictionary(place.attributes.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let street = [values["street"], values["housenumber"]].compactMap(\.self).joined(separator: " ")
        let address = [values["address"] ?? street, values["city"] ?? ""].filter { !$0.isEmpty }
        if !address.isEmpty { return address.joined(separator: ", ") }
        let area = [values["region"], values["country_name"] ?? values["country"]].compactMap(\.self).filter {
            !$0.isEmpty
        }
        if !area.isEmpty { return area.joined(separator: ", ") }
        return place.attributes.prefix(2).map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}

/// The places of a pin as lines for a person.
struct PinPlacesView {
    let response: ListPinPlacesResponse
    let sink: TextSink

    var lines: [String] {
        guard !response.places.isEmpty else { return ["There is no such place linked to this pin."] }
        return PinPlaceTable.lines(response.places, on: sink) + ["", Style.faint.paint(footer, on: sink)]
    }

    private var footer: String {
        let shown = Quantity.count(response.places.count)
        guard !response.nextPageToken.isEmpty else { return Quantity.count(response.places.count, "place") }
        return "the nearest \(shown) of \(Quantity.count(response.count, "place")); --all or --limit shows more"
    }
}

/// Places of a pin as a table.
enum PinPlaceTable {
    static func lines(_ places: [PinPlace], on sink: TextSink) -> [String] {
        var table = Table(columns: [
            .init(title: "DISTANCE", isRight: true), .init(title: "NAME", minimum: 14, style: .bold),
            .init(title: "CATEGORY", minimum: 10, rank: 2), .init(title: "PHOTOS", isRight: true, rank: 1),
            .init(title: "SOURCES", minimum: 8, rank: 1), .init(title: "ID", style: .faint),
        ])
        table.rows = places.map { place in
            [
                .init(Quantity.distance(place.distanceM)), .init(place.name), .init(place.categories.first ?? ""),
                .init(place.photoCount == 0 ? "" : Quantity.count(place.photoCount)),
                .init(PlaceSources.text(place.id, place.sources.map(\.id))), .init(place.id),
            ]
        }
        return table.lines(on: sink)
    }
}

/// Who has a place, when several have it.
enum PlaceSources {
    /// "helsinki, foursquare": the datasets and networks; empty when there is only one.
    static func text(_ id: String, _ others: [String]) -> String {
        others.isEmpty ? "" : ([id] + others).map(name).joined(separator: ", ")
    }

    private static func name(_ id: String) -> String {
        let parts = id.split(at: "/", omittingEmptySubsequences: false)
        return parts.first == "catalog" && parts.count > 2 ? String(parts[1]) : parts.first.map(String.init) ?? id
    }
}
