import Bytes
import PlaceContracts
import Geo
import Glibc

/// The box around a line, as an attribute of its place.
struct LineBox {
    static let attribute = "box"

    private let south: Int32
    private let west: Int32
    private let north: Int32
    private let east: Int32

    /// Nil without a point.
    init?(_ points: [GridPoint]) {
        guard let first = points.first else { return nil }
        (south, north, west, east) = points.reduce(
            (first.latitude, first.latitude, first.longitude, first.longitude)
        ) {
            (
                min($0.0, $1.latitude), max($0.1, $1.latitude), min($0.2, $1.longitude), max($0.3, $1.longitude)
            )
        }
    }

    /// The box that a place has as an attribute; nil for one without.
    static func edges(of place: Place) -> Geo.Box? {
        guard place.categories.contains(where: { $0.begins(with: LineCategory.path) }),
            let text = place.attributes.first(where: { $0.key == attribute })?.value
        else { return nil }
        let edges = text.split(at: ",").compactMap { Double(String($0)) }
        guard edges.count == 4 else { return nil }
        return try? Geo.Box(south: edges[0], west: edges[1], north: edges[2], east: edges[3])
    }

    /// Its edges in degrees: south, west, north, east.
    var text: String { [south, west, north, east].map { "\(Double($0) / 1e7)" }.joined(separator: ",") }

    /// The one of some points that is nearest to the middle.
    func nearestToMiddle(_ points: [GridPoint]) -> GridPoint? {
        let (latitude, longitude) = ((Int64(south) + Int64(north)) / 2, (Int64(west) + Int64(east)) / 2)
        let narrowing = cos(Double(latitude) / 1e7 * .pi / 180)
        return points.min { apart($0, latitude, longitude, narrowing) < apart($1, latitude, longitude, narrowing) }
    }

    private func apart(_ point: GridPoint, _ latitude: Int64, _ longitude: Int64, _ narrowing: Double) -> Double {
        hypot(
            Double(Int64(point.latitude) - latitude), Double(Int64(point.longitude) - longitude) * narrowing)
    }
}
