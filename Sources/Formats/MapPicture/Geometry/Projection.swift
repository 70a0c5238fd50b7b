import Glibc

/// The stereographic projection around a picture's centre: true to shape everywhere and to scale in the middle. Poles
/// and the antimeridian are places like any other; only the point opposite the centre is nowhere.
struct Projection: Sendable {
    /// Of a sphere with the Earth's volume, in metres; as in searches.
    static let earthRadius = 6_371_008.8
    /// The centre.
    let centre: MapPoint
    /// The whole picture, in points.
    let frame: ScreenBox
    /// Points per radian in the middle.
    private let radius: Double
    private let sine: Double
    private let cosine: Double

    /// - Parameter span: how many degrees of a great circle through the centre the shorter side shows, at most 180.
    init(centre: MapPoint, span: Double, width: Double, height: Double) {
        self.centre = centre
        frame = ScreenBox(left: 0, top: 0, right: width, bottom: height)
        radius = min(width, height) / (4 * tan(span * .pi / 180 / 4))
        (sine, cosine) = (sin(centre.latitude * .pi / 180), cos(centre.latitude * .pi / 180))
    }

    /// Points per degree of a great circle in the middle.
    var pointsPerDegree: Double { radius * .pi / 180 }

    /// The level at which a map of square tiles of 256 points shows the equator as this picture shows its middle.
    var zoom: Double { log2(pointsPerDegree * 360 / 256) }

    /// The zoom level at which the web's map shows the middle about as large: its tiles show less of the world the
    /// farther they are from the equator.
    var level: Int { Int(webZoom.rounded()) }

    /// The same, between levels too.
    var webZoom: Double { zoom + log2(max(1e-6, cosine)) }

    /// By which the web's map draws the widths of streets, which are right at 60 degrees north.
    var streetZoom: Double { min(webZoom, zoom - 1) }

    /// Metres per point in the middle.
    var metresPerPoint: Double { Self.earthRadius / radius }

    func point(_ point: MapPoint) -> ScreenPoint {
        let latitude = point.latitude * .pi / 180
        let turn = (point.longitude - centre.longitude) * .pi / 180
        let (sineOfPoint, cosineOfPoint) = (sin(latitude), cos(latitude))
        let (sineOfTurn, cosineOfTurn) = (sin(turn), cos(turn))
        let cosineOfDistance = sine * sineOfPoint + cosine * cosineOfPoint * cosineOfTurn
        // The opposite point is drawn far outside.
        let factor = 2 * radius / max(1e-9, 1 + cosineOfDistance)
        return ScreenPoint(
            x: frame.centre.x + factor * cosineOfPoint * sineOfTurn,
            y: frame.centre.y - factor * (cosine * sineOfPoint - sine * cosineOfPoint * cosineOfTurn))
    }

    /// The point opposite the centre.
    var opposite: MapPoint {
        MapPoint(
            longitude: centre.longitude > 0 ? centre.longitude - 180 : centre.longitude + 180,
            latitude: -centre.latitude)
    }

    /// A box around all that is within `margin` points of the picture.
    func box(margin: Double) -> MapBox {
        let reach = 2 * atan(ScreenPoint(x: -margin, y: -margin).distance(to: frame.centre) / (2 * radius))
        let degrees = reach * 180 / .pi
        let (south, north) = (centre.latitude - degrees, centre.latitude + degrees)
        guard south > -90, north < 90 else {
            return MapBox(west: -180, south: max(-90, south), east: 180, north: min(90, north))
        }
        let turn = asin(min(1, sin(reach) / cosine)) * 180 / .pi
        return MapBox(
            west: centre.longitude - turn, south: south, east: centre.longitude + turn, north: north)
    }
}
