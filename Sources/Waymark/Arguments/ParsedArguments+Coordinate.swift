import Arguments
import Contracts

extension ParsedArguments {
    /// The first two positionals as LAT and LON. The service checks their ranges.
    func coordinate() throws(UsageError) -> Coordinate {
        Coordinate(latitude: try number(at: 0), longitude: try number(at: 1))
    }

    /// A flag's value as "LAT,LON".
    func point(_ flag: String) throws(UsageError) -> Coordinate? {
        guard let text = text(flag) else { return nil }
        guard let words = PointText.numbers(text), let latitude = Double(words.latitude),
            let longitude = Double(words.longitude)
        else { throw UsageError("--\(flag) is \(text), allowed are two numbers such as 60.17,24.94") }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

extension Positional {
    static let point = [
        Positional(name: "LAT", summary: "degrees north, -90 to 90; LAT,LON or geo:LAT,LON in one word do as well"),
        Positional(name: "LON", summary: "degrees east, -180 to 180"),
    ]
}
