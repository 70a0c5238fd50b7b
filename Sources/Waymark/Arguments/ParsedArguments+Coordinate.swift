import Contracts

extension ParsedArguments {
    /// The first two positionals as LAT and LON. The service checks their ranges.
    func coordinate() throws(UsageError) -> Coordinate {
        Coordinate(latitude: try number(at: 0), longitude: try number(at: 1))
    }

    /// A flag's value as "LAT,LON".
    func point(_ flag: String) throws(UsageError) -> Coordinate? {
        guard let text = text(flag) else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap {
            Double($0.filter { $0 != " " })
        }
        guard numbers.count == 2, numbers.allSatisfy(\.isFinite) else {
            throw UsageError("--\(flag) is \(text), allowed are two numbers such as 60.17,24.94")
        }
        return Coordinate(latitude: numbers[0], longitude: numbers[1])
    }
}

extension Positional {
    static let point = [
        Positional(name: "LAT", summary: "degrees north, -90 to 90"),
        Positional(name: "LON", summary: "degrees east, -180 to 180"),
    ]
}
