import Bytes
import Glibc

/// Where the body of a request ends according to its head, strictly by RFC 9112, sections 2 to 6.
struct RequestFraming {
    /// How a body ends.
    enum Body: Equatable { case none, bytes(Int), chunks }

    private var isOldVersion = false
    private var length: Int?
    private var isChunked = false
    private var hasHost = false

    /// Before a request.
    init() {}

    /// From the first line of a request, without its end: "POST /path HTTP/1.1".
    init(requestLine text: Span<UInt8>) throws(HTTPRefusal) {
        let space = UInt8(ascii: " ")
        guard let first = text.first(space), let last = text.last(space), first < last else {
            throw RequestRules.unreadableTarget
        }
        let (method, target) = (text.extracting(..<first), text.extracting((first + 1)..<last))
        guard !method.isEmpty, method.consists(of: Self.isToken), !target.isEmpty,
            target.consists(of: Self.isTarget)
        else { throw RequestRules.unreadableTarget }
        isOldVersion = try Self.isOldVersion(text.extracting((last + 1)...))
        var arguments = 0
        for index in target.indices where target[index] == UInt8(ascii: "&") { arguments += 1 }
        guard arguments < RequestGate.maximumArguments else {
            throw HTTPRefusal(414, "the request has more than \(RequestGate.maximumArguments) arguments")
        }
    }

    /// Whether the version is "HTTP/1.0", rather than "HTTP/1.1". libmicrohttpd would refuse others with a page of HTML.
    private static func isOldVersion(_ text: Span<UInt8>) throws(HTTPRefusal) -> Bool {
        guard text.count == 8, text.extracting(..<5).isSame("HTTP/"), isDigit(text[5]), text[6] == UInt8(ascii: "."),
            isDigit(text[7])
        else { throw RequestRules.unreadableTarget }
        let minor = text[7] - UInt8(ascii: "0")
        guard text[5] == UInt8(ascii: "1"), minor <= 1 else { throw RequestRules.unknownVersion }
        return minor == 0
    }

    /// Reads a header field, without its line end: "Content-Length: 12".
    mutating func read(field text: Span<UInt8>) throws(HTTPRefusal) {
        let colon = try Self.name(of: text)
        let name = text.extracting(..<colon)
        switch name.count {
        case 4 where name.isSame("host", ignoresCase: true): try read(host: text, behind: colon)
        case 14 where name.isSame("content-length", ignoresCase: true):
            let value = text.extracting(Self.value(of: text, behind: colon)...)
            guard length == nil, !isChunked, let count = Self.number(value) else { throw RequestRules.unclear }
            length = count
        case 17 where name.isSame("transfer-encoding", ignoresCase: true):
            guard length == nil, !isChunked, !isOldVersion else { throw RequestRules.unclear }
            let value = text.extracting(Self.value(of: text, behind: colon)...)
            guard !value.isEmpty, !Self.isBlank(value[value.count - 1]) else { throw RequestRules.unclear }
            guard value.isSame("chunked", ignoresCase: true) else {
                throw HTTPRefusal(501, "no Transfer-Encoding is known but chunked")
            }
            isChunked = true
        default: break
        }
    }

    private mutating func read(host text: Span<UInt8>, behind colon: Int) throws(HTTPRefusal) {
        let start = Self.value(of: text, behind: colon)
        var end = text.count
        while end > start, Self.isBlank(text[end - 1]) { end -= 1 }
        let host = text.extracting(start..<end)
        // An empty one says that the request is for no host in particular.
        guard !hasHost, host.isEmpty || Authority(host) != nil else { throw RequestRules.oneHost }
        hasHost = true
    }

    /// The head has ended.
    func end() throws(HTTPRefusal) { if !hasHost, !isOldVersion { throw RequestRules.oneHost } }

    /// The body that follows the head.
    var body: Body {
        if isChunked { return .chunks }
        guard let length, length > 0 else { return .none }
        return .bytes(length)
    }

    /// Where the name of a header field ends, once it is a valid field: a name that is a token, and a value without
    /// control characters. A line that begins with a blank would continue the field before it, which is obsolete and
    /// refused.
    static func name(of text: Span<UInt8>) throws(HTTPRefusal) -> Int {
        // A token has no colon.
        let colon = text.count(while: isToken)
        guard colon > 0, colon < text.count, text[colon] == UInt8(ascii: ":") else {
            throw HTTPRefusal(400, "a header field has no name, or one that is not allowed")
        }
        guard text.extracting(colon...).consists(of: isText) else {
            throw HTTPRefusal(400, "a header field has bytes that are not allowed in it")
        }
        return colon
    }

    /// The bytes allowed in values: no control characters but the tab.
    static func isText(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7f || byte == 9 }

    /// Where a value begins, behind the blanks before it. Those behind it count with it: libmicrohttpd takes them for a
    /// part of it, and does not find the length or the coding that is meant.
    private static func value(of text: Span<UInt8>, behind colon: Int) -> Int {
        var start = colon + 1
        while start < text.count, isBlank(text[start]) { start += 1 }
        return start
    }

    /// 1 to 18 digits and nothing else.
    private static func number(_ text: Span<UInt8>) -> Int? {
        guard (1...18).contains(text.count), text.consists(of: isDigit) else { return nil }
        var number = 0
        for index in text.indices { number = number * 10 + Int(text[index] - UInt8(ascii: "0")) }
        return number
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The bytes allowed in a target.
    static func isTarget(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "#") }

    /// The bytes allowed in names and methods (RFC 9110, 5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        // A bit for each byte: !#$%&'*+-. and digits; then letters and ^_`|~.
        let bits: UInt64 = byte < 64 ? 0x03ff_6cfa_0000_0000 : 0x57ff_ffff_c7ff_fffe
        return byte < 128 && bits >> (UInt64(byte) & 63) & 1 == 1
    }
}

extension Span<UInt8> {
    fileprivate func last(_ byte: UInt8) -> Int? {
        var index = count - 1
        while index >= 0, self[index] != byte { index -= 1 }
        return index < 0 ? nil : index
    }

    /// The first position of a byte.
    func first(_ byte: UInt8) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let found = unsafe memchr(start, Int32(byte), bytes.count) else {
                return nil
            }
            return unsafe UnsafeRawPointer(found) - start
        }
    }

    /// How many bytes from the first on satisfy `isRight`.
    func count(while isRight: (UInt8) -> Bool) -> Int {
        var index = 0
        while index < count, isRight(self[index]) { index += 1 }
        return index
    }

    /// Whether all bytes satisfy `isRight`. All are looked at: that way the compiler looks at many at once.
    func consists(of isRight: (UInt8) -> Bool) -> Bool {
        unsafe withUnsafeBufferPointer { bytes in
            var wrong: UInt8 = 0
            for index in bytes.indices { wrong |= unsafe isRight(bytes[index]) ? 0 : 1 }
            return wrong == 0
        }
    }

    /// Whether the bytes equal a text, which must be in lower case when case is ignored.
    fileprivate func isSame(_ text: StaticString, ignoresCase: Bool = false) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in indices {
            let byte = self[index]
            let isUpper = ignoresCase && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            guard unsafe (isUpper ? byte | 0x20 : byte) == text.utf8Start[index] else { return false }
        }
        return true
    }
}
