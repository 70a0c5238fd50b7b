import Geo

/// Where a pin is to go, known to be allowed.
struct PinMove: Equatable, Sendable {
    let position: Coordinate
    /// In metres; nil leaves it as it is.
    let radiusMetres: Double?
    /// Whether to search anew also when nothing else is another.
    let isForced: Bool

    init(position: Coordinate, radiusMetres: Double?, isForced: Bool) throws(PinError) {
        self.position = position
        self.radiusMetres = radiusMetres
        self.isForced = isForced
        if let radiusMetres { try PinDraft.check(radiusMetres: radiusMetres) }
    }
}
