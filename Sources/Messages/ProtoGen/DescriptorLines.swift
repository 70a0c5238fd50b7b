/// A packed google.protobuf.FileDescriptorProto as lines of C strings. Each declaration, each of its parts and each
/// line of a comment has a line of its own, and the lengths of the whole are left out, so a small edit of a .proto
/// changes few lines, and two branches that edit different messages merge.
struct DescriptorLines {
    /// All but the comments.
    private(set) var declarations: [String] = []
    /// What is inside of SourceCodeInfo.
    private(set) var comments: [String] = []

    init(_ file: ArraySlice<UInt8>) {
        for field in file.fields {
            if field.number == Self.sourceCodeInfo {
                comments += field.value.fields.flatMap(Self.comment)
            } else {
                declarations += Self.lines(field, in: .file, depth: 0)
            }
        }
    }

    /// The parts of descriptor.proto whose fields get lines of their own.
    private enum Part {
        case file, message, enumeration, service

        /// What a field of it is; nil when that stays on one line.
        func field(_ number: UInt64) -> Part? {
            switch (self, number) {
            case (.file, 4), (.message, 3): .message
            case (.file, 5), (.message, 4): .enumeration
            case (.file, 6): .service
            default: nil
            }
        }
    }

    private static let sourceCodeInfo: UInt64 = 9
    private static let leadingComments: UInt64 = 3

    private static func lines(_ field: PackedField, in part: Part, depth: Int) -> [String] {
        let indent = String(repeating: "    ", count: depth)
        guard let inner = part.field(field.number) else { return [indent + quoted(field.head + field.value)] }
        return [indent + quoted(field.head)]
            + field.value.fields.flatMap { lines($0, in: inner, depth: depth + 1) }
    }

    /// A SourceCodeInfo.Location: of which declaration on one line, and below it what is said of that.
    private static func comment(_ location: PackedField) -> [String] {
        var place = location.head
        var text: [String] = []
        for field in location.value.fields {
            place += field.head
            if field.number == leadingComments {
                text = field.value.split(after: UInt8(ascii: "\n")).map { "    " + quoted($0) }
            } else {
                place += field.value
            }
        }
        return [quoted(place)] + text
    }

    /// A C string literal. Octal escapes end after three digits, whatever follows.
    private static func quoted(_ bytes: ArraySlice<UInt8>) -> String {
        "\"" + bytes.map(escaped).joined() + "\""
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\n"): "\\n"
        // Two `?` would begin a trigraph.
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "?"): "\\" + String(UnicodeScalar(byte))
        case 0x20..<0x7f: String(UnicodeScalar(byte))
        default: "\\" + String(String(Int(byte) + 0o1000, radix: 8).dropFirst())
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes cut behind each such byte.
    fileprivate func split(after end: UInt8) -> [ArraySlice<UInt8>] {
        var rest = self
        var parts: [ArraySlice<UInt8>] = []
        while let index = rest.firstIndex(of: end) {
            parts.append(rest[...index])
            rest = rest[(index + 1)...]
        }
        return rest.isEmpty ? parts : parts + [rest]
    }
}
