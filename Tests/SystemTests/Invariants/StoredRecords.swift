import TestSupport
import TestTools
import WholeSystem

@testable import Storage

/// What replicas have stored in their PostgreSQL server.
struct StoredRecords {
    private let address: String
    private let passwordFile: String

    init(_ address: String, _ folder: RunFolder) {
        self.address = address
        passwordFile = folder.file("data/database-password")
    }

    /// What is orphaned, doubled or half done.
    func differences() async throws -> [String] {
        try await BlockingCalls.run {
            try texts("pins", FaultQueries.ofPins) + texts("photos", FaultQueries.ofPhotos)
        }
    }

    private func texts(_ schema: String, _ queries: [StaticString]) throws -> [String] {
        let settings = DatabaseSettings()
        let place = try PostgresAddress(address, schema: schema, passwordFile: passwordFile)
        let connection = PostgresConnection(place, settings, SharedClock())
        try connection.connect()
        defer { connection.close() }
        // SQLite has it.
        try connection.control(
            """
            CREATE OR REPLACE FUNCTION hex(BYTEA) RETURNS TEXT LANGUAGE SQL IMMUTABLE
            AS $$ SELECT upper(encode($1, 'hex')) $$
            """)
        try connection.begin(.read)
        var texts: [String] = []
        for query in queries + FaultQueries.always {
            try connection.run(query, []) { row throws(SQLError) in
                texts.append(try row.text(0))
                return true
            }
        }
        return texts
    }
}
