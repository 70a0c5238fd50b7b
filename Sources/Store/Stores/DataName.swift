internal import Crypto
package import Storage

/// The name of the data that a service answers from. Clients that know several servers by one name make no calls when
/// these say different ones (`Hello.data`).
package enum DataName {
    /// The table with the number that identifies the stored data, for a store that has none yet.
    package static let migration = Migration(
        "0.2.0 number of the store",
        """
        CREATE TABLE store (id BIGINT PRIMARY KEY, epoch BIGINT NOT NULL);
        """)

    /// Of the service that has `database` open.
    /// - Parameters:
    ///   - epoch: identifies the stored data.
    ///   - place: where the files are that belong to it; "" when all is in the database.
    package static func of(_ database: Database, epoch: Int64, place: String = "") -> String {
        // No other process has the same file.
        guard database.isShared else { return "\(UInt64.random(in: 0 ... .max))" }
        return "\(SHA256.digest(Array("\(epoch) \(place)".utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })"
    }
}

extension Transaction {
    /// The number that identifies the stored data, drawn at the first start.
    package func epoch() throws(SQLError) -> Int64 {
        try execute(
            "INSERT INTO store (id, epoch) VALUES (1, ?1) ON CONFLICT (id) DO NOTHING", Int64.random(in: 1...Int64.max))
        let epoch = try first("SELECT epoch FROM store WHERE id = 1") { row throws(SQLError) in try row.integer(0) }
        guard let epoch else { throw SQLError(.corrupt, "the stored data has no epoch") }
        return epoch
    }
}
