import Arguments
import Contracts

extension Flag {
    /// Which column of a file holds what.
    static let columns = [
        Flag("id", "COLUMN", "the column or property with the id"),
        Flag("name-column", "COLUMN", "with the name"),
        Flag("categories", "COLUMN", "with the categories, separated by ;"),
        Flag("lat", "COLUMN", "with the degrees north"),
        Flag("lon", "COLUMN", "with the degrees east"),
    ]
}

extension ParsedArguments {
    /// What the flags of `Flag.columns` say. Nil when there is none: the default names are looked for.
    var columns: ColumnMap? {
        let map = ColumnMap(
            id: text("id") ?? "", name: text("name-column") ?? "", categories: text("categories") ?? "",
            latitude: text("lat") ?? "", longitude: text("lon") ?? "")
        return map == ColumnMap() ? nil : map
    }

    /// What `--format` says; unspecified when it is not there.
    func importFormat() throws(UsageError) -> ImportFormat {
        switch text("format") {
        case nil: return .unspecified
        case "csv": return .csv
        case "tsv": return .tsv
        case "geojson": return .geojson
        case "pbf": return .osmPbf
        case "geonames": return .geonames
        case .some(let other):
            throw UsageError("--format is \(other), allowed is csv, tsv, geojson, pbf or geonames")
        }
    }
}
