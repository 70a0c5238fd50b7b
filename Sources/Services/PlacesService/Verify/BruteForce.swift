import Bytes
import PlaceContracts
import Geo
import Wire

/// Answers a query by testing every place, without the index: searches are compared with it. Slow, and simple enough
/// to be trusted.
struct BruteForce {
    /// A place that a search has to return.
    struct Found: Equatable {
        let id: [UInt8]
        let metres: Double
    }

    let view: CatalogView
    /// Called from time to time; ends the work by throwing.
    let checkpoint: () throws -> Void
    private static let placesPerLook = 65_536

    /// The answer to a question around a point.
    func answer(_ question: NearbyQuestion) throws -> [Found] {
        let found = try places(question.criteria) { point in
            let metres = Distance.metres(from: question.centre, to: point)
            return metres <= question.radiusMetres ? metres : nil
        }
        return Self.page(found, after: question.after, question.limit, byDistance: true)
    }

    /// The answer to a question for a box.
    func answer(_ question: WithinQuestion) throws -> [Found] {
        let found = try places(question.criteria) { point in
            guard question.box.contains(point) else { return nil }
            return question.nearestTo.map { Distance.metres(from: $0, to: point) } ?? 0
        }
        return Self.page(found, after: question.after, question.limit, byDistance: question.nearestTo != nil)
    }

    private static func page(
        _ found: [Found], after: SearchCursor?, _ limit: Int, byDistance: Bool
    ) -> [Found] {
        func isAscending(_ a: (Double, [UInt8]), _ b: (Double, [UInt8])) -> Bool {
            byDistance && a.0 != b.0 ? a.0 < b.0 : a.1.lexicographicallyPrecedes(b.1)
        }
        let behind = after.map { after in
            found.filter { isAscending((after.metres, after.id), ($0.metres, $0.id)) }
        }
        return Array((behind ?? found).sorted { isAscending(($0.metres, $0.id), ($1.metres, $1.id)) }.prefix(limit))
    }

    private func places(_ criteria: PlaceCriteria, _ metres: (Geo.Coordinate) -> Double?) throws -> [Found] {
        var found: [Found] = []
        for (layer, isSearched) in zip(view.set.layers, criteria.sources(in: view)) where isSearched {
            for ordinal in 0..<UInt32(layer.snapshot.count) where layer.holds(ordinal) {
                if Int(ordinal) % Self.placesPerLook == 0 { try checkpoint() }
                guard let metres = metres(try layer.snapshot.coordinate(of: ordinal)) else { continue }
                try unsafe layer.snapshot.withPlace(ordinal) { id, record in
                    guard try unsafe Self.passes(record, criteria) else { return }
                    found.append(Found(id: unsafe Array(id), metres: metres))
                }
            }
        }
        return found
    }

    /// Uses the values in the place itself, not the index's tables.
    private static func passes(_ record: UnsafeRawBufferPointer, _ criteria: PlaceCriteria) throws -> Bool {
        guard let text = unsafe StoredPlace.text(of: record), let message = unsafe StoredPlace.message(of: record)
        else {
            return false
        }
        let categories = try unsafe Place(packed: message).categories.map { Array($0.utf8) }
        func isIn(_ list: [[UInt8]]) -> Bool {
            categories.contains { category in
                list.contains { category == $0 || category.starts(with: $0 + [UInt8(ascii: "/")]) }
            }
        }
        guard criteria.categories.isEmpty || isIn(criteria.categories) else { return false }
        return unsafe !isIn(criteria.allExcluded) && criteria.name.match(text)
            && (criteria.open?.accepts(record) ?? true) && (criteria.area?.accepts(record) ?? true)
    }
}
