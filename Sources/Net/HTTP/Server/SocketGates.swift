import EventLoops
import Glibc

/// Decides what libmicrohttpd gets of the bytes that are read from its sockets. Stays on one loop, with the daemon that
/// owns it; asked at each read, so that it is no actor of its own.
final class SocketGates {
    private let server: HTTPServer
    private let loop: EventLoop
    /// By their descriptors, which are small numbers.
    private var connections: [HTTPConnection?] = []

    init(_ server: HTTPServer, _ loop: EventLoop) {
        self.server = server
        self.loop = loop
    }

    func add(_ connection: HTTPConnection) {
        let index = Int(connection.descriptor)
        let missing = index + 1 - connections.count
        if missing > 0 { connections.append(contentsOf: repeatElement(nil, count: missing)) }
        connections[index] = connection
    }

    func remove(_ connection: HTTPConnection) { connections[Int(connection.descriptor)] = nil }

    /// The answer to libmicrohttpd for `count`, the result of reading a socket: how many bytes it may see, or 0 when
    /// nothing more is read from there.
    func passed(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, _ count: Int) -> Int {
        guard connections.indices.contains(Int(socket)), let connection = connections[Int(socket)] else { return count }
        switch connection.input {
        case .open: break
        case .closed: return 0
        case .refusing(let refusal):
            // It reads again when all requests before the refused one are answered.
            end(connection, refusal)
            return 0
        }
        guard count > 0 else { return count }
        if let opening = unsafe connection.gate.opening(bytes.bindMemory(to: UInt8.self).span) {
            connection.goOn(withoutLibrary: opening)
            return 0
        }
        switch unsafe connection.gate.take(bytes.bindMemory(to: UInt8.self).span) {
        case .passed:
            if connection.holdsLine() { return count }
            end(connection, HTTPRefusal(503, "too many requests are on their way"))
            return 0
        case .refused(let refusal, let passed):
            if passed > 0 { connection.input = .refusing(refusal) } else { end(connection, refusal) }
            return passed
        }
    }

    /// Answers input that can't be read as a request, and closes. What is still in flight is read and dropped;
    /// otherwise the reset that it would cause could discard the answer.
    private func end(_ connection: HTTPConnection, _ refusal: HTTPRefusal) {
        connection.input = .closed
        let request = HTTPRequest(method: "", path: "", peer: connection.peer)
        let answer = server.responder.begin(request).refuse(request, refusal).text
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        unsafe answer.withUnsafeBytes { bytes in
            _ = unsafe send(connection.descriptor, bytes.baseAddress, bytes.count, flags)
        }
        _ = shutdown(connection.descriptor, Int32(SHUT_WR))
        for _ in 0..<16 {
            let scratch = unsafe loop.scratch
            let count = unsafe recvfrom(connection.descriptor, scratch.baseAddress, scratch.count, flags, nil, nil)
            if count <= 0 { break }
        }
    }
}

extension HTTPResponse {
    /// A short answer as sent over the wire, after which the connection closes.
    fileprivate var text: [UInt8] {
        guard case .bytes(let body) = body else { return [] }
        let fields = headers.all.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = "HTTP/1.1 \(status) Refused\r\n\(fields)Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + body
    }
}
