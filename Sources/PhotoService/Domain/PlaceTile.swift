import Geo

/// Places near each other, which are looked at together: those in one square of the grid of cells, about 600 metres
/// high. Each place of a list is in one tile.
struct PlaceTile: Sendable {
    /// A tile's side has 2^16 of the 2^31 steps of each axis.
    private static let cellBits = 32

    let places: [KnownPlace]
    /// The middle of a circle that holds the places.
    let centre: Coordinate
    let radiusMetres: Double

    /// Sorts places into tiles.
    static func tiles(of places: [KnownPlace]) -> [PlaceTile] {
        Dictionary(grouping: places) { Cell.id(of: $0.position) >> cellBits }.sorted { $0.key < $1.key }
            .compactMap { PlaceTile($0.value) }
    }

    private init?(_ places: [KnownPlace]) {
        guard let box = Box(around: places.map(\.position)) else { return nil }
        let centre = box.centre
        self.places = places
        self.centre = centre
        // A metre of room for the rounding of distances.
        radiusMetres = places.reduce(0) { max($0, centre.metres(to: $1.position)) } + 1
    }
}
