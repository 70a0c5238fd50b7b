/// One row of a result, lent to a closure. Columns count from 0. Types are strict: a column of another type, or
/// NULL where a value is asked for, throws `wrongType` and names the column.
@safe
package struct Row: ~Copyable {
    private let source: any RowSource

    /// The source must outlive this value.
    init(_ source: any RowSource) { self.source = source }

    /// A BIGINT.
    package func integer(_ column: Int) throws(SQLError) -> Int64 {
        try require(.integer, column)
        return source.integer(column)
    }

    /// A DOUBLE PRECISION.
    package func double(_ column: Int) throws(SQLError) -> Double {
        try require(.double, column)
        return source.double(column)
    }

    /// A BOOLEAN, which SQLite keeps as 0 or 1.
    package func bool(_ column: Int) throws(SQLError) -> Bool {
        let kind = try kind(column)
        guard kind == .bool || kind == .integer else { throw wrongType(column, kind, expected: "a boolean") }
        let value = source.integer(column)
        guard value == 0 || value == 1 else {
            throw wrongType(column, "holds \(value) where a boolean, 0 or 1, was expected")
        }
        return value == 1
    }

    /// A TEXT, checked to be UTF-8.
    package func text(_ column: Int) throws(SQLError) -> String {
        try require(.text, column)
        let bytes = unsafe source.bytes(column)
        guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
            throw wrongType(column, "holds text that is not UTF-8")
        }
        return text
    }

    /// A BYTEA.
    package func blob(_ column: Int) throws(SQLError) -> [UInt8] {
        try require(.bytes, column)
        return unsafe Array(source.bytes(column))
    }

    /// Lends a BYTEA without copying it.
    package func withBlob<Value>(
        _ column: Int, _ body: (RawSpan) throws(SQLError) -> Value
    ) throws(SQLError) -> Value {
        try require(.bytes, column)
        return try unsafe body(source.bytes(column).bytes)
    }

    /// A BIGINT, or nil for NULL.
    package func optionalInteger(_ column: Int) throws(SQLError) -> Int64? {
        try isNull(column) ? nil : try integer(column)
    }

    /// A TEXT, or nil for NULL.
    package func optionalText(_ column: Int) throws(SQLError) -> String? {
        try isNull(column) ? nil : try text(column)
    }

    /// A DOUBLE PRECISION, or nil for NULL.
    package func optionalDouble(_ column: Int) throws(SQLError) -> Double? {
        try isNull(column) ? nil : try double(column)
    }

    /// A BYTEA, or nil for NULL.
    package func optionalBlob(_ column: Int) throws(SQLError) -> [UInt8]? {
        try isNull(column) ? nil : try blob(column)
    }

    /// Whether the column is NULL.
    package func isNull(_ column: Int) throws(SQLError) -> Bool { try kind(column) == .null }

    private func kind(_ column: Int) throws(SQLError) -> ColumnKind {
        let count = source.columnCount
        guard column >= 0, column < count else {
            throw SQLError(.misuse, "column \(column) was read of a row that has columns 0 to \(count - 1)")
        }
        return source.kind(of: column)
    }

    private func require(_ wanted: ColumnKind, _ column: Int) throws(SQLError) {
        let found = try kind(column)
        guard found == wanted else { throw wrongType(column, found, expected: wanted.name) }
    }

    private func wrongType(_ column: Int, _ found: ColumnKind, expected: String) -> SQLError {
        wrongType(column, "holds \(found.name) where \(expected) was expected")
    }

    private func wrongType(_ column: Int, _ problem: String) -> SQLError {
        SQLError(.wrongType, "column \(column) (\(source.name(of: column) ?? "unnamed")) \(problem)")
    }
}
