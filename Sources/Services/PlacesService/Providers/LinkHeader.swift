import Bytes

/// The way to the next page in a header: `<https://host/path?cursor=abc>; rel="next"` (RFC 8288).
enum LinkHeader {
    /// What a header says of the next page.
    enum Next: Equatable {
        case none
        case cursor(String)
        /// There is one, and no cursor that leads to it.
        case unreadable
    }

    static func next(_ value: String?) -> Next {
        var rest = Substring(value ?? "")
        while let (_, behind) = rest.halves(at: "<") {
            guard let (target, others) = behind.halves(at: ">") else { return .none }
            if parameters(others).contains(where: isNext) {
                return cursor(in: target).map { .cursor($0) } ?? .unreadable
            }
            rest = others
        }
        return .none
    }

    /// The parameters behind a target, up to the next one, of which there may be many.
    private static func parameters(_ text: Substring) -> [Substring] {
        var isQuoted = false
        let own = text.unicodeScalars.prefix { scalar in
            if scalar == "\"" { isQuoted.toggle() }
            return isQuoted || scalar != "," && scalar != "<"
        }
        return Substring(own).split(at: ";")
    }

    /// Whether a parameter is `rel=next`, with quotes or without, maybe among other relations.
    private static func isNext(_ parameter: Substring) -> Bool {
        guard let (name, value) = parameter.halves(at: "=") else { return false }
        return words(name) == ["rel"] && words(value).contains { $0 == "next" }
    }

    private static func words(_ text: Substring) -> [Substring] {
        text.lowercased().split(atScalars: { $0.isWhitespace || $0 == "\"" })
    }

    private static func cursor(in target: Substring) -> String? {
        let fields = target.halves(at: "?")?.1.split(at: "&") ?? []
        guard let cursor = fields.lazy.compactMap({ $0.after("cursor=") }).first, !cursor.isEmpty else { return nil }
        return URLText.unescaped(cursor)
    }
}
