import Geo

/// A place as returned by a live network.
struct FoundPlace: Equatable, Sendable {
    struct Attribute: Equatable, Sendable {
        let key: String
        let value: String
    }

    private static let longestID = 180
    private static let longestName = 1024
    private static let longestText = 2048
    private static let longestCategory = 255
    private static let mostCategories = 16
    private static let mostAttributes = 60

    /// The network's own id: "node/1001".
    let id: String
    let name: String
    /// Most specific first, as paths: "amenity/cafe".
    let categories: [String]
    let position: Coordinate
    /// Further attributes from the network.
    let attributes: [Attribute]

    /// Nil for what can't be a place: without id, name or a position on the Earth. Other values that are too long or
    /// too many are left out.
    init?(
        id: String?, name: String?, latitude: Double?, longitude: Double?, categories: [String] = [],
        attributes: [(String, String?)] = []
    ) {
        guard let id, (1...Self.longestID).contains(id.utf8.count), let name,
            (1...Self.longestName).contains(name.utf8.count), let latitude, let longitude,
            let position = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self.id = id
        self.name = name
        self.position = position
        var seen = Set<String>()
        self.categories = Array(
            categories.filter { $0.utf8.count <= Self.longestCategory && seen.insert($0).inserted }
                .prefix(Self.mostCategories))
        self.attributes = Array(
            attributes.compactMap { key, value in
                guard let value, !value.isEmpty, key.utf8.count + value.utf8.count <= Self.longestText else {
                    return nil
                }
                return Attribute(key: key, value: value)
            }.prefix(Self.mostAttributes))
    }
}
