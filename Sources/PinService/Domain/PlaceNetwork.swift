/// Where a pin's places come from.
struct PlaceNetwork: Hashable, Sendable {
    /// How many places of the catalog a pin links when no setting says otherwise.
    static let usualCatalogLinks = 1_000

    /// Those that can be asked for.
    static let names = ["catalog"]

    /// As it stands before the slash in the ids of its places: "catalog".
    let name: String
    /// How many places a pin links at most in one search, the nearest ones.
    let mostLinks: Int

    /// The catalog's datasets.
    static func catalog(mostLinks: Int = usualCatalogLinks) -> PlaceNetwork {
        PlaceNetwork(name: "catalog", mostLinks: mostLinks)
    }

    /// What a person should know when there are more places than are linked.
    func truncationWarning(radiusMetres: Double) -> String {
        let most = WholeNumber.text(mostLinks)
        let radius = WholeNumber.text(Int(radiusMetres.rounded()))
        return "the \(name) has more than \(most) places within \(radius) m; the nearest \(most) are linked"
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
