package import Arguments
import Bytes
package import Storage

/// Where a service keeps its records: a file in its data folder, or a PostgreSQL database that replicas share.
package struct DatabaseConfig: Sendable {
    package let address: String
    package let settings: DatabaseSettings

    /// - Parameters:
    ///   - file: the file in the data folder: "pins.db".
    ///   - schema: the PostgreSQL schema with the service's tables: "pins".
    ///   - follower: follows the file.
    package init(
        _ options: Options, file: String, schema: String, follower: LogFollower? = nil
    ) throws(OptionError) {
        address =
            if let given = options["--database"] { given } else { "\(try options.required("--data"))/\(file)" }
        var settings = DatabaseSettings()
        settings.follower = follower
        settings.schema = try Self.schema(options) ?? schema
        settings.passwordFile = options["--database-password-file"]
        settings.replica = options["--replica"]
        settings.connections = try options.integer("--database-connections")
        self.settings = settings
    }

    /// Opens one that `waymark migrate` moves rows into, and makes its tables.
    package func openForMove(_ migrations: [Migration]) async throws(SQLError) -> Database {
        var settings = settings
        settings.isMovedInto = true
        return try await Database.open(address, migrations: migrations, settings: settings)
    }

    /// Makes the tables of one that `waymark migrate` moves rows into.
    package func makeForMove(_ migrations: [Migration]) async throws(SQLError) {
        await (try await openForMove(migrations)).close()
    }

    private static func schema(_ options: Options) throws(OptionError) -> String? {
        guard let name = options["--database-schema"] else { return nil }
        let isName = name.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "_")
        }
        guard isName, (1...63).contains(name.utf8.count), !name.begins(with: "pg_") else {
            throw OptionError(
                "--database-schema \(name): 1 to 63 lower-case letters, digits and _ are allowed, not beginning with pg_"
            )
        }
        return name
    }
}
