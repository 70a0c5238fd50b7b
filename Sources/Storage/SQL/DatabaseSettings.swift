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

    /// The defaults, which suit a service on a small machine.
    package init() {}

    /// The defaults with another number of reader threads.
    package init(readers: Int) { self.readers = readers }
}

/// Where a database is, parsed from an operator's setting: a path or a URL.
enum DatabaseAddress: Equatable {
    /// A file for SQLite.
    case sqlite(path: String)

    /// Parses `PATH` or `sqlite:PATH` (also `sqlite://PATH`). A path that has a colon in its first segment is written
    /// with `./` before it, so that it can't be taken for a URL.
    init(_ text: String) throws(SQLError) {
        let (scheme, rest) = Self.split(text)
        guard scheme == nil || scheme == "sqlite" else {
            throw SQLError(.cannotOpen, "database \"\(text)\" is of an unknown kind: give a path or sqlite:PATH")
        }
        guard !rest.isEmpty, !rest.utf8.contains(0), rest != ":memory:" else {
            throw SQLError(.cannotOpen, "database \"\(text)\" names no file: give a path or sqlite:PATH")
        }
        self = .sqlite(path: rest)
    }

    private static func split(_ text: String) -> (scheme: String?, rest: String) {
        let head = text.prefix { $0 != "/" && $0 != ":" }
        guard !head.isEmpty, head.endIndex < text.endIndex, text[head.endIndex] == ":" else { return (nil, text) }
        let rest = text[text.index(after: head.endIndex)...]
        return (String(head), String(rest.hasPrefix("//") ? rest.dropFirst(2) : rest))
    }
}
