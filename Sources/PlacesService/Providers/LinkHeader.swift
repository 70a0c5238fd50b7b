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
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...].dropFirst()
            guard let end = rest.firstIndex(of: ">") else { return .none }
            let target = rest[..<end]
            let parameters = parameters(rest[end...].dropFirst())
            if parameters.contains(where: isNext) { return cursor(in: target).map { .cursor($0) } ?? .unreadable }
            rest = rest[end...]
        }
        return .none
    }

    /// The parameters behind a target, up to the comma before the next one.
    private static func parameters(_ text: Substring) -> [Substring] {
        var isQuoted = false
        let own = text.prefix { character in
            if character == "\"" { isQuoted.toggle() }
            return isQuoted || character != ","
        }
        return own.split(separator: ";")
    }

    /// Whether a parameter is `rel=next`, with quotes or without, maybe among other relations.
    private static func isNext(_ parameter: Substring) -> Bool {
        let parts = parameter.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, words(parts[0]) == ["rel"] else { return false }
        return words(parts[1]).contains("next")
    }

    private static func words(_ text: Substring) -> [String] {
        text.lowercased().split { $0.isWhitespace || $0 == "\"" }.map(String.init)
    }

    private static func cursor(in target: Substring) -> String? {
        guard let question = target.firstIndex(of: "?") else { return nil }
        for field in target[question...].dropFirst().split(separator: "&") where field.hasPrefix("cursor=") {
            let cursor = unescaped(field.dropFirst("cursor=".count))
            return cursor.isEmpty ? nil : cursor
        }
        return nil
    }

    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
