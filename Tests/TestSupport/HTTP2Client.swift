import CNghttp2

/// A client of HTTP/2 that sends whatever a test wants: its frames are made here, byte by byte (RFC 9113, 4.1).
///
/// `@unchecked Sendable`: as with the socket below it, a test uses it from one task at a time.
@safe
package final class HTTP2Client: @unchecked Sendable {
    package enum Kind: UInt8 {
        case data, headers, priority, reset, settings, push, ping, goAway, windowUpdate, continuation
    }

    package struct Frame: Equatable, Sendable {
        package let kind: UInt8
        package var flags: UInt8 = 0
        package var stream: UInt32 = 0
        package var payload: [UInt8] = []

        package var isEnd: Bool { flags & 1 != 0 }
        /// The code of a reset, or of a GOAWAY.
        package var code: UInt32 { number(kind == Kind.goAway.rawValue ? 4 : 0) }
        package func number(_ start: Int) -> UInt32 { payload[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        package func isKind(_ kind: Kind) -> Bool { self.kind == kind.rawValue }
    }

    /// An answer, read whole.
    package struct Answer: Sendable {
        package var head: [String: String] = [:]
        package var trailers: [String: String] = [:]
        package var body: [UInt8] = []
        /// The code of the reset that ended it.
        package var reset: UInt32?

        package var status: String { head[":status"] ?? "" }
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    package static let calm: UInt32 = 11

    package let socket: RawSocket
    private var pending: [UInt8] = []
    private let inflater: OpaquePointer
    private var last: UInt32 = 0
    private var answers: [UInt32: Answer] = [:]
    private var ended: Set<UInt32> = []
    /// Whether windows are opened again for what came.
    package var reads = true

    package init(
        connectingTo port: UInt16, client: UInt8? = nil, window: UInt32? = nil, receiveBytes: Int32? = nil,
        begins: Bool = true
    )
        async throws
    {
        socket = try await RawSocket(connectingTo: port, receiveBytes: receiveBytes, client: client)
        var inflater: OpaquePointer?
        unsafe nghttp2_hd_inflate_new(&inflater)
        guard let inflater = unsafe inflater else { preconditionFailure("no memory") }
        unsafe self.inflater = inflater
        guard begins else { return }
        let settings = window.map { [UInt8](arrayLiteral: 0, 4) + Self.bytes($0) } ?? []
        try await socket.send(Self.preface + Self.frame(.settings, payload: settings))
    }

    deinit { unsafe nghttp2_hd_inflate_del(inflater) }

    // MARK: sending

    package static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    package static func frame(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) -> [UInt8] {
        Array(bytes(UInt32(payload.count)).dropFirst()) + [kind.rawValue, flags] + bytes(stream) + payload
    }

    /// A block of fields, each literal and without a place in the table (RFC 7541, 6.2.2).
    package static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value in [0] + text(name) + text(value) }
    }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        if bytes.count < 127 { return [UInt8(bytes.count)] + bytes }
        var (length, rest) = ([UInt8(127)], bytes.count - 127)
        while rest > 127 {
            length.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return length + [UInt8(rest)] + bytes
    }

    package static func head(_ method: String = "GET", _ path: String = "/", _ fields: [(String, String)] = [])
        -> [UInt8]
    {
        block([(":method", method), (":scheme", "http"), (":path", path), (":authority", "localhost")] + fields)
    }

    /// The next number of a stream.
    package func next() -> UInt32 {
        last = last == 0 ? 1 : last + 2
        return last
    }

    package func send(_ frames: [UInt8]...) async throws { try await socket.send(frames.flatMap { $0 }) }

    /// Sends a request whose block is given; returns its stream.
    @discardableResult
    package func ask(_ block: [UInt8], isEnd: Bool = true) async throws -> UInt32 {
        let stream = next()
        try await send(Self.frame(.headers, flags: isEnd ? 5 : 4, stream: stream, payload: block))
        return stream
    }

    /// Sends a request with a body in frames of 16 KiB.
    @discardableResult
    package func ask(_ method: String, _ path: String, _ fields: [(String, String)] = [], body: [UInt8] = [])
        async throws
        -> UInt32
    {
        let stream = try await ask(Self.head(method, path, fields), isEnd: body.isEmpty)
        var rest = body[...]
        while !rest.isEmpty {
            let part = rest.prefix(16 << 10)
            rest = rest.dropFirst(part.count)
            try await send(Self.frame(.data, flags: rest.isEmpty ? 1 : 0, stream: stream, payload: Array(part)))
        }
        return stream
    }

    // MARK: receiving

    /// The next frame. Throws `ended` when the server has closed.
    package func receive() async throws -> Frame {
        while true {
            if pending.count >= 9 {
                let length = pending[..<3].reduce(0) { $0 << 8 | Int($1) }
                if pending.count >= 9 + length {
                    let frame = Frame(
                        kind: pending[3], flags: pending[4],
                        stream: pending[5..<9].reduce(0) { $0 << 8 | UInt32($1) },
                        payload: Array(pending[9..<9 + length]))
                    pending.removeFirst(9 + length)
                    return frame
                }
            }
            pending += try await socket.receiveBytes()
        }
    }

    /// Reads until one of a kind comes.
    package func receive(_ kind: Kind) async throws -> Frame {
        while true {
            let frame = try await receive()
            try await take(frame)
            if frame.isKind(kind) { return frame }
        }
    }

    /// Reads until the server has closed; gives its GOAWAY, if there was one.
    package func end() async throws -> Frame? {
        var last: Frame?
        do {
            while true {
                let frame = try await receive()
                if frame.isKind(.goAway) { last = frame }
            }
        } catch RawSocketError.ended {
            return last
        }
    }

    /// The whole answer on a stream.
    package func answer(_ stream: UInt32) async throws -> Answer {
        while !ended.contains(stream) { try await take(try await receive()) }
        return answers.removeValue(forKey: stream) ?? Answer()
    }

    /// What has come of an answer, once `isEnough` of it has.
    package func part(_ stream: UInt32, _ isEnough: (Answer) -> Bool) async throws -> Answer {
        while !isEnough(answers[stream] ?? Answer()) { try await take(try await receive()) }
        return answers[stream] ?? Answer()
    }

    private func take(_ frame: Frame) async throws {
        switch Kind(rawValue: frame.kind) {
        case .headers:
            let fields = try inflate(frame.payload)
            if answers[frame.stream]?.head[":status"] ?? "100" == "100" {
                answers[frame.stream, default: Answer()].head = fields
            } else {
                answers[frame.stream]?.trailers = fields
            }
        case .data:
            answers[frame.stream, default: Answer()].body += frame.payload
            if reads, !frame.payload.isEmpty { try await open(frame.stream, UInt32(frame.payload.count)) }
        case .reset: answers[frame.stream, default: Answer()].reset = frame.code
        case .settings where !frame.isEnd: try await send(Self.frame(.settings, flags: 1))
        case .ping where !frame.isEnd: try await send(Self.frame(.ping, flags: 1, payload: frame.payload))
        default: return
        }
        let isLast = frame.isEnd && (frame.isKind(.headers) || frame.isKind(.data))
        if frame.isKind(.reset) || isLast { ended.insert(frame.stream) }
    }

    /// Opens the windows of a stream, and of the connection.
    package func open(_ stream: UInt32, _ count: UInt32) async throws {
        try await send(
            Self.frame(.windowUpdate, payload: Self.bytes(count)),
            Self.frame(.windowUpdate, stream: stream, payload: Self.bytes(count)))
    }

    private func inflate(_ block: [UInt8]) throws -> [String: String] {
        var fields: [String: String] = [:]
        var start = 0
        while true {
            var field = unsafe nghttp2_nv()
            var flags: Int32 = 0
            let count = unsafe block.withUnsafeBufferPointer { bytes in
                unsafe nghttp2_hd_inflate_hd2(
                    inflater, &field, &flags, bytes.baseAddress?.advanced(by: start), bytes.count - start, 1)
            }
            guard count >= 0 else { throw RawSocketError.ended }
            start += count
            if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                let name = unsafe String(
                    decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self)
                fields[name] = unsafe String(
                    decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self)
            }
            if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
        }
        unsafe nghttp2_hd_inflate_end_headers(inflater)
        return fields
    }
}
