import Arguments
import Bytes
import Contracts
import FieldRules

/// The subject of an album: a pin or a place.
struct Subject: Sendable, Equatable, CustomStringConvertible {
    /// In the form of the services: "pin/018f…", "place/catalog/helsinki/node/1".
    let description: String

    /// "pin/…" and "place/…" as they are, the id of a pin (a UUID), the id of a place ("network/…").
    init(_ text: String) throws(UsageError) {
        if text.begins(with: "pin/") || text.begins(with: "place/") {
            description = text
        } else if text.holds("/") {
            description = "place/\(text)"
        } else if FieldForm.uuid.takes(text) {
            description = "pin/\(text.lowercased())"
        } else {
            throw UsageError("ALBUM is \(text), allowed is the id of a pin or a place, or pin/ID or place/ID")
        }
    }

    /// The id of a pin, with or without "pin/" before it.
    static func pinID(_ text: String) -> String { String(text.after("pin/") ?? text[...]) }
}

extension Positional {
    static let pin = Positional(name: "PIN", summary: "the pin's id, the beginning of it, or its name")
    static let album = Positional(name: "ALBUM", summary: "a pin, by its id or name, or the id of a place")
    static let point = [
        Positional(name: "LAT", summary: "degrees north, -90 to 90; LAT,LON or geo:LAT,LON in one word do as well"),
        Positional(name: "LON", summary: "degrees east, -180 to 180"),
    ]
}

extension ParsedArguments {
    /// The first positional as the id of a pin.
    var pinID: String { Subject.pinID(optional(at: 0) ?? "") }

    /// The first positional as an album's subject.
    func subject() throws(UsageError) -> String { try Subject(optional(at: 0) ?? "").description }

    /// Two positionals as LAT and LON, the first two when no other is named. The service checks their ranges.
    func coordinate(at index: Int = 0) throws(UsageError) -> Coordinate {
        Coordinate(latitude: try number(at: index), longitude: try number(at: index + 1))
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
