import FeatureFiles

/// Rows of a file of features: GeoJSON, GPX or KML.
struct FeatureRows<Reader: FeatureReader & ~Copyable>: RowReader, ~Copyable {
    private var reader: Reader
    private var roles: PropertyRoles

    init(_ reader: consuming Reader, _ names: ColumnNames = ColumnNames()) {
        self.reader = reader
        roles = PropertyRoles(names)
    }

    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent? {
        let found: Feature?
        do throws(SourceError) { found = try reader.next() } catch { throw PlacesError(error) }
        guard let feature = found else { return nil }
        do throws(RowProblem) {
            try feature.fill(&row, &roles)
            return .row(line: feature.number)
        } catch {
            return .bad(line: feature.number, error)
        }
    }
}
