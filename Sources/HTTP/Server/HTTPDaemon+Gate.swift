import EventLoops
import Glibc

// MARK: bytes on their way to libmicrohttpd

extension HTTPDaemon {
    /// Whether nothing more is read from a socket: what followed the last valid request was refused, and that is
    /// answered now that all requests before it are.
    func hasEnded(_ socket: Int32) -> Bool {
        guard let connection = sockets[socket] else { return false }
        switch connection.gate {
        case .open: return false
        case .closed: return true
        case .refusing(let refusal):
            end(connection, refusal)
            return true
        }
    }

    /// How many of the received bytes libmicrohttpd may see.
    func passed(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        guard let connection = sockets[socket], case .open(var gate) = connection.gate else { return bytes.count }
        // Otherwise what it keeps of a line would be copied with each byte.
        connection.gate = .closed
        switch unsafe gate.take(bytes.bindMemory(to: UInt8.self).span) {
        case .passed:
            connection.gate = .open(gate)
            return bytes.count
        case .refused(let refusal, let passed):
            if passed > 0 { connection.gate = .refusing(refusal) } else { end(connection, refusal) }
            return passed
        }
    }

    /// Answers input that can't be read as a request, and closes. What is still in flight is read and dropped;
    /// otherwise the reset that it would cause could discard the answer.
    private func end(_ connection: HTTPConnection, _ refusal: HTTPRefusal) {
        connection.gate = .closed
        let request = HTTPRequest(method: "", path: "", peer: connection.peer)
        let answer = server.responder.refused(request, refusal).text
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
