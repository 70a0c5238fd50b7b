import WireJSON

extension Base64 {
    /// Decodes pieces of base64 that follow each other, each with its padding, as gRPC-Web sends them. Nil for what is
    /// none.
    static func decode(segments text: [UInt8]) -> [UInt8]? {
        let padding = UInt8(ascii: "=")
        var bytes: [UInt8] = []
        var rest = text[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: padding) ?? rest.endIndex
            let next = rest[end...].firstIndex { $0 != padding } ?? rest.endIndex
            guard let piece = decode(Array(rest[..<next]).span) else { return nil }
            bytes += piece
            rest = rest[next...]
        }
        return bytes
    }
}
