import Contracts

/// Which fields of a place an answer holds.
struct FieldMask: Sendable {
    private static let names = ["id", "name", "categories", "position", "attributes", "distance_m"]

    /// Nil: all.
    private let wanted: Set<String>?

    init(_ fields: [String]) throws(PlacesError) {
        for (index, field) in fields.enumerated() where !Self.names.contains(field) {
            let known = Self.names.joined(separator: ", ")
            throw .invalid(field: "fields[\(index)]", problem: "\(field.quoted) is not known; \(known) are")
        }
        wanted = fields.isEmpty ? nil : Set(fields)
    }

    /// Whether places go out as they are stored.
    var isEverything: Bool { wanted == nil }

    /// The place with the wanted fields alone.
    func apply(_ place: Place) -> Place {
        guard let wanted else { return place }
        var kept = Place(id: place.id)
        if wanted.contains("name") { kept.name = place.name }
        if wanted.contains("categories") { kept.categories = place.categories }
        if wanted.contains("position") { kept.position = place.position }
        if wanted.contains("attributes") { kept.attributes = place.attributes }
        if wanted.contains("distance_m") { kept.distanceM = place.distanceM }
        return kept
    }
}
