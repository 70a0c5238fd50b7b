/// The exact side of a search: the centre, the radius, and the place after which to begin.
struct Circle {
    let centre: Coordinate
    let radiusMetres: Double
    private let cosine: Double

    init(centre: Coordinate, radiusMetres: Double) {
        self.centre = centre
        self.radiusMetres = radiusMetres
        cosine = ArcE7.cosine(ofLatitude: centre.latitudeE7)
    }

    @inline(__always)
    func metres(to point: Coordinate) -> Double { Distance.metres(from: centre, cosine: cosine, to: point) }

    func contains(_ point: Coordinate) -> Bool { metres(to: point) <= radiusMetres }
}
