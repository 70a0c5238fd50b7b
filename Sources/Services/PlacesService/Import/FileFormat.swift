import Bytes
import FeatureFiles

/// The format of an imported file.
enum FileFormat: Sendable {
    /// With a header, RFC 4180; separated by commas or what else its header has.
    case csv
    /// Tab-separated with a header, no quoting.
    case tsv
    /// GeoJSON, RFC 7946: a FeatureCollection, one Feature or several.
    case geoJSON
    /// OpenStreetMap's .osm.pbf.
    case osmPBF
    /// A table of GeoNames, without a header.
    case geoNames
    /// A table of addresses with a header.
    case addresses
    /// Waypoints, https://www.topografix.com/GPX/1/1/.
    case gpx
    /// Placemarks, OGC 12-007r2.
    case kml
    /// Changes to an .osm.pbf, https://wiki.openstreetmap.org/wiki/OsmChange.
    case osmChanges

    private static let endings: [(String, FileFormat)] = [
        (".csv", .csv), (".tsv", .tsv), (".txt", .tsv), (".geojson", .geoJSON), (".json", .geoJSON),
        (".geojsonl", .geoJSON), (".geojsons", .geoJSON), (".ndjson", .geoJSON), (".jsonl", .geoJSON),
        (".pbf", .osmPBF),
        (".gpx", .gpx), (".kml", .kml), (".osc", .osmChanges),
    ]

    /// By the file's name, with or without ".gz"; nil when it does not show the format.
    init?(fileName: String) {
        var name = fileName
        if name.asciiLowercased.ends(with: ".gz") { name = String(name.unicodeScalars.dropLast(3)) }
        if GeoNames.isFileName(name) {
            self = .geoNames
            return
        }
        name = name.lowercased()
        guard let known = Self.endings.first(where: { name.ends(with: $0.0) }) else { return nil }
        self = known.1
    }

    /// The endings of names by which a format is known, for people.
    static let knownEndings = endings.map(\.0).joined(separator: ", ")

    /// The roles of columns or properties that can be set.
    var roles: [ColumnRole] {
        switch self {
        case .csv, .tsv: ColumnRole.ofPlaces + [.street, .number, .city, .postcode]
        case .addresses: ColumnRole.ofAddresses
        case .geoJSON: [.id, .name, .categories]
        case .osmPBF, .osmChanges, .geoNames, .gpx, .kml: []
        }
    }

    /// The attribution for places of such a file; empty when the format does not determine it.
    var attribution: String {
        switch self {
        case .osmPBF, .osmChanges: "© OpenStreetMap contributors"
        case .geoNames: "GeoNames, CC BY 4.0"
        case .csv, .tsv, .geoJSON, .addresses, .gpx, .kml: ""
        }
    }

    /// The licence of such a file; empty when the format does not determine it.
    var licence: String {
        switch self {
        case .osmPBF, .osmChanges: "ODbL-1.0"
        case .geoNames: "CC-BY-4.0"
        case .csv, .tsv, .geoJSON, .addresses, .gpx, .kml: ""
        }
    }
}

extension FileSource {
    /// Why the file does not match its stated format, by its first bytes; nil when they do not show it.
    func wrapping(for format: FileFormat) -> String? {
        if head(4) == [0x50, 0x4b, 0x03, 0x04] { return "it is a zip archive; unpack it and import the file in it" }
        return format == .osmPBF && isGzip ? "an .osm.pbf is packed in itself; unpack the gzip around it" : nil
    }
}
