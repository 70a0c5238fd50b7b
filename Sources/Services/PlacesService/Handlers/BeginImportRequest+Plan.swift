import Contracts
import Refusals

extension ImportPlan {
    /// Takes a request apart and refuses what is out of range. The size is compared with the limits by Uploads.
    init(_ request: BeginImportRequest) throws(Refusal) {
        let dataset = try DatasetName(request.dataset, "dataset")
        guard request.byteCount > 0 else {
            throw Refusal("byte_count", 0, allowed: "1 at least is")
        }
        let format = try FileFormat(request)
        let title = try Self.text(request.title, "title", BeginImportRequest.titleLength)
        self.init(
            dataset: dataset, byteCount: request.byteCount, format: format,
            columns: try ColumnNames(request.columns ?? ColumnMap(), format),
            facts: DatasetFacts(
                title: title.isEmpty ? dataset.description : title,
                attribution: try Self.text(
                    request.attribution, "attribution", BeginImportRequest.attributionLength, format.attribution),
                licence: try Self.text(request.licence, "licence", BeginImportRequest.licenceLength, format.licence)))
    }

    /// A text of a request; `standard` when it is empty.
    fileprivate static func text(
        _ text: String, _ field: String, _ length: ClosedRange<Int>, _ standard: String = ""
    ) throws(Refusal) -> String {
        let count = text.unicodeScalars.count
        guard count <= length.upperBound else {
            throw Refusal(field, count, "characters", allowed: "at most \(length.upperBound) are")
        }
        return text.isEmpty ? standard : text
    }

    fileprivate static func fileName(_ name: String) throws(Refusal) -> String {
        try text(name, "file_name", BeginImportRequest.fileNameLength)
    }
}

extension FileFormat {
    fileprivate init(_ request: BeginImportRequest) throws(Refusal) {
        let name = try ImportPlan.fileName(request.fileName)
        switch request.format {
        case .csv: self = .csv
        case .tsv: self = .tsv
        case .geojson: self = .geoJSON
        case .osmPbf: self = .osmPBF
        case .geonames: self = .geoNames
        case .addresses: self = .addresses
        case .gpx: self = .gpx
        case .kml: self = .kml
        case .unspecified:
            guard let format = FileFormat(fileName: name) else {
                throw Refusal(
                    "file_name",
                    "\(name.quoted) has no known ending; \(FileFormat.knownEndings) are, with .gz as well")
            }
            self = format
        default: throw Refusal("format", request.format.rawValue, allowed: "1 to 8 are")
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
            chosen[role] = try ImportPlan.text(name, "columns.\(field)", ColumnMap.nameLength)
        }
    }
}
