/// Where a pin's places come from.
struct PlaceNetwork: Hashable, Sendable {
    /// How many places of the catalog a pin links when no setting says otherwise.
    static let usualCatalogLinks = 1_000

    /// The networks that are asked live, and how many of its places a pin links: few where each place costs a request
    /// for its photos.
    private static let live = ["openstreetmap": 1_000, "foursquare": 50, "instagram": 50]

    /// Those that can be asked for.
    static let names = ["catalog"] + live.keys.sorted()

    /// As it stands before the slash in the ids of its places: "catalog".
    let name: String
    /// How many places a pin links at most in one search, the nearest ones.
    let mostLinks: Int
    /// Whether the places service has to ask somebody else first.
    var isLive = false

    /// A network that is asked live; nil when it is not known.
    static func live(_ name: String) -> PlaceNetwork? {
        live[name].map { PlaceNetwork(name: name, mostLinks: $0, isLive: true) }
    }

    /// The catalog's datasets.
    static func catalog(mostLinks: Int = usualCatalogLinks) -> PlaceNetwork {
        PlaceNetwork(name: "catalog", mostLinks: mostLinks)
    }
}

/// Whole numbers as people write them: "1,000".
enum WholeNumber {
    static func text(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return number < 0 ? "-\(text)" : text
    }
}
