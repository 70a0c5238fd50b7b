/// The first line of a request, as received.
struct RequestLine: Equatable {
    let method: String
    /// Without the query, and with its percent escapes.
    let target: String
}

/// What the head of a request must have besides its form, which `RequestGate` has checked before libmicrohttpd saw it.
enum RequestRules {
    /// Why a request is refused; nil when it is not.
    static func refusal(_ line: RequestLine) -> HTTPRefusal? {
        // Comparing long names that are not ASCII can keep the loop busy for a while, if they are made for that.
        pathLength(line.target) <= longestPath ? nil : HTTPRefusal(414, "the path is too long")
    }

    /// Bytes of a path with its percent escapes.
    private static let longestPath = 1024

    private static func pathLength(_ target: String) -> Int {
        let bytes = target.utf8Span.span
        guard bytes.count > longestPath else { return bytes.count }
        return bytes.indices.first { bytes[$0] == UInt8(ascii: "?") } ?? bytes.count
    }

    static let unknownVersion = HTTPRefusal(505, "HTTP/1.1 is spoken here")
    static let unreadableTarget = HTTPRefusal(400, "the first line of the request can't be read")

    /// A value without the blanks around it; nil when it has none, as is nearly always the case.
    static func trimmed(_ text: String) -> String? {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 9 }
        let bytes = text.utf8Span.span
        if bytes.isEmpty || !isBlank(bytes[0]) && !isBlank(bytes[bytes.count - 1]) { return nil }
        guard let first = text.utf8.firstIndex(where: { !isBlank($0) }),
            let last = text.utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }

    static let oneHost = HTTPRefusal(400, "one Host is needed, a name or an address with its port")
    static let unclear = HTTPRefusal(400, "one Content-Length of digits or one Transfer-Encoding is needed")
}

extension String {
    /// Whether all bytes satisfy `isRight`. A span of them is read several times as fast as the text itself.
    func consists(of isRight: (UInt8) -> Bool) -> Bool { utf8Span.span.consists(of: isRight) }
}
