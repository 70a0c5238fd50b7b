internal import Bytes
internal import Wire

/// A value of JSON that has no parts.
@safe
enum JSONScalar {
    /// The bytes of a string, its escapes resolved; good as long as the event lasts.
    case string(UnsafeRawBufferPointer)
    /// As it is written.
    case number(String)
    case flag(Bool)

    /// The most bytes of a number that is parsed, and of a string that may be a name: comparing much longer ones takes
    /// long if they are made for that.
    static let longestWord = 1024

    /// The text of a string that is a number or a name; nil when it is too long for either.
    var word: String? {
        guard case .string(let bytes) = self, bytes.count <= Self.longestWord else { return nil }
        return text
    }

    /// A string's text; nil for anything else, and when it is not UTF-8.
    var text: String? {
        guard case .string(let bytes) = self else { return nil }
        return unsafe String(validating: bytes, as: UTF8.self)?.streamSafe
    }

    /// For sentences.
    var kind: JSONKind {
        switch self {
        case .string: text.map { .string($0) } ?? .notText
        case .number(let digits): .number(digits)
        case .flag(let value): .flag(value)
        }
    }
}

/// How a refusal describes the given value.
enum JSONKind {
    case object, list, null, notText
    case string(String)
    case number(String)
    case flag(Bool)

    /// The most bytes of a value that are repeated.
    private static let shown = 80

    var text: String {
        switch self {
        case .object: "an object"
        case .list: "a list"
        case .null: "null"
        case .notText: "not valid UTF-8"
        case .string(let text): "\"\(text.shortened(to: Self.shown))\""
        case .number(let digits): digits.shortened(to: Self.shown)
        case .flag(let value): "\(value)"
        }
    }
}
