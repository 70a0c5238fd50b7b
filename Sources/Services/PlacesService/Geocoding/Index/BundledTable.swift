import FeatureFiles

/// A table that comes with Waymark: tab-separated, with the names of columns in its first line, packed with gzip.
struct BundledTable: ~Copyable {
    /// No bundled table comes near this size when it is unpacked.
    private static let maximumBytes: UInt64 = 1 << 30
    private let path: String
    private let header: [String]
    private var rows: DelimitedText

    init(path: String) throws(PlacesError) {
        var rows = try PlacesError.reading { () throws(SourceError) in
            let source = GzipSource(try FileSource(path: path), limitBytes: Self.maximumBytes)
            return try DelimitedText(source, separators: [UInt8(ascii: "\t")], hasQuotes: false)
        }
        guard case .record = try rows.nextRecord() else { throw .damaged(what: path) }
        var header: [String] = []
        for column in rows.fields.indices { header.append((try? rows.text(column)) ?? "") }
        self.path = path
        self.header = header
        self.rows = rows
    }

    /// The index of a column.
    func column(_ name: String) throws(PlacesError) -> Int {
        guard let column = header.firstIndex(of: name) else { throw .damaged(what: "\(path) has no column \(name)") }
        return column
    }

    /// Goes to the next row; false at the end.
    mutating func next() throws(PlacesError) -> Bool {
        guard let event = try rows.nextRecord() else { return false }
        guard case .record = event, rows.fields.count == header.count else {
            throw .damaged(what: "\(path) has a row that can't be read")
        }
        return true
    }

    func text(_ column: Int) throws(PlacesError) -> String {
        do throws(RowProblem) { return try rows.text(column) } catch { throw .damaged(what: "\(path): \(error)") }
    }

    /// A number; 0 for an empty field.
    func number(_ column: Int) throws(PlacesError) -> Double {
        if rows.isEmpty(column) { return 0 }
        guard let number = rows.number(column) else { throw .damaged(what: "\(path) has a field that is no number") }
        return number
    }

    /// A whole number that is not negative; 0 for anything else.
    func count(_ column: Int) throws(PlacesError) -> UInt32 { UInt32(exactly: try number(column)) ?? 0 }

    /// Degrees in 1e-7.
    func degreesE7(_ column: Int) throws(PlacesError) -> Int32 {
        Int32(exactly: (try number(column) * 1e7).rounded()) ?? 0
    }
}
