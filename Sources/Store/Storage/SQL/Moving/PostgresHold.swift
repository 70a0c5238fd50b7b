internal import Bytes

/// Keeps the services of a PostgreSQL database from starting while their data is moved, and says which of them run.
package final class PostgresHold {
    /// Of all that waymark migrate does in a database.
    private static let lock = 7_729_140_046

    private let database: PlainPostgres
    /// Of the services that none may start of.
    private let schemas: [String]

    /// Refused when another move goes on in the database. Blocks.
    /// - Parameters:
    ///   - schemas: of the services.
    ///   - isSource: whether the services' tables are there, and none may start.
    package init(
        _ address: String, passwordFile: String?, schemas: [String], isSource: Bool
    ) throws(SQLError) {
        let address = try PostgresAddress(address, schema: schemas.first ?? "", passwordFile: passwordFile)
        database = try PlainPostgres(address)
        var there: [String] = []
        if isSource {
            for schema in schemas where try Self.has(schema, database) { there.append(schema) }
        }
        self.schemas = there
        guard try database.run("SELECT pg_try_advisory_lock(\(Self.lock))").first?.first?.isSame(as: "t") == true else {
            throw SQLError(.locked, "another waymark migrate uses \(address.place); wait until it has ended")
        }
        guard isSource else { return }
        try database.run("BEGIN")
        for schema in self.schemas {
            // A service that starts takes this row first.
            try database.run("SELECT id FROM \"\(schema)\".waymark_upgrades FOR UPDATE")
        }
    }

    private static func has(_ schema: String, _ database: PlainPostgres) throws(SQLError) -> Bool {
        try database.run("SELECT to_regclass('\"\(schema)\".waymark_upgrades') IS NOT NULL").first?.first?.isSame(
            as: "t")
            == true
    }

    /// The replicas of the services that have said lately that they run: "pins (replica 1234)". Blocks.
    package func running() throws(SQLError) -> [String] {
        var running: [String] = []
        for schema in schemas {
            let names = try database.run(
                """
                SELECT name FROM "\(schema)".replicas
                WHERE alive_until_ms > (extract(epoch FROM clock_timestamp()) * 1000)::bigint ORDER BY name
                """)
            running += names.compactMap(\.first).map { "\(schema) (replica \($0))" }
        }
        return running
    }
}
