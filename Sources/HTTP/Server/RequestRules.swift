/// The first line of a request, as received.
struct RequestLine: Equatable {
    let method: String
    /// Without the query, and with its percent escapes.
    let target: String
    /// "HTTP/1.1"
    let version: String
}

/// The rules of HTTP/1.1 (RFC 9112) that libmicrohttpd does not enforce. Where a request ends must be unambiguous: what
/// two parsers read in two ways could smuggle one request inside another.
enum RequestRules {
    /// Why a request is refused; nil when it is not.
    static func refusal(_ line: RequestLine, _ headers: HTTPFields) -> HTTPRefusal? {
        guard line.version == "HTTP/1.1" || line.version == "HTTP/1.0" else { return unknownVersion }
        guard isToken(line.method), isTarget(line.target) else { return unreadableTarget }
        // Comparing long names that are not ASCII can keep the loop busy for a while, if they are made for that.
        guard pathLength(line.target) <= longestPath else { return HTTPRefusal(414, "the path is too long") }
        guard headers.all.allSatisfy({ isToken($0.name) && isText($0.value) }) else {
            return HTTPRefusal(400, "a header field has bytes that are not allowed in it")
        }
        let hosts = headers.values("host")
        guard hosts.count == 1 || line.version == "HTTP/1.0" && hosts.isEmpty, hosts.allSatisfy(isTarget) else {
            return HTTPRefusal(400, "one Host is needed")
        }
        return framing(headers, line.version)
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

    /// The values are checked as libmicrohttpd reads them, including trailing blanks.
    private static func framing(_ headers: HTTPFields, _ version: String) -> HTTPRefusal? {
        let (lengths, codings) = (headers.values("content-length"), headers.values("transfer-encoding"))
        if codings.isEmpty { return lengths.isEmpty || lengths.count == 1 && isNumber(lengths[0]) ? nil : unclear }
        guard lengths.isEmpty, codings.count == 1, version == "HTTP/1.1" else { return unclear }
        return codings[0].lowercased() == "chunked"
            ? nil : HTTPRefusal(501, "no Transfer-Encoding is known but chunked")
    }

    static let unclear = HTTPRefusal(400, "one Content-Length of digits or one Transfer-Encoding is needed")

    private static func isNumber(_ text: String) -> Bool {
        (1...18).contains(text.utf8.count) && text.consists { (48...57).contains($0) }
    }

    /// The characters allowed in names: letters, digits and some signs.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.consists { byte in
                (97...122).contains(byte) || (65...90).contains(byte) || byte == UInt8(ascii: "-")
                    || (48...57).contains(byte) || "!#$%&'*+.^_`|~".utf8.contains(byte)
            }
    }

    private static func isTarget(_ text: String) -> Bool { text.consists { $0 > 0x20 && $0 != 0x7f } }

    private static func isText(_ text: String) -> Bool { text.consists { $0 >= 0x20 && $0 != 0x7f || $0 == 9 } }
}

extension String {
    /// Whether all bytes satisfy `isRight`. A span of them is read several times as fast as the text itself.
    func consists(of isRight: (UInt8) -> Bool) -> Bool { utf8Span.span.consists(of: isRight) }
}
