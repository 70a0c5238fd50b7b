import Bytes
package import Daemon
package import Storage

/// Where a service keeps its records: a file in its data folder, or a PostgreSQL database that replicas share.
package struct DatabaseConfig: Sendable {
    /// The options of every service that keeps records.
    package static let options = [
        Option(
            "--database", "ADDRESS", defaultText: "a file in `--data`", isSecret: true,
            help: "postgresql://USER@HOST:PORT/DATABASE, which replicas share, or a file; no password in it"),
        Option(
            "--database-password-file", "FILE", access: .readsReplacedFile,
            help: "a file whose first line is the password for the PostgreSQL server"),
        Option(
            "--database-schema", "NAME", defaultText: "`pins`, `photos` or `places`",
            help: "the schema with the service's tables, for several deployments in one database"),
        Option(
            "--replica", "NAME", defaultText: "a new one at each start",
            help: "the name of this replica, which no other has; with it a start goes on at once with what it was doing"
        ),
        Option(
            "--database-connections", "N", default: 8, in: 2...200,
            help: "connections to the PostgreSQL server, half of them for transactions that only read"),
    ]

    package let address: String
    package let settings: DatabaseSettings

    /// - Parameters:
    ///   - file: the file in the data folder: "pins.db".
    ///   - schema: the PostgreSQL schema with the service's tables: "pins".
    package init(_ options: Options, file: String, schema: String) throws(OptionError) {
        address =
            if let given = options["--database"] { given } else { "\(try options.required("--data"))/\(file)" }
        var settings = DatabaseSettings()
        settings.schema = try Self.schema(options) ?? schema
        settings.passwordFile = options["--database-password-file"]
        settings.replica = options["--replica"]
        settings.connections = try options.integer("--database-connections")
        self.settings = settings
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
