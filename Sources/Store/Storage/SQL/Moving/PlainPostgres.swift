internal import Bytes
internal import CPQ

/// A connection to a PostgreSQL database whose tables are not known here. Not Sendable; all of it blocks, for as long
/// as the server needs.
@safe
final class PlainPostgres {
    private let session: PostgresSession
    var place: String { session.place }

    init(_ address: PostgresAddress, _ settings: DatabaseSettings = DatabaseSettings()) throws(SQLError) {
        session = try PostgresSession(address, limit: settings.connectTimeout) {}
        unsafe PQsetnonblocking(session.handle, 0)
        guard session.serverVersion >= PostgresConnection.oldestServer else {
            throw SQLError(
                .refused, "database \(address.place) is PostgreSQL \(session.serverVersion / 10_000); 15 is needed")
        }
        try run(
            """
            SET statement_timeout TO 0; SET idle_in_transaction_session_timeout TO 0; SET lock_timeout TO 10000;
            SET client_min_messages TO error; SET search_path TO pg_catalog; SET extra_float_digits TO 3
            """)
    }

    /// Runs one or several statements, and gives the rows of the last as text; "" for NULL.
    @discardableResult
    func run(_ sql: String) throws(SQLError) -> [[String]] {
        let result = try unsafe result(PQexec(session.handle, sql))
        return (0..<result.rowCount).map { result.texts(ofRow: $0) }
    }

    /// Begins to read what a COPY … TO STDOUT gives.
    func beginReading(_ sql: String) throws(SQLError) { try begin(sql, PGRES_COPY_OUT) }

    /// The next bytes of it; nil at its end.
    func read() throws(SQLError) -> [UInt8]? {
        var buffer: UnsafeMutablePointer<CChar>?
        let count = unsafe PQgetCopyData(session.handle, &buffer, 0)
        defer { unsafe PQfreemem(buffer) }
        if count > 0, let start = unsafe buffer {
            return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
        }
        guard count == -1 else { throw session.broken() }
        try end()
        return nil
    }

    /// Runs a COPY … FROM STDIN of these bytes.
    func write(_ sql: String, _ bytes: [UInt8]) throws(SQLError) {
        try begin(sql, PGRES_COPY_IN)
        let part = 1 << 20
        for start in stride(from: 0, to: bytes.count, by: part) {
            let sent = unsafe bytes.withUnsafeBytes { bytes in
                let count = min(part, bytes.count - start)
                let head = unsafe bytes.baseAddress.map { unsafe ($0 + start).assumingMemoryBound(to: CChar.self) }
                return unsafe PQputCopyData(session.handle, head, Int32(count))
            }
            guard sent == 1 else { throw session.broken() }
        }
        guard unsafe PQputCopyEnd(session.handle, nil) == 1 else { throw session.broken() }
        try end()
    }

    private func begin(_ sql: String, _ status: ExecStatusType) throws(SQLError) {
        guard let result = unsafe PQexec(session.handle, sql) else { throw session.broken() }
        let owned = unsafe PostgresResult(owning: result)
        guard unsafe PQresultStatus(result) == status else { throw failure(owned) }
    }

    /// Takes what the server says at the end of a COPY.
    private func end() throws(SQLError) {
        var problem: SQLError?
        while let result = unsafe PQgetResult(session.handle) {
            let owned = unsafe PostgresResult(owning: result)
            if !owned.isFine { problem = failure(owned) }
        }
        if let problem { throw problem }
    }

    private func result(_ result: OpaquePointer?) throws(SQLError) -> PostgresResult {
        guard let result = unsafe result else { throw session.broken() }
        let owned = unsafe PostgresResult(owning: result)
        guard owned.isFine else { throw failure(owned) }
        return owned
    }

    private func failure(_ result: PostgresResult) -> SQLError {
        PostgresFailure.error(result.errorCode, at: place, cause: result.errorMessage)
    }

    static func text(_ text: String) -> String {
        "'\(text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined())'"
    }
}
