import Networks
import PlaceContracts
import Refusals

extension ImportPlan {
    /// Takes a request apart and refuses what is out of range. The size is compared with the limits by Uploads.
    init(_ request: BeginImportRequest) throws(Refusal) {
        let dataset = try DatasetName(request.dataset, "dataset")
        guard Network.named(request.dataset)?.maps == nil else {
            throw Refusal("dataset", text: request.dataset, allowed: "any name but that of a network with maps is")
        }
        let format = try FileFormat(request)
        let wish = request.follow ? SourceFacts(updates: request.updatesUrl, isFollowed: true) : nil
        guard format == .osmPBF || !request.follow && request.updatesUrl.isEmpty else {
            throw Refusal("follow", "only what is imported from an .osm.pbf can be brought up to date every day")
        }
        self.init(
            dataset: dataset, byteCount: request.byteCount, format: format,
            columns: try ColumnNames(request.columns ?? ColumnMap(), format),
            facts: DatasetFacts(
                title: request.title.isEmpty ? dataset.description : request.title,
                attribution: request.attribution.isEmpty ? format.attribution : request.attribution,
                licence: request.licence.isEmpty ? format.licence : request.licence, source: wish))
    }
}

extension FileFormat {
    fileprivate init(_ request: BeginImportRequest) throws(Refusal) {
        let name = request.fileName
        switch request.format {
        case .csv: self = .csv
        case .tsv: self = .tsv
        case .geojson: self = .geoJSON
        case .osmPbf: self = .osmPBF
        case .geonames: self = .geoNames
        case .addresses: self = .addresses
        case .gpx: self = .gpx
        case .kml: self = .kml
        case .osmChanges: self = .osmChanges
        case .unspecified:
            guard let format = FileFormat(fileName: name) else {
                throw Refusal(
                    "file_name",
                    "\(name.quoted) has no known ending; \(FileFormat.knownEndings) are, with .gz as well")
            }
            self = format
        default: throw Refusal("format", request.format.rawValue, allowed: "1 to 9 are")
        }
    }
}

extension ColumnNames {
    fileprivate init(_ map: ColumnMap, _ format: FileFormat) throws(Refusal) {
        let entries: [(ColumnRole, String, String)] = [
            (.id, "id", map.id), (.name, "name", map.name), (.categories, "categories", map.categories),
            (.latitude, "latitude", map.latitude), (.longitude, "longitude", map.longitude),
            (.street, "street", map.street), (.number, "housenumber", map.housenumber), (.city, "city", map.city),
            (.postcode, "postcode", map.postcode),
        ]
        for (role, field, name) in entries where !name.isEmpty {
            guard !format.roles.isEmpty else {
                throw Refusal("columns.\(field)", "a file of this format says by itself which column is what")
            }
            if format == .geoJSON, role == .latitude || role == .longitude {
                throw Refusal(
                    "columns.\(field)", "a GeoJSON file has positions in its geometry, not in a property")
            }
            guard format.roles.contains(role) else {
                throw Refusal("columns.\(field)", "a file of this format has no column of its own for it")
            }
            chosen[role] = name
        }
    }
}
