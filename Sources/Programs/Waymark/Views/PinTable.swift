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
        // Where a line has an end, the shortest prefix of an id that is unique among these pins; programs get it whole.
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

    /// "60.1, 24.8 to 60.2, 25"; south-west comes first.
    static func line(_ box: Box?) -> String {
        guard let box, let southWest = box.southWest, let northEast = box.northEast else {
            return "There is nothing to be in a box."
        }
        let crosses = southWest.longitude > northEast.longitude
        return "\(position(southWest)) to \(position(northEast))" + (crosses ? ", across the antimeridian" : "")
    }

    /// Nothing for none, so that a pin that has just been added has no columns for it.
    private static func count(_ count: UInt32) -> String { count == 0 ? "" : Quantity.count(count) }
}

/// The shortest prefixes that distinguish ids.
struct ShortIDs: Sendable {
    /// The first group of a UUID.
    private static let shortest = 8

    private let sorted: [String]

    init(_ ids: [String]) { sorted = Set(ids).sorted() }

    /// The shortest beginning that no other id has, and at least a few digits.
    func short(_ id: String) -> String {
        guard let index = sorted.firstIndex(of: id) else { return id }
        let neighbours = [index - 1, index + 1].filter(sorted.indices.contains).map { sorted[$0] }
        let common = neighbours.map { Self.common($0, id) }.max() ?? 0
        let short = id.prefix(max(Self.shortest, common + 1))
        // A hyphen at the end adds nothing.
        return String(short.unicodeScalars.last == "-" ? id.prefix(short.count + 1) : short)
    }

    private static func common(_ left: String, _ right: String) -> Int {
        zip(left, right).prefix { $0 == $1 }.count
    }
}
