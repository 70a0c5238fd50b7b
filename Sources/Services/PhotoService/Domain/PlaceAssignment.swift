import Geo

/// Assigns a photo to one of some places within reach: the nearest of those that its camera looked at, or else the
/// nearest one; the first by id among equally near ones. It is correct only if these are all places known within reach
/// of the photo that one would photograph.
///
/// The places are sorted by latitude. The search for a photo's place goes outwards from its own latitude, and stops
/// where the latitudes alone are farther apart than the nearest place found.
struct PlaceAssignment: Sendable {
    /// A photo farther away does not belong to the place.
    static let reachMetres = 100.0

    private static let metresPerUnit = Distance.earthRadiusMetres * .pi / 180 / 1e7
    private let places: [KnownPlace]

    init(_ places: [KnownPlace]) {
        self.places = places.sorted { $0.position.latitudeE7 < $1.position.latitudeE7 }
    }

    /// A photo's place, and whether its camera looked at it.
    struct Assigned: Equatable, Sendable {
        let place: KnownPlace
        let isFaced: Bool
    }

    /// The place of a photo taken at `point`, if it has one.
    func place(of point: Coordinate, looking view: CameraView? = nil) -> Assigned? {
        if let view, let place = nearest(to: point, in: view) { return Assigned(place: place, isFaced: true) }
        return nearest(to: point, in: nil).map { Assigned(place: $0, isFaced: false) }
    }

    private func nearest(to point: Coordinate, in view: CameraView?) -> KnownPlace? {
        var nearest = Nearest(view: view)
        let start = firstIndex(notSouthOf: point)
        for place in places[start...] {
            guard nearest.offer(place, point) else { break }
        }
        for place in places[..<start].reversed() {
            guard nearest.offer(place, point) else { break }
        }
        return nearest.place
    }

    private func firstIndex(notSouthOf point: Coordinate) -> Int {
        var range = places.startIndex..<places.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if places[middle].position.latitudeE7 < point.latitudeE7 {
                range = (middle + 1)..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    private struct Nearest {
        /// Only places that it sees, if there is one.
        let view: CameraView?
        var place: KnownPlace?
        var metres = PlaceAssignment.reachMetres

        /// False when neither this place nor any beyond its latitude can be nearer.
        mutating func offer(_ other: KnownPlace, _ point: Coordinate) -> Bool {
            let units = Int64(other.position.latitudeE7) - Int64(point.latitudeE7)
            // A millimetre of tolerance for the rounding of the distance.
            guard Double(units.magnitude) * PlaceAssignment.metresPerUnit <= metres + 1e-3 else { return false }
            let distance = point.metres(to: other.position)
            if let view, !view.sees(other.position, from: point, metres: distance) { return true }
            if distance < metres || distance == metres && isFirst(other) { (place, metres) = (other, distance) }
            return true
        }

        private func isFirst(_ other: KnownPlace) -> Bool {
            place.map { other.id.utf8.lexicographicallyPrecedes($0.id.utf8) } ?? true
        }
    }
}

/// Places near each other, which are processed together: those in one square of the grid of cells, about 600 metres
/// high. Each place of a list is in one tile.
struct PlaceTile: Sendable {
    /// A tile's side has 2^16 of the 2^31 steps of each axis.
    private static let cellBits = 32

    let places: [KnownPlace]
    /// The centre of a circle that contains the places.
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
        // A metre of tolerance for the rounding of distances.
        radiusMetres = places.reduce(0) { max($0, centre.metres(to: $1.position)) } + 1
    }
}
