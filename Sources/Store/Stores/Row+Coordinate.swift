package import Geo
package import Storage

extension Row {
    /// A point from a column with its latitude in 1e-7 degrees and the next with its longitude.
    package func coordinate(_ column: Int) throws(SQLError) -> Coordinate {
        let (latitude, longitude) = (try integer(column), try integer(column + 1))
        guard let latitudeE7 = Int32(exactly: latitude), let longitudeE7 = Int32(exactly: longitude),
            let point = try? Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
        else { throw SQLError(.corrupt, "a stored position is \(latitude), \(longitude), which is nowhere on Earth") }
        return point
    }
}
