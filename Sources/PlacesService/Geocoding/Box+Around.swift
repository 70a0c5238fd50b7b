import Geo
import Glibc

extension Geo.Box {
    /// Metres of a degree along a meridian of the mean sphere.
    private static let metresOfDegree = 111_195.08
    private static let townMetres = 1000.0...40_000.0
    /// Half the side of a town's box in metres is so often the root of its people: 10 km for 640,000, as of Helsinki.
    private static let metresOfRoot = 12.5

    /// What a map should show of a town.
    static func around(_ point: Geo.Coordinate, people: UInt32) -> Geo.Box {
        let metres = metresOfRoot * Double(people).squareRoot()
        return around(point, metres: min(max(metres, townMetres.lowerBound), townMetres.upperBound))
    }

    /// A box whose edges are `metres` away from a point; at most the whole Earth.
    static func around(_ point: Geo.Coordinate, metres: Double) -> Geo.Box {
        let tall = metres / metresOfDegree
        let wide = tall / max(cos(point.latitude * .pi / 180), 1e-9)
        let (west, east) = wide < 180 ? (turned(point.longitude - wide), turned(point.longitude + wide)) : (-180, 180)
        let box = try? Geo.Box(
            south: max(point.latitude - tall, -90), west: west, north: min(point.latitude + tall, 90), east: east)
        return box ?? .world
    }

    /// Degrees of a longitude, in -180...180.
    private static func turned(_ longitude: Double) -> Double {
        longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
    }
}
