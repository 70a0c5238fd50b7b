import Geo
import ServiceRuntime
import Storage

extension Transaction {
    /// The photos of the folder around a point, nearest first; "0" follows "/".
    func folderPhotos(
        around centre: Coordinate, radiusMetres: Double, limit: Int
    ) throws(SQLError) -> NearestSelection<PhotoPoint> {
        var selection = NearestSelection<PhotoPoint>(centre: centre, radiusMetres: radiusMetres, limit: limit)
        let b = CellBounds(around: centre, radiusMetres: radiusMetres).numbers
        try forEach(
            """
            WITH ranges (first, last) AS (VALUES (CAST(?1 AS BIGINT), CAST(?2 AS BIGINT)), (?3, ?4), (?5, ?6), (?7, ?8),
                (?9, ?10), (?11, ?12), (?13, ?14), (?15, ?16), (?17, ?18), (?19, ?20), (?21, ?22), (?23, ?24),
                (?25, ?26), (?27, ?28), (?29, ?30), (?31, ?32))
            SELECT photos.latitude_e7, photos.longitude_e7, photos.id
            FROM ranges CROSS JOIN photos
            WHERE photos.cell BETWEEN ranges.first AND ranges.last AND photos.id > 'folder/' AND photos.id < 'folder0'
            """,
            b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15],
            b[16], b[17], b[18], b[19], b[20], b[21], b[22], b[23], b[24], b[25], b[26], b[27], b[28], b[29], b[30],
            b[31]
        ) { row throws(SQLError) in
            let position = try row.coordinate(0)
            try selection.offer(position) { () throws(SQLError) in
                PhotoPoint(id: try row.photoID(2), position: position)
            }
        }
        return selection
    }
}
