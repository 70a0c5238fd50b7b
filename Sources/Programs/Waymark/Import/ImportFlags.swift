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
        Flag("street", "COLUMN", "of a table of addresses: with the street, or with street and number"),
        Flag("number", "COLUMN", "likewise: with the house number"),
        Flag("city", "COLUMN", "likewise: with the town"),
        Flag("postcode", "COLUMN", "likewise: with the postcode"),
    ]
}

extension ParsedArguments {
    /// What the flags of `Flag.columns` say. Nil when there is none: the default names are looked for.
    var columns: ColumnMap? {
        let map = ColumnMap(
            id: text("id") ?? "", name: text("name-column") ?? "", categories: text("categories") ?? "",
            latitude: text("lat") ?? "", longitude: text("lon") ?? "", street: text("street") ?? "",
            housenumber: text("number") ?? "", city: text("city") ?? "", postcode: text("postcode") ?? "")
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
        case "addresses": return .addresses
        case "gpx": return .gpx
        case "kml": return .kml
        case "osc": return .osmChanges
        case .some(let other):
            throw UsageError(
                "--format is \(other), allowed is csv, tsv, geojson, pbf, geonames, addresses, gpx, kml or osc")
        }
    }
}
