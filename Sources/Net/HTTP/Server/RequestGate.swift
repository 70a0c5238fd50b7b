/// Parses the bytes of a connection strictly by RFC 9112, before a more lenient parser does: all parsers must agree
/// where a request ends, or one request could be smuggled in another.
///
///     request line CRLF │ name: value CRLF │ … │ CRLF │ body: so many bytes, or chunks │ request line …
///
/// A value that does no I/O. It keeps only an incomplete line.
struct RequestGate {
    /// How many of some bytes may be passed on.
    enum Verdict: Equatable {
        case passed
        /// `passed` covers the requests before the refused one; it is 0 when that one began in earlier bytes.
        case refused(HTTPRefusal, passed: Int)
    }

    private enum Phase { case start, head, body(Int), chunkSize, chunk(Int), trailers }

    /// The most header fields of a request, and the most query arguments.
    static let maximumFields = 100
    static let maximumArguments = 128

    private let longestHead: Int
    /// Whether no request has begun on the connection.
    private var isFirst = true
    private var phase = Phase.start
    private var line: [UInt8] = []
    private var headBytes = 0
    private var fields = 0
    /// An empty line came before the request line; one is skipped.
    private var hasSkipped = false
    private var framing = RequestFraming()

    /// - Parameter longestHead: bytes of a request line and its header fields.
    init(longestHead: Int) { self.longestHead = longestHead }

    /// Parses the next bytes.
    mutating func take(_ bytes: Span<UInt8>) -> Verdict {
        var at = 0
        // Where the current request began in these bytes.
        var began = 0
        while at < bytes.count {
            if case .start = phase, line.isEmpty, !hasSkipped { began = at }
            do throws(HTTPRefusal) {
                at += try step(bytes.extracting(at...))
            } catch {
                return .refused(error, passed: began)
            }
        }
        return .passed
    }

    /// Parses a piece of a body, or a line; returns how many bytes that was.
    private mutating func step(_ bytes: Span<UInt8>) throws(HTTPRefusal) -> Int {
        switch phase {
        case .body(let left): return skip(left, bytes.count) { $0 > 0 ? .body($0) : .start }
        // The line end after a chunk counts with it.
        case .chunk(let left) where left > 2: return skip(left - 2, bytes.count) { .chunk($0 + 2) }
        case .start, .head, .chunkSize, .chunk, .trailers: break
        }
        guard let end = bytes.first(UInt8(ascii: "\n")) else {
            keep(bytes)
            guard headBytes + line.count <= longestHead else { throw Self.tooLong }
            return bytes.count
        }
        let part = bytes.extracting(...end)
        if line.isEmpty {
            try read(part)
        } else {
            keep(part)
            let whole = line
            line = []
            try read(whole.span)
        }
        return end + 1
    }

    private mutating func keep(_ bytes: Span<UInt8>) {
        line.reserveCapacity(line.count + bytes.count)
        for index in bytes.indices { line.append(bytes[index]) }
    }

    private mutating func skip(_ left: Int, _ count: Int, _ next: (Int) -> Phase) -> Int {
        let skipped = min(left, count)
        phase = next(left - skipped)
        return skipped
    }

    /// All bytes of the connection, when they begin as HTTP/2 does (RFC 9113, 3.4) and as no request of HTTP/1.1 may;
    /// nil otherwise. Asked before `take`.
    func opening(_ bytes: Span<UInt8>) -> [UInt8]? {
        let start = Self.openingOfHTTP2
        guard isFirst, line.count < start.count, line.count + bytes.count >= start.count else { return nil }
        for index in start.indices {
            let byte = index < line.count ? line[index] : bytes[index - line.count]
            guard byte == start[index] else { return nil }
        }
        return unsafe line + bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    private static let openingOfHTTP2 = Array("PRI ".utf8)

    /// A whole line with its end.
    private mutating func read(_ line: Span<UInt8>) throws(HTTPRefusal) {
        guard line.count >= 2, line[line.count - 2] == UInt8(ascii: "\r") else {
            throw HTTPRefusal(400, "a line ends without a carriage return")
        }
        let text = line.extracting(..<(line.count - 2))
        headBytes += line.count
        guard headBytes <= longestHead else { throw Self.tooLong }
        switch phase {
        case .start: try readStart(text)
        case .head:
            if text.isEmpty { return try endHead() }
            try framing.read(field: text)
            try countField()
        case .chunkSize: try readChunkSize(text)
        case .chunk:
            guard text.isEmpty else { throw HTTPRefusal(400, "a chunk is longer than declared") }
            begin(.chunkSize)
        case .trailers:
            if text.isEmpty { return begin(.start) }
            _ = try RequestFraming.name(of: text)
            try countField()
        case .body: break
        }
    }

    private mutating func begin(_ next: Phase) {
        phase = next
        headBytes = 0
        fields = 0
        hasSkipped = false
    }

    private mutating func countField() throws(HTTPRefusal) {
        fields += 1
        guard fields <= Self.maximumFields else {
            throw HTTPRefusal(431, "the request has more than \(Self.maximumFields) header fields")
        }
    }

    /// Bytes of memory of the line that is not whole yet.
    var heldBytes: Int { line.capacity }

    private mutating func readStart(_ text: Span<UInt8>) throws(HTTPRefusal) {
        if text.isEmpty, !hasSkipped { return hasSkipped = true }
        isFirst = false
        framing = try RequestFraming(requestLine: text)
        phase = .head
    }

    private mutating func endHead() throws(HTTPRefusal) {
        try framing.end()
        switch framing.body {
        case .none: begin(.start)
        case .bytes(let count): begin(.body(count))
        case .chunks: begin(.chunkSize)
        }
    }

    /// "1a2b", and extensions after a semicolon, which are ignored.
    private mutating func readChunkSize(_ text: Span<UInt8>) throws(HTTPRefusal) {
        var size = 0
        var digits = 0
        while digits < text.count, digits < 16, let digit = Self.hexadecimal(text[digits]) {
            digits += 1
            size = digits < 16 ? size << 4 | digit : size
        }
        let rest = text.extracting(digits...)
        guard (1...15).contains(digits), rest.isEmpty || rest[0] == UInt8(ascii: ";"),
            rest.consists(of: RequestFraming.isText)
        else { throw HTTPRefusal(400, "a chunk's length can't be read") }
        begin(size == 0 ? .trailers : .chunk(size + 2))
    }

    private static func hexadecimal(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    private static let tooLong = HTTPRefusal(431, "the request's first line and header fields are too long")
}
