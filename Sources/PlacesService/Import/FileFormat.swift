/// How an imported file is written.
enum FileFormat: Sendable {
    /// Comma-separated with a header, RFC 4180.
    case csv
    /// Tab-separated with a header, no quoting.
    case tsv
    /// A GeoJSON FeatureCollection, RFC 7946.
    case geoJSON

    private static let endings: [(String, FileFormat)] = [
        (".csv", .csv), (".tsv", .tsv), (".txt", .tsv), (".geojson", .geoJSON), (".json", .geoJSON),
    ]

    /// Told by the file's name, with or without ".gz"; nil when it does not tell.
    init?(fileName: String) {
        var name = fileName.lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        guard let known = Self.endings.first(where: { name.hasSuffix($0.0) }) else { return nil }
        self = known.1
    }
}
