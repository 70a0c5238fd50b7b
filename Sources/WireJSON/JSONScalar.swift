/// A value of JSON that has no parts.
@safe
enum JSONScalar {
    /// The bytes of a string, its escapes resolved; good as long as the event lasts.
    case string(UnsafeRawBufferPointer)
    /// As it is written.
    case number(String)
    case flag(Bool)

    /// A string's text; nil for anything else, and when it is not UTF-8.
    var text: String? {
        guard case .string(let bytes) = self else { return nil }
        return unsafe String(validating: bytes, as: UTF8.self)
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

/// What a refusal says of the value that was given.
enum JSONKind {
    case object, list, null, notText
    case string(String)
    case number(String)
    case flag(Bool)

    /// Characters of a value that are repeated.
    private static let shown = 80

    var text: String {
        switch self {
        case .object: "an object"
        case .list: "a list"
        case .null: "null"
        case .notText: "not valid UTF-8"
        case .string(let text): text.count > Self.shown ? "\"\(text.prefix(Self.shown))…\"" : "\"\(text)\""
        case .number(let digits): String(digits.prefix(Self.shown))
        case .flag(let value): "\(value)"
        }
    }
}
