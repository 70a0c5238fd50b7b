/// An answer as it came over the wire.
package struct HTTPReply: Sendable {
    package let status: Int
    /// By lower-case name, in the order in which they came.
    package let fields: [(name: String, value: String)]
    package internal(set) var body: [UInt8] = []

    /// Reads the lines of a head.
    init?(lines: [String]) {
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", let status = Int(words[1]) else {
            return nil
        }
        self.status = status
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
    }

    /// The first value of a field, named in lower case.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether the connection is over behind it.
    package var closes: Bool { self["connection"]?.lowercased() == "close" }

    var isChunked: Bool { self["transfer-encoding"]?.lowercased() == "chunked" }

    var length: Int? { self["content-length"].flatMap { Int($0) } }
}
