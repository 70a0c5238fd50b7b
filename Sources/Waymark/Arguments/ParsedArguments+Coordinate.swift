import Contracts

extension ParsedArguments {
    /// The first two positionals as LAT and LON. The service checks their ranges.
    func coordinate() throws(UsageError) -> Coordinate {
        Coordinate(latitude: try number(at: 0), longitude: try number(at: 1))
    }
}

extension Positional {
    static let point = [
        Positional(name: "LAT", summary: "degrees north, -90 to 90"),
        Positional(name: "LON", summary: "degrees east, -180 to 180"),
    ]
}
