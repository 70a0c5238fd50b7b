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
