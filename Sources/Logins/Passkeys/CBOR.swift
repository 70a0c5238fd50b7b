internal import Bytes

/// A value of CBOR (RFC 8949) as authenticators send it: without floating-point numbers and tags.
enum CBOR: Equatable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    case map([Label: CBOR])
    case bool(Bool)
    case null

    /// What a member of a map is found by.
    enum Label: Hashable {
        case integer(Int64)
        case text(String)
    }

    /// Maps and arrays within each other that are read; a chain of certificates in a compound statement needs five.
    static let deepest = 8

    var map: [Label: CBOR]? { if case .map(let members) = self { members } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The one value that the bytes are; nothing may follow.
    init(reading bytes: [UInt8]) throws(CBORError) {
        var reader = CBORReader(bytes[...])
        self = try reader.value()
        guard reader.rest.isEmpty else { throw .trailing(reader.rest.count) }
    }
}

/// Why bytes are not read as CBOR. Each reads as a sentence.
enum CBORError: Error, Equatable, CustomStringConvertible {
    case cut
    /// Of an indefinite length, a floating-point number, a tag, or not assigned: its first byte.
    case kind(UInt8)
    case number
    case utf8
    case label
    case duplicate
    case depth
    case trailing(Int)

    var description: String {
        switch self {
        case .cut: "it is cut short"
        case .kind(let byte): "the initial byte \(byte) is not allowed"
        case .number: "a number has more than 63 bits"
        case .utf8: "a text is not UTF-8"
        case .label: "the name of a member is neither a number nor a text"
        case .duplicate: "a member is there twice"
        case .depth: "it is more than \(CBOR.deepest) levels deep"
        case .trailing(let count): "\(count) bytes follow"
        }
    }
}

/// Reads values one after another.
struct CBORReader {
    /// What is not read yet.
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next value.
    mutating func value(depth: Int = 0) throws(CBORError) -> CBOR {
        let first = try bytes(1).first ?? 0
        switch first {
        case 0xf4, 0xf5: return .bool(first == 0xf5)
        case 0xf6: return .null
        default: break
        }
        let argument = try argument(first)
        switch first >> 5 {
        case 0: return .integer(argument)
        case 1: return .integer(-1 - argument)
        case 2: return .bytes(Array(try bytes(argument)))
        case 3:
            guard let text = String(validating: try bytes(argument), as: UTF8.self)?.streamSafe else { throw .utf8 }
            return .text(text)
        case 4: return .array(try array(argument, depth + 1))
        case 5: return .map(try map(argument, depth + 1))
        default: throw .kind(first)
        }
    }

    private mutating func array(_ count: Int64, _ depth: Int) throws(CBORError) -> [CBOR] {
        guard depth <= CBOR.deepest else { throw .depth }
        var elements: [CBOR] = []
        // No room is made for what is only announced.
        for _ in 0..<count { elements.append(try value(depth: depth)) }
        return elements
    }

    private mutating func map(_ count: Int64, _ depth: Int) throws(CBORError) -> [CBOR.Label: CBOR] {
        guard depth <= CBOR.deepest else { throw .depth }
        var members: [CBOR.Label: CBOR] = [:]
        for _ in 0..<count {
            let label: CBOR.Label
            switch try value(depth: depth) {
            case .integer(let number): label = .integer(number)
            case .text(let text): label = .text(text)
            default: throw .label
            }
            guard members.updateValue(try value(depth: depth), forKey: label) == nil else { throw .duplicate }
        }
        return members
    }

    /// The number in an initial byte, or in the bytes behind it: a value, a length or a count.
    private mutating func argument(_ first: UInt8) throws(CBORError) -> Int64 {
        let short = first & 0x1f
        // 28 to 30 are not assigned, 31 is an indefinite length.
        guard short < 28 else { throw .kind(first) }
        guard short >= 24 else { return Int64(short) }
        let number = try bytes(1 << Int64(short - 24)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int64(exactly: number) else { throw .number }
        return number
    }

    private mutating func bytes(_ count: Int64) throws(CBORError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .cut }
        let bytes = rest.prefix(Int(count))
        rest = rest.dropFirst(bytes.count)
        return bytes
    }
}
