import FoundationEssentials
import Glibc

/// One flat JSON object on one line, its members in the order they were added.
///
/// Strings are escaped by JSONEncoder; only the braces and commas of a flat object are written here, because a log
/// line is to keep the order of its members, which keyed encoding does not.
package struct JSONLine {
    private var members: [String] = []

    package init() {}

    package mutating func add(_ key: String, _ value: String) {
        members.append("\(Self.quote(key)):\(Self.quote(value))")
    }

    package mutating func add(_ key: String, number: Int64) { members.append("\(Self.quote(key)):\(number)") }

    /// The whole object.
    package var finished: String { "{\(members.joined(separator: ","))}" }

    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }()

    private static func quote(_ text: String) -> String {
        guard let data = try? encoder.encode(text) else { return "\"\"" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// Writes a whole text to a descriptor and returns when it is written, or when the reader has gone. Blocks.
func writeAll(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
        var start = 0
        while start < bytes.count {
            let count = unsafe write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            start += count
        }
    }
}
