package import TLS

/// A raw socket that sends whatever a test wants, and reads answers of HTTP/1.1.
///
/// `@unchecked Sendable`: as with the socket below it, a test uses it from one task at a time.
package final class HTTPSocket: @unchecked Sendable {
    /// What came is no HTTP.
    package struct Unreadable: Error {
        let text: String
    }

    package let socket: RawSocket
    /// What is around all bytes; nil for plain text.
    private let session: TLSSession?
    private var pending: [UInt8] = []

    /// Connects to a port of 127.0.0.1; `client` connects from 127.0.0.`client`, as another client.
    /// With `tls` it shakes hands, with a server that is called "localhost".
    package init(
        connectingTo port: UInt16, receiveBytes: Int32? = nil, client: UInt8? = nil, tls: TLSContext? = nil
    ) async throws {
        socket = try await RawSocket(connectingTo: port, receiveBytes: receiveBytes, client: client)
        session = try tls?.session(with: "localhost")
        while try session?.shakeHands() == false { try await exchange() }
        try await flush()
    }

    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) async throws {
        guard let session else { return try await socket.send(bytes) }
        if !bytes.isEmpty { _ = try unsafe bytes.withUnsafeBytes { try unsafe session.write($0) } }
        try await flush()
    }

    /// Says in TLS that nothing more is sent; still reads.
    package func endSending() async throws {
        session?.end()
        try await flush()
        socket.endSending()
    }

    /// Sends a request with what every one needs; the length of a body is told.
    package func send(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8] = []
    ) async throws {
        var fields = fields
        if !fields.contains(where: { $0.0.lowercased() == "host" }) { fields.insert(("Host", "localhost"), at: 0) }
        if !body.isEmpty { fields.append(("Content-Length", "\(body.count)")) }
        let head = "\(method) \(target) HTTP/1.1\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        try await send(Array(head.utf8) + body)
    }

    /// Sends a request and reads its answer.
    package func ask(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> HTTPReply {
        try await send(method, target, fields, body: body)
        return try await reply(hasBody: method != "HEAD")
    }

    /// The next answer, whole. Throws `RawSocketError.ended` when it breaks off.
    package func reply(hasBody: Bool = true) async throws -> HTTPReply {
        var reply = try await head()
        guard hasBody, reply.status >= 200, reply.status != 204, reply.status != 304 else { return reply }
        if reply.isChunked {
            while true {
                let chunk = try await chunk()
                if chunk.isEmpty { return reply }
                reply.body += chunk
            }
        }
        reply.body = if let length = reply.length { try await take(length) } else { try await rest() }
        return reply
    }

    /// The head of the next answer.
    package func head() async throws -> HTTPReply {
        var lines: [String] = []
        while let line = try await line(), !line.isEmpty { lines.append(line) }
        guard let reply = HTTPReply(lines: lines) else { throw Unreadable(text: lines.joined(separator: "\n")) }
        return reply
    }

    /// The next chunk of a chunked body; empty at its end.
    package func chunk() async throws -> [UInt8] {
        let line = try await line() ?? ""
        guard let count = Int(line, radix: 16) else { throw Unreadable(text: line) }
        let bytes = try await take(count)
        _ = try await take(2)
        return bytes
    }

    /// Exactly so many bytes.
    package func take(_ count: Int) async throws -> [UInt8] {
        while pending.count < count { try await more() }
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }

    /// Everything until the peer closes.
    package func rest() async throws -> [UInt8] {
        do {
            while true { try await more() }
        } catch RawSocketError.ended {
            defer { pending = [] }
            return pending
        }
    }

    /// A line without its end.
    private func line() async throws -> String? {
        while true {
            if let end = pending.firstIndex(of: 10) {
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end].filter { $0 != 13 }, as: UTF8.self)
            }
            try await more()
        }
    }

    private func more() async throws {
        guard let session else { return pending += try await socket.receiveBytes() }
        while true {
            let plain = try unsafe [UInt8](unsafeUninitializedCapacity: 512 << 10) { room, count in
                count = try unsafe session.read(into: UnsafeMutableRawBufferPointer(room))
            }
            if !plain.isEmpty { return pending += plain }
            if session.hasEnded { throw RawSocketError.ended }
            try await exchange()
        }
    }

    /// Sends what TLS has to say, and takes in what comes next.
    private func exchange() async throws {
        try await flush()
        let bytes = try await socket.receiveBytes()
        unsafe bytes.withUnsafeBytes { unsafe session?.receive($0) }
    }

    private func flush() async throws {
        var bytes: [UInt8] = []
        unsafe session?.send { output in
            bytes = unsafe Array(output)
            return bytes.count
        }
        if !bytes.isEmpty { try await socket.send(bytes) }
    }
}
