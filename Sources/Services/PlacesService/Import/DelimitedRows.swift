import FeatureFiles
import Refusals

/// Rows of a table with a header: of places, or of addresses.
struct DelimitedRows: RowReader, ~Copyable {
    private static let separators = [",", ";", "\t", "|"].flatMap { Array($0.utf8) }
    private static let tab = UInt8(ascii: "\t")

    private enum Columns {
        case places(RowColumns)
        case addresses(AddressColumns)
    }

    private var text: DelimitedText
    private let columns: Columns
    private let header: [String]
    /// Whether numbers may have a comma for the point: nothing else separates by it then.
    private let hasCommas: Bool

    init(_ source: any ByteSource, _ format: FileFormat, _ names: ColumnNames) throws(PlacesError) {
        let isTSV = format == .tsv
        // In a table without quotes a quote is an ordinary character.
        var text = try PlacesError.reading { () throws(SourceError) in
            try DelimitedText(source, separators: isTSV ? [Self.tab] : Self.separators, hasQuotes: !isTSV)
        }
        let header = try Self.header(&text)
        if format == .addresses || AddressColumns.areMeant(by: header, names) {
            columns = .addresses(try AddressColumns(header, names))
        } else {
            columns = .places(try RowColumns(header, names))
        }
        hasCommas = text.separator != UInt8(ascii: ",")
        self.header = header
        self.text = text
    }

    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent? {
        switch try text.nextRecord() {
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
        guard text.fields.count == header.count else {
            throw RowProblem("the row has \(text.fields.count) fields, the header has \(header.count)")
        }
        switch columns {
        case .places(let columns): try read(&row, columns)
        case .addresses(let columns): try read(&row, columns)
        }
    }

    private func read(_ row: inout PlaceRow, _ columns: RowColumns) throws(RowProblem) {
        row.latitude = try number(columns.latitude)
        row.longitude = try number(columns.longitude)
        row.name = try text.text(columns.name)
        row.id = try columns.id.map { column throws(RowProblem) in try text.text(column) }
        row.categories = try categories(columns)
        row.attributes = try attributes(columns.others)
    }

    private func categories(_ columns: RowColumns) throws(RowProblem) -> String {
        if let column = columns.categories { return try text.text(column) }
        guard let tag = columns.tag else { return "" }
        return OSMTags.categories(try text.text(tag.key), try text.text(tag.value)).joined(separator: ";")
    }

    private func read(_ row: inout PlaceRow, _ columns: AddressColumns) throws(RowProblem) {
        row.latitude = try number(columns.latitude)
        row.longitude = try number(columns.longitude)
        row.id = try columns.id.map { column throws(RowProblem) in try text.text(column) }
        let street = try text.text(columns.street)
        var address = columns.number == nil ? AddressFields(line: street) : AddressFields()
        if let column = columns.number {
            address.street = street
            address.number = try text.text(column)
        }
        if let column = columns.city { address.city = try text.text(column) }
        if let column = columns.postcode { address.postcode = try text.text(column) }
        try address.fill(&row, others: try attributes(columns.others))
    }

    private func attributes(
        _ columns: [(column: Int, key: String)]
    ) throws(RowProblem) -> [(key: String, value: String)] {
        var attributes: [(key: String, value: String)] = []
        for (column, key) in columns where !text.isEmpty(column) { attributes.append((key, try text.text(column))) }
        return attributes
    }

    private func number(_ column: Int) throws(RowProblem) -> Double {
        if let number = text.number(column) ?? (hasCommas ? text.numberWithComma(column) : nil) { return number }
        throw RowProblem("\(header[column]) is \(try text.text(column).quoted), a number of degrees is needed")
    }

    /// The names of the columns, without blanks around them.
    private static func header(_ text: inout DelimitedText) throws(PlacesError) -> [String] {
        switch try text.nextRecord() {
        case nil: throw .badFile(reason: "it is empty; its first line must name the columns")
        case .broken(_, let problem): throw .badFile(reason: "its header can't be read: \(problem)")
        case .record:
            do throws(RowProblem) {
                var names: [String] = []
                for field in text.fields.indices { names.append(try text.text(field).withoutBlanks) }
                return names
            } catch {
                throw .badFile(reason: "its header can't be read: \(error)")
            }
        }
    }
}

extension DelimitedText {
    /// The next record, as `next` gives it.
    mutating func nextRecord() throws(PlacesError) -> Event? {
        do throws(SourceError) { return try next() } catch { throw PlacesError(error) }
    }
}
