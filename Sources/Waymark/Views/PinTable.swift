import Contracts
import Wire

/// Pins as lines for a person.
enum PinTable {
    static func lines(_ pins: [Pin], on sink: TextSink) -> [String] {
        var table = Table(columns: [
            .init(title: "DISTANCE", isRight: true), .init(title: "NAME", minimum: 14, style: .bold),
            .init(title: "STATE"), .init(title: "PLACES", isRight: true), .init(title: "PHOTOS", isRight: true),
            .init(title: "RADIUS", isRight: true), .init(title: "POSITION"),
            .init(title: "ID", style: .faint),
        ])
        table.rows = pins.map { pin in
            let look = Look(pin.state)
            return [
                .init(PlaceTable.distance(pin.distanceM)), .init(pin.name), .init(look.word, look.style),
                .init(count(pin.placeCount)), .init(count(pin.photoCount)), .init(Quantity.distance(pin.radiusM)),
                .init(position(pin.position)), .init(pin.id),
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
