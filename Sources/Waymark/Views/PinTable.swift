import Contracts
import Wire

/// Pins as lines for a person.
enum PinTable {
    static func lines(_ pins: [Pin], on sink: TextSink) -> [String] {
        var table = Table(columns: [
            .init(title: "DISTANCE", isRight: true), .init(title: "NAME", minimum: 14, style: .bold),
            .init(title: "STATE"), .init(title: "RADIUS", isRight: true), .init(title: "POSITION"),
            .init(title: "ID", style: .faint),
        ])
        table.rows = pins.map { pin in
            let (state, style) = look(pin.state)
            return [
                .init(PlaceTable.distance(pin.distanceM)), .init(pin.name), .init(state, style),
                .init(Quantity.distance(pin.radiusM)), .init(position(pin.position)), .init(pin.id),
            ]
        }
        return table.lines(on: sink)
    }

    static func position(_ coordinate: Coordinate?) -> String {
        coordinate.map { "\(Quantity.degrees($0.latitude)), \(Quantity.degrees($0.longitude))" } ?? ""
    }

    private static func look(_ state: PinState) -> (String, Style) {
        switch state {
        case .new: ("new", .red)
        case .partial: ("partial", .yellow)
        case .ready: ("ready", .green)
        case .failed: ("failed", .red)
        default: ("", .plain)
        }
    }
}
