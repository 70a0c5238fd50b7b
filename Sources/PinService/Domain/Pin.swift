import Geo

/// A point that somebody wants to explore.
struct Pin: Equatable, Sendable {
    let id: PinID
    let name: String
    /// Whether a person chose the name; such a name stays when the pin moves.
    let isNamed: Bool
    let position: Coordinate
    /// Radius of its search in metres.
    let radiusMetres: Double
    let state: PinState
    /// Raised by one with each creation or move, from 1. It tells late answers of an earlier search apart.
    let generation: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let createdMilliseconds: Int64
}

extension Pin {
    /// The first generation of a pin.
    static let firstGeneration: Int64 = 1

    /// A new pin, created now.
    init(_ draft: PinDraft, id: PinID, unixMilliseconds: Int64) {
        self.init(
            id: id, name: draft.name ?? PointName(draft.position).text, isNamed: draft.name != nil,
            position: draft.position, radiusMetres: draft.radiusMetres, state: .new,
            generation: Self.firstGeneration, createdMilliseconds: unixMilliseconds)
    }
}
