/// One query of the places bench.
struct Query: Sendable {
    let latitude: Double
    let longitude: Double
    let radiusMetres: Double
    let limit: UInt32
}

/// Reads the tab-separated files that Benchmarks/peers/data makes; both have a header line.
enum BenchFile {
    /// Columns id, lat, lon, radius_m, limit.
    static func queries(_ path: String) throws(Arguments.Problem) -> [Query] {
        try rows(path).map { (columns) throws(Arguments.Problem) in
            guard columns.count >= 5, let latitude = Double(columns[1]), let longitude = Double(columns[2]),
                let radius = Double(columns[3]), let limit = UInt32(columns[4])
            else { throw Arguments.Problem(description: "\(path) holds a line that is no query") }
            return Query(latitude: latitude, longitude: longitude, radiusMetres: radius, limit: limit)
        }
    }

    /// The columns of each line behind the header.
    static func rows(_ path: String) throws(Arguments.Problem) -> [[Substring]] {
        guard let text = TextFile.read(path) else { throw Arguments.Problem(description: "\(path) can't be read") }
        let lines = text.split(separator: "\n").dropFirst()
        return lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    }
}
