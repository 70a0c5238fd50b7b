import Refusals

/// Rows of a CSV or TSV file with a header.
struct DelimitedRows: RowReader, ~Copyable {
    private var text: DelimitedText
    private let columns: RowColumns

    init(_ source: any ByteSource, _ format: FileFormat, _ names: ColumnNames) throws(PlacesError) {
        let isCSV = format == .csv
        var text = try DelimitedText(source, separator: UInt8(ascii: isCSV ? "," : "\t"), hasQuotes: isCSV)
        let columns = try RowColumns(try Self.header(&text), names)
        self.text = text
        self.columns = columns
    }

    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent? {
        switch try text.next() {
        case nil: return nil
        case .broken(let line, let problem): return .bad(line: line, problem)
        case .record(let line):
            do throws(RowProblem) {
                try read(&row)
                return .row(line: line)
            } catch {
                return .bad(line: line, error)
            }
        }
    }

    private func read(_ row: inout PlaceRow) throws(RowProblem) {
        guard text.fields.count == columns.header.count else {
            throw RowProblem("the row has \(text.fields.count) fields, the header has \(columns.header.count)")
        }
        row.latitude = try number(columns.latitude)
        row.longitude = try number(columns.longitude)
        row.name = try text.text(columns.name)
        row.id = try columns.id.map { column throws(RowProblem) in try text.text(column) }
        row.categories = try columns.categories.map { column throws(RowProblem) in try text.text(column) } ?? ""
        row.attributes.removeAll(keepingCapacity: true)
        for (column, key) in columns.others where !text.isEmpty(column) {
            row.attributes.append((key, try text.text(column)))
        }
    }

    private func number(_ column: Int) throws(RowProblem) -> Double {
        if let number = text.number(column) { return number }
        throw RowProblem("\(columns.header[column]) is \(try text.text(column).quoted), a number of degrees is needed")
    }

    private static func header(_ text: inout DelimitedText) throws(PlacesError) -> [String] {
        switch try text.next() {
        case nil: throw .badFile(reason: "it is empty; its first line must name the columns")
        case .broken(_, let problem): throw .badFile(reason: "its header can't be read: \(problem)")
        case .record:
            do throws(RowProblem) {
                var names: [String] = []
                for field in text.fields.indices { names.append(try text.text(field)) }
                return names
            } catch {
                throw .badFile(reason: "its header can't be read: \(error)")
            }
        }
    }
}
