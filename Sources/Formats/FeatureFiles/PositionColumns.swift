internal import Bytes
package import Geo
internal import Refusals

/// The columns of a table that say where something is.
package enum PositionColumns: Equatable, Sendable {
    case pair(latitude: Int, longitude: Int)
    /// Both in one.
    case point(Int)

    /// What such columns are called, the likeliest names first.
    package static let latitudes = [
        "lat", "latitude", "y", "decimallatitude", "gps latitude", "gps_latitude", "geo_lat", "lat_dd", "point_y",
        "breite", "breitengrad", "latitud", "latitudine", "leveysaste", "緯度",
    ]
    package static let longitudes = [
        "lon", "lng", "long", "longitude", "x", "decimallongitude", "gps longitude", "gps_longitude", "geo_lon",
        "geo_lng",
        "lon_dd", "long_dd", "point_x", "länge", "laenge", "längengrad", "longitud", "longitudine",
        "pituusaste", "経度",
    ]
    package static let points = [
        "position", "coordinates", "coordinate", "coords", "latlng", "lat_lng", "lat_lon", "latlon", "lat,lng",
        "lat,lon",
        "lat, lng", "lat, lon", "geo_point_2d", "geo_point", "geopoint", "gps", "wkt", "the_geom", "geom", "geometry",
        "koordinaten", "coordenadas", "coordonnées", "coordinate gps", "koordinaatit",
    ]

    /// A column's name as it is compared: in small letters, and without a unit behind it, as in "Latitude (°)".
    package static func title(_ name: String) -> String {
        let plain = name.lowercased()
        guard let (title, unit) = plain.halves(atLast: "(") ?? plain.halves(atLast: "["), !title.trimmed.isEmpty,
            ["°)", "°]", "deg)", "deg]", "degrees)", "degrees]", "wgs84)", "wgs84]", "dd)", "grad)"]
                .contains(where: { unit.trimmed.isSame(as: $0) })
        else { return plain.trimmed.description }
        return title.trimmed.description
    }

    /// Whether a row of so many fields has them.
    package func lie(in count: Int) -> Bool {
        switch self {
        case .pair(let latitude, let longitude): max(latitude, longitude) < count
        case .point(let column): column < count
        }
    }

    /// The position of a row: `text` gives its fields, of which missing ones are empty.
    /// - Parameters:
    ///   - header: the names of the columns.
    ///   - hasCommas: whether a number may have a comma for the point: nothing else separates by it then.
    package func position(
        _ header: [String], hasCommas: Bool, text: (Int) throws(RowProblem) -> String
    ) throws(RowProblem) -> Geo.Coordinate {
        switch self {
        case .point(let column):
            let given = try text(column)
            if let point = WrittenPoint.point(given) { return point }
            throw RowProblem("\(header[column]) is \(given.quoted), degrees north and east are needed")
        case .pair(let latitude, let longitude):
            let north = try Self.degrees(try text(latitude), ["N", "S"], header[latitude], hasCommas)
            let east = try Self.degrees(try text(longitude), ["E", "W"], header[longitude], hasCommas)
            do throws(GeoError) {
                return try Geo.Coordinate(latitude: north, longitude: east)
            } catch {
                throw RowProblem("\(error)")
            }
        }
    }

    private static func degrees(
        _ text: String, _ hemispheres: [Unicode.Scalar], _ name: String, _ hasCommas: Bool
    ) throws(RowProblem) -> Double {
        if let number = DecimalNumber.parse(text) { return number }
        if let angle = DegreesText.angle(text, hemispheres: hemispheres, hasCommas: hasCommas) { return angle }
        throw RowProblem("\(name) is \(text.quoted), a number of degrees is needed")
    }
}
