/// The format of an imported file.
enum FileFormat: Sendable {
    /// Comma-separated with a header, RFC 4180.
    case csv
    /// Tab-separated with a header, no quoting.
    case tsv
    /// A GeoJSON FeatureCollection, RFC 7946.
    case geoJSON
    /// OpenStreetMap's .osm.pbf.
    case osmPBF
    /// A table of GeoNames, without a header.
    case geoNames

    private static let endings: [(String, FileFormat)] = [
        (".csv", .csv), (".tsv", .tsv), (".txt", .tsv), (".geojson", .geoJSON), (".json", .geoJSON), (".pbf", .osmPBF),
    ]

    /// By the file's name, with or without ".gz"; nil when it does not show the format.
    init?(fileName: String) {
        var name = fileName
        if name.lowercased().hasSuffix(".gz") { name.removeLast(3) }
        if GeoNames.isFileName(name) {
            self = .geoNames
            return
        }
        name = name.lowercased()
        guard let known = Self.endings.first(where: { name.hasSuffix($0.0) }) else { return nil }
        self = known.1
    }

    /// Whether the roles of columns or properties can be set.
    var hasColumns: Bool {
        switch self {
        case .csv, .tsv, .geoJSON: true
        case .osmPBF, .geoNames: false
        }
    }

    /// The attribution for places of such a file; empty when the format does not determine it.
    var attribution: String {
        switch self {
        case .osmPBF: "© OpenStreetMap contributors"
        case .geoNames: "GeoNames, CC BY 4.0"
        case .csv, .tsv, .geoJSON: ""
        }
    }

    /// The licence of such a file; empty when the format does not determine it.
    var licence: String {
        switch self {
        case .osmPBF: "ODbL-1.0"
        case .geoNames: "CC-BY-4.0"
        case .csv, .tsv, .geoJSON: ""
        }
    }
}
