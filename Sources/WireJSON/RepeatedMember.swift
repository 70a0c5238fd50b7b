internal import JSONStream

/// Finds a member that an object has twice. JSONDecoder passes over it, and then two readers of one text may see two
/// different messages.
enum RepeatedMember {
    /// Its name; nil when there is none, or the text is no JSON at all.
    static func first(in json: [UInt8]) -> String? {
        let members = Members()
        let events = JSONEvents(members)
        _ = unsafe json.withUnsafeBytes { unsafe events.feed($0) }
        return members.repeated
    }

    /// The names that were met, in each object that is open.
    private final class Members: JSONVisitor {
        private var open: [Set<String>] = []
        private(set) var repeated: String?

        func startObject() -> Bool {
            open.append([])
            return true
        }

        func key(_ bytes: UnsafeRawBufferPointer) -> Bool {
            let name = unsafe String(decoding: bytes, as: UTF8.self)
            guard !open.isEmpty, !open[open.count - 1].insert(name).inserted else { return true }
            repeated = name
            return false
        }

        func endObject() -> Bool {
            _ = open.popLast()
            return true
        }

        func startArray() -> Bool { true }
        func endArray() -> Bool { true }
        func string(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
        func number(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
        func literal(_ literal: JSONLiteral) -> Bool { true }
    }
}
