import Contracts
import Terminal

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
            .init(title: "ID", style: .faint),
        ])
        table.rows = places.map { place in
            [
                .init(Quantity.distance(place.distanceM)), .init(place.name), .init(place.categories.first ?? ""),
                .init(place.photoCount == 0 ? "" : Quantity.count(place.photoCount)), .init(place.id),
            ]
        }
        return table.lines(on: sink)
    }
}
