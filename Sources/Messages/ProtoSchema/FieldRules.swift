internal import CProtobufC
internal import CDescriptors
internal import FieldRules

/// How long a text or a list may be, ends included: the option (waymark.rpc.v1.length).
package struct FieldLength: Sendable, Hashable {
    /// The fewest characters (Unicode scalars) or entries.
    package var minimum = 0
    /// The most.
    package var maximum = 0
    /// What is counted, when the type does not say it: "ids".
    package var things = ""
}

extension FieldLength {
    /// Reads a packed waymark.rpc.v1.Length; nil when the bytes are none. They may be of another program.
    init?(packed bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        while let tag = rest.popFirst() {
            if tag == 3 << 3 | 2 {
                guard let text = rest.popText() else { return nil }
                things = text
                continue
            }
            guard let number = rest.popVarint() else { return nil }
            switch tag {
            case 1 << 3: minimum = number
            case 2 << 3: maximum = number
            default: return nil
            }
        }
    }
}

extension FieldSchema {
    /// The numbers of our options in google.protobuf.FieldOptions.
    private enum Option {
        static let range: UInt32 = 50802
        static let length: UInt32 = 50803
        static let form: UInt32 = 50804
        static let required: UInt32 = 50805
        static let answered: UInt32 = 50806
        static let needed: UInt32 = 50808
    }

    /// Our own options are unknown to descriptor.proto, so they are found among the unknown fields.
    mutating func read(_ options: UnsafePointer<Google__Protobuf__FieldOptions>) {
        isExplicitlyUnpacked = unsafe options.pointee.has_packed != 0 && options.pointee.packed == 0
        for index in unsafe 0..<Int(options.pointee.base.n_unknown_fields) {
            let unknown = unsafe options.pointee.base.unknown_fields[index]
            let bytes = unsafe Array(UnsafeBufferPointer(start: unknown.data, count: unknown.len))
            if unsafe !take(unknown.tag, bytes) { unsafe unknownOptions.append(Int(unknown.tag)) }
        }
        guard let range else { return }
        let unit = type == .message("google.protobuf.Duration") ? "seconds" : range.unit
        comment += (comment.isEmpty ? "" : " ") + range.sentence(unit: unit)
    }

    /// Takes one option; false when it is none of ours.
    private mutating func take(_ number: UInt32, _ bytes: [UInt8]) -> Bool {
        switch number {
        case Option.required where bytes.count == 1: isRequired = bytes == [1]
        case Option.form where bytes.count == 1: form = bytes.first.flatMap { FieldForm(rawValue: $0) }
        case Option.answered where bytes.count == 1: isAnswered = bytes == [1]
        default: return take(number, packed: bytes[...])
        }
        return number != Option.form || form != nil
    }

    /// Takes an option that is a message, with its length before it.
    private mutating func take(_ number: UInt32, packed bytes: ArraySlice<UInt8>) -> Bool {
        var content = bytes
        guard let count = content.popVarint(), count == content.count else { return false }
        switch number {
        case Option.range:
            range = FieldRange(packed: content)
            return range != nil
        case Option.length:
            length = FieldLength(packed: content)
            return length != nil
        case Option.needed:
            needed = String(validating: content, as: UTF8.self) ?? ""
            return !needed.isEmpty
        default: return false
        }
    }
}

extension ArraySlice<UInt8> {
    /// Takes a text with its length before it; nil when there is none.
    mutating func popText() -> String? {
        guard let count = popVarint(), count <= self.count else { return nil }
        defer { removeFirst(count) }
        return String(validating: prefix(count), as: UTF8.self)
    }

    /// Takes a number of up to 28 bits; nil when there is none, or a larger one.
    mutating func popVarint() -> Int? {
        var number = 0
        for shift in stride(from: 0, to: 28, by: 7) {
            guard let byte = popFirst() else { return nil }
            number |= Int(byte & 0x7f) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }
}
