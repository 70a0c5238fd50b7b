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
        let found: FeatureItem?
        do throws(SourceError) { found = try reader.next() } catch { throw PlacesError(error) }
        let feature: Feature
        switch found {
        case nil: return nil
        case .line, .list: return .nothing
        case .notice(let notice): return .notice(notice)
        case .feature(let next): feature = next
        }
        do throws(RowProblem) {
            try feature.fill(&row, &roles)
            return .row(line: feature.number)
        } catch {
            return .bad(line: feature.number, error)
        }
    }
}
