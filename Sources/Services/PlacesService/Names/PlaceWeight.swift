import Bytes
import PlaceContracts
import Glibc
import Requests

/// How well known a place is, as far as its own entry says; one point is ten times as many people.
enum PlaceWeight {
    /// Attributes with letters that name a place.
    static let codes: Set<String> = ["iata", "icao"]
    private static let usual = 1.0
    private static let maximumByLanguages = 2.5

    /// Points of categories, by the first of these that one of a place's begins with.
    private static let categories: [(beginning: String, points: Double)] =
        MinorKinds.all.filter { $0.points < 0 } + [
            ("railway/station", 1.5), ("public_transport/station", 1.2), ("aeroway/aerodrome", 2), ("airport", 0.5),
            ("place/", 1.5), ("tourism/museum", 1), ("tourism/attraction", 1), ("historic/", 0.5),
            ("amenity/university", 1), ("amenity/hospital", 0.8), ("amenity/theatre", 0.7), ("leisure/park", 0.6),
            ("leisure/stadium", 1), ("natural/", 0.6), ("boundary/", 0.6), ("shop/mall", 0.8), ("tourism/hotel", 0.3),
        ]

    static func points(of place: Place) -> Double {
        var points = usual
        var languages = 0
        for attribute in place.attributes {
            switch attribute.key {
            case "population": points += log10(max(Double(attribute.value) ?? 0, 0) + 1)
            case "wikidata", "wikipedia": points += 0.5
            case "iata": points += attribute.value.isEmpty ? 0 : 3.2
            case let key where NameKeys.contains(key): languages += 1
            default: break
            }
        }
        points += min(log2(1 + Double(languages)) / 2, maximumByLanguages)
        for (beginning, more) in categories
        where place.categories.contains(where: { $0.begins(with: beginning) }) {
            return max(points + more, 0)
        }
        return points
    }
}
