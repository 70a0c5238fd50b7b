import PlaceContracts
import Texts

/// What people call an airport: "Heathrow" for "London Heathrow Airport".
enum AirportName {
    private static let categories = ["airport", "aeroway/aerodrome"]
    /// Words that nearly every airport has, folded.
    private static let common: Set<String> = [
        "airport", "international", "intl", "airfield", "aerodrome", "aeroport", "aeroporto", "aeropuerto",
        "internacional", "internazionale", "flughafen", "lentoasema", "flygplats", "lufthavn", "luchthaven", "lotnisko",
    ]

    /// Whether a folded word is one that nearly every airport has.
    static func isCommon(_ word: ArraySlice<UInt8>) -> Bool { common.contains(String(decoding: word, as: UTF8.self)) }

    static func isAirport(_ place: Place) -> Bool { place.categories.contains(where: categories.contains) }

    /// Its name without these words and without its city; nil for another place, or when nothing is left. Where no city
    /// is known, what is left may be the city.
    static func short(_ place: Place) -> String? {
        guard isAirport(place),
            let city = place.attributes.first(where: { $0.key == "city" })?.value, !city.isEmpty
        else { return nil }
        let words = FoldedText(place.name).words
        let left = Array(words.drop { FoldedText(city).words.contains($0) }).filter { !common.contains($0) }
        return left.isEmpty || left.count == words.count ? nil : left.joined(separator: " ")
    }
}

extension FoldedText {
    /// Its words as texts.
    fileprivate var words: [String] {
        bytes.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }
}
