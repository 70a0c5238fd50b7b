internal import Bytes
internal import CPQ

/// What the server answered to one statement, freed in `deinit`.
@safe
final class PostgresResult {
    private let result: OpaquePointer

    /// Takes over what `PQgetResult` gave.
    init(owning result: OpaquePointer) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    /// Whether the statement did what it should.
    var isFine: Bool {
        let status = unsafe PQresultStatus(result)
        return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK
    }

    /// Whether it is the end of what was sent together.
    var isSync: Bool { unsafe PQresultStatus(result) == PGRES_PIPELINE_SYNC }

    /// Whether there was no statement at all.
    var isEmptyQuery: Bool { unsafe PQresultStatus(result) == PGRES_EMPTY_QUERY }

    var rowCount: Int { unsafe Int(PQntuples(result)) }

    /// "COMMIT", "INSERT 0 3".
    var tag: String { unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? "" }

    /// How many rows a statement that changes any has changed.
    var changedRowCount: Int {
        guard !tag.begins(with: "SELECT") else { return 0 }
        return unsafe PQcmdTuples(result).map { unsafe String(cString: $0) }.flatMap { Int($0) } ?? 0
    }

    /// The five characters by which PostgreSQL names an error; empty when the connection broke.
    var errorCode: String {
        unsafe PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { unsafe String(cString: $0) } ?? ""
    }

    var errorMessage: String { unsafe PQresultErrorMessage(result).map { unsafe String(cString: $0) } ?? "" }

    /// A row of a result that is all text; "" for NULL.
    func texts(ofRow index: Int) -> [String] {
        (0..<(unsafe PQnfields(result))).map { column in
            unsafe PQgetvalue(result, Int32(index), column).map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// A row; the result must outlive it.
    @unsafe
    func row(_ index: Int) -> PostgresRow { unsafe PostgresRow(result: result, index: Int32(index)) }
}

/// One row of a result, in binary form.
@safe
struct PostgresRow: RowSource {
    private let result: OpaquePointer
    private let index: Int32

    @unsafe
    init(result: OpaquePointer, index: Int32) {
        unsafe self.result = result
        self.index = index
    }

    var columnCount: Int { unsafe Int(PQnfields(result)) }

    func name(of column: Int) -> String? { unsafe PQfname(result, Int32(column)).map { unsafe String(cString: $0) } }

    func kind(of column: Int) -> ColumnKind {
        if unsafe PQgetisnull(result, index, Int32(column)) == 1 { return .null }
        let type = unsafe PQftype(result, Int32(column))
        return switch type {
        case PostgresType.smallInteger, PostgresType.integer, PostgresType.bigInteger: .integer
        case PostgresType.double: .double
        case PostgresType.text, PostgresType.character, PostgresType.unknown: .text
        case PostgresType.bytes: .bytes
        case PostgresType.bool: .bool
        default: .other("number \(type) of PostgreSQL")
        }
    }

    /// Two, four or eight bytes in network order, signed; or the one byte of a boolean.
    func integer(_ column: Int) -> Int64 {
        let bytes = unsafe bytes(column)
        guard let first = unsafe bytes.first else { return 0 }
        let head = bytes.count == 1 ? Int64(first) : Int64(Int8(bitPattern: first))
        return unsafe bytes.dropFirst().reduce(head) { $0 << 8 | Int64($1) }
    }

    func double(_ column: Int) -> Double { Double(bitPattern: UInt64(bitPattern: integer(column))) }

    @unsafe
    func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let start = unsafe PQgetvalue(result, index, Int32(column))
        let count = unsafe Int(PQgetlength(result, index, Int32(column)))
        return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
}
