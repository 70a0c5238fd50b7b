/// How an imported file is written.
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

    /// Told by the file's name, with or without ".gz"; nil when it does not tell.
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

    /// Whether columns or properties can be said to be this or that.
    var hasColumns: Bool {
        switch self {
        case .csv, .tsv, .geoJSON: true
        case .osmPBF, .geoNames: false
        }
    }

    /// Who must be named beside places of such a file; empty when the format does not tell.
    var attribution: String {
        switch self {
        case .osmPBF: "© OpenStreetMap contributors"
        case .geoNames: "GeoNames, CC BY 4.0"
        case .csv, .tsv, .geoJSON: ""
        }
    }

    /// Under which licence such a file is; empty when the format does not tell.
    var licence: String {
        switch self {
        case .osmPBF: "ODbL-1.0"
        case .geoNames: "CC-BY-4.0"
        case .csv, .tsv, .geoJSON: ""
        }
    }
}
