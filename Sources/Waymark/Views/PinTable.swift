import Contracts
import Terminal
import Wire

/// Pins as lines for a person.
enum PinTable {
    static func lines(_ pins: [Pin], on sink: TextSink) -> [String] {
        var table = Table(columns: [
            .init(title: "DISTANCE", isRight: true), .init(title: "NAME", minimum: 14, style: .bold),
            .init(title: "STATE"), .init(title: "PLACES", isRight: true, rank: 2),
            .init(title: "PHOTOS", isRight: true, rank: 1),
            .init(title: "RADIUS", isRight: true, rank: 4), .init(title: "POSITION", rank: 3),
            .init(title: "ID", style: .faint),
        ])
        // Where a line has an end, as much of an id as tells these pins apart; programs get it whole.
        let ids = sink.width == nil ? nil : ShortIDs(pins.map(\.id))
        table.rows = pins.map { pin in
            let look = Look(pin.state)
            return [
                .init(PlaceTable.distance(pin.distanceM)), .init(pin.name), .init(look.word, look.style),
                .init(count(pin.placeCount)), .init(count(pin.photoCount)), .init(Quantity.distance(pin.radiusM)),
                .init(position(pin.position)), .init(ids?.short(pin.id) ?? pin.id),
            ]
        }
        return table.lines(on: sink)
    }

    static func position(_ coordinate: Coordinate?) -> String {
        coordinate.map { "\(Quantity.degrees($0.latitude)), \(Quantity.degrees($0.longitude))" } ?? ""
    }

    /// Nothing for none, so that a pin that has just been added has no columns for it.
    private static func count(_ count: UInt32) -> String { count == 0 ? "" : Quantity.count(count) }
}
