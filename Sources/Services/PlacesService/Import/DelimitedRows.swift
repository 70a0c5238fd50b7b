import FeatureFiles
import Geo
import Refusals

/// Rows of a table with a header: of places, or of addresses.
struct DelimitedRows: RowReader, ~Copyable {
    private static let separators = [",", ";", "\t", "|"].flatMap { Array($0.utf8) }
    private static let tab = UInt8(ascii: "\t")

    private enum Columns {
        case places(RowColumns)
        case addresses(AddressColumns)
    }

    private let source: TextSource
    private var text: DelimitedText
    private var isAtEnd = false
    private let columns: Columns
    private let header: [String]
    /// Whether numbers may have a comma for the point: nothing else separates by it then.
    private let hasCommas: Bool

    init(_ source: any ByteSource, _ format: FileFormat, _ names: ColumnNames) throws(PlacesError) {
        let isTSV = format == .tsv
        let decoded = TextSource(source)
        // In a table without quotes a quote is an ordinary character.
        var text = try PlacesError.reading { () throws(SourceError) in
            try DelimitedText(
                decoded, separators: isTSV ? [Self.tab] : Self.separators, hasQuotes: !isTSV)
        }
        let header = try Self.header(&text)
        if format == .addresses || AddressColumns.areMeant(by: header, names) {
            columns = .addresses(try AddressColumns(header, names))
        } else {
            columns = .places(try RowColumns(header, names))
        }
        hasCommas = text.separator != UInt8(ascii: ",")
        self.header = header
        self.source = decoded
        self.text = text
    }

    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent? {
        switch try text.nextRecord() {
        case nil:
            defer { isAtEnd = true }
            return isAtEnd ? nil : source.doubt.map { .notice($0) }
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
        switch columns {
        case .places(let columns): try read(&row, columns)
        case .addresses(let columns): try read(&row, columns)
        }
    }

    private func read(_ row: inout PlaceRow, _ columns: RowColumns) throws(RowProblem) {
        try readPosition(&row, columns.position)
        row.name = try text.textIfAny(columns.name)
        row.id = try columns.id.map { column throws(RowProblem) in try text.textIfAny(column) }
        row.categories = try categories(columns)
        row.attributes = try attributes(columns.others)
    }

    private func categories(_ columns: RowColumns) throws(RowProblem) -> String {
        if let column = columns.categories { return try text.textIfAny(column) }
        guard let tag = columns.tag else { return "" }
        return OSMTags.categories(try text.textIfAny(tag.key), try text.textIfAny(tag.value)).joined(separator: ";")
    }

    private func read(_ row: inout PlaceRow, _ columns: AddressColumns) throws(RowProblem) {
        try readPosition(&row, columns.position)
        row.id = try columns.id.map { column throws(RowProblem) in try text.textIfAny(column) }
        let street = try text.textIfAny(columns.street)
        var address = columns.number == nil ? AddressFields(line: street) : AddressFields()
        if let column = columns.number {
            address.street = street
            address.number = try text.textIfAny(column)
        }
        if let column = columns.city { address.city = try text.textIfAny(column) }
        if let column = columns.postcode { address.postcode = try text.textIfAny(column) }
        try address.fill(&row, others: try attributes(columns.others))
    }

    private func attributes(
        _ columns: [(column: Int, key: String)]
    ) throws(RowProblem) -> [(key: String, value: String)] {
        var attributes: [(key: String, value: String)] = []
        for (column, key) in columns where text.fields.indices.contains(column) && !text.isEmpty(column) {
            attributes.append((key, try text.text(column)))
        }
        return attributes
    }

    /// Mostly two plain numbers, which are read without a copy.
    private func readPosition(_ row: inout PlaceRow, _ columns: PositionColumns) throws(RowProblem) {
        if case .pair(let latitude, let longitude) = columns, text.fields.count > max(latitude, longitude),
            let north = text.number(latitude), let east = text.number(longitude)
        {
            (row.latitude, row.longitude) = (north, east)
            return
        }
        if text.fields.count < header.count, !columns.lie(in: text.fields.count) {
            throw RowProblem("the row has \(text.fields.count) fields, the header has \(header.count)")
        }
        let position = try columns.position(header, hasCommas: hasCommas) { column throws(RowProblem) in
            try text.textIfAny(column)
        }
        (row.latitude, row.longitude) = (position.latitude, position.longitude)
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
