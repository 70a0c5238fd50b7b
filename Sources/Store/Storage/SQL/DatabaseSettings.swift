import Bytes
import EventLoops

/// The limits of one database, each with its unit.
package struct DatabaseSettings: Sendable {
    /// Reader threads, each with its own connection; at least 1. On one processor a second one would only take turns
    /// with the first, and with the loop.
    package var readers = min(2, Processors.count)
    /// Writing transactions that may wait; one more is refused as `busy`.
    package var waitingWrites = 4_096
    /// Reading transactions that may wait; one more is refused as `busy`.
    package var waitingReads = 4_096
    /// Writing transactions made durable together, at most.
    package var groupLimit = 256
    /// How long a group accepts further transactions before it is made durable.
    package var groupAge = Duration.milliseconds(5)
    /// Prepared statements kept per connection; at least 1.
    package var cachedStatements = 64
    /// How long to wait for another process that holds the file.
    package var lockTimeout = Duration.seconds(5)
    /// The size in bytes above which the database counts as full; nil leaves the limit to the disk.
    package var maximumBytes: Int64?
    /// Follows what is written to a file, for a copy elsewhere; nil for no one.
    package var follower: LogFollower?

    /// Connections to a PostgreSQL server, half of them for transactions that only read; at least 2.
    package var connections = 8
    /// The schema of a PostgreSQL database that has all tables: each service has its own. Letters, digits and _.
    package var schema = "waymark"
    /// The file whose first line is the password for a PostgreSQL server.
    package var passwordFile: String?
    /// The name of this replica, which no other one has and which it keeps over restarts, so that it goes on at once
    /// with what it was doing; nil for a new one each time.
    package var replica: String?
    /// How long connecting to a PostgreSQL server may take.
    package var connectTimeout = Duration.seconds(5)
    /// How long a statement may run on a PostgreSQL server, and a transaction wait for its next one.
    package var statementTimeout = Duration.seconds(60)

    /// Whether rows are moved into it by `waymark migrate`: its schema is made and marked, and no service starts on it.
    package var isMovedInto = false

    /// The defaults, which suit a service on a small machine.
    package init() {}

    /// The defaults with another number of reader threads.
    package init(readers: Int) { self.readers = readers }
}

/// Where a database is, parsed from an operator's setting: a path or a URL.
enum DatabaseAddress: Equatable {
    /// A file for SQLite.
    case sqlite(path: String)
    /// A server.
    case postgres(PostgresAddress)

    /// Whether several processes may use it.
    var isShared: Bool {
        switch self {
        case .sqlite: false
        case .postgres: true
        }
    }

    private static let allowed = "give a path, sqlite:PATH or postgresql://USER@HOST:PORT/DATABASE"

    /// Parses `PATH`, `sqlite:PATH` (also `sqlite://PATH`) or `postgresql://…`. A path that has a colon in its first
    /// segment is written with `./` before it, so that it can't be taken for a URL.
    init(_ text: String, _ settings: DatabaseSettings = DatabaseSettings()) throws(SQLError) {
        let (scheme, rest) = Self.split(text)
        if scheme == "postgresql" || scheme == "postgres" {
            self = .postgres(
                try PostgresAddress(text, schema: settings.schema, passwordFile: settings.passwordFile))
            return
        }
        guard scheme == nil || scheme == "sqlite" else {
            // Behind the scheme there may be a password.
            throw SQLError(.cannotOpen, "a database \"\(scheme ?? "")\" is of an unknown kind: \(Self.allowed)")
        }
        guard !rest.isEmpty, !rest.utf8.contains(0), rest != ":memory:" else {
            throw SQLError(.cannotOpen, "database \"\(text)\" names no file: \(Self.allowed)")
        }
        self = .sqlite(path: rest)
    }

    private static func split(_ text: String) -> (scheme: String?, rest: String) {
        let head = text.until("/", ":")
        guard !head.isEmpty, let rest = text[head.endIndex...].after(":") else { return (nil, text) }
        return (String(head), String(rest.after("//") ?? rest))
    }
}
