import Bytes
import FeatureFiles
import Refusals

/// Rows of a table of GeoNames.
struct GeoNamesRows: RowReader, ~Copyable {
    private typealias Column = GeoNames.Column

    private var text: DelimitedText
    private var isFirst = true

    init(_ source: any ByteSource) throws(PlacesError) {
        text = try PlacesError.reading { () throws(SourceError) in
            try DelimitedText(source, separators: [UInt8(ascii: "\t")], hasQuotes: false)
        }
    }

    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent? {
        switch try text.nextRecord() {
        case nil: return nil
        case .broken(let line, let problem): return .bad(line: line, problem)
        case .record(let line):
            try refuseOtherTable()
            do throws(RowProblem) {
                try read(&row)
                return .row(line: line)
            } catch {
                return .bad(line: line, error)
            }
        }
    }

    /// A table of something else is recognized by its first line.
    private mutating func refuseOtherTable() throws(PlacesError) {
        defer { isFirst = false }
        guard isFirst, text.fields.count != Column.count else { return }
        throw .badFile(
            reason: "its first line has \(text.fields.count) fields, a table of GeoNames has \(Column.count); "
                + "a table with a header is format tsv")
    }

    private func read(_ row: inout PlaceRow) throws(RowProblem) {
        guard text.fields.count == Column.count else {
            throw RowProblem("the row has \(text.fields.count) fields, a table of GeoNames has \(Column.count)")
        }
        row.id = try text.text(Column.id)
        row.name = try text.text(Column.name)
        row.latitude = try degrees(Column.latitude, "latitude")
        row.longitude = try degrees(Column.longitude, "longitude")
        let people = text.number(Column.population).flatMap { Int(exactly: $0) } ?? 0
        let (featureClass, code) = (try text.text(Column.featureClass), try text.text(Column.featureCode))
        row.categories = GeoNames.category(featureClass: featureClass, code: code, population: people)
        row.attributes.removeAll(keepingCapacity: true)
        try addNames(to: &row)
        for (column, key) in GeoNames.attributes where !text.isEmpty(column) {
            row.attributes.append((key, try text.text(column)))
        }
        if people > 0 { row.attributes.append(("population", "\(people)")) }
    }

    private func addNames(to row: inout PlaceRow) throws(RowProblem) {
        let ascii = try text.text(Column.asciiName)
        if !ascii.isEmpty, ascii != row.name { row.attributes.append(("asciiname", ascii)) }
        let others = try text.text(Column.otherNames)
        if !others.isEmpty {
            row.attributes.append(("alt_names", others.split(at: ",").joined(separator: ";")))
        }
    }

    private func degrees(_ column: Int, _ name: String) throws(RowProblem) -> Double {
        if let number = text.number(column) { return number }
        throw RowProblem("\(name) is \(try text.text(column).quoted), a number of degrees is needed")
    }
}
