import TLS

/// Two sessions that talk to each other through memory.
struct SessionPair {
    let client: TLSSession
    let server: TLSSession

    init(client: TLSSession, server: TLSSession) {
        self.client = client
        self.server = server
    }

    init(_ client: TLSContext, _ server: TLSContext, host: String = "localhost") throws(TLSError) {
        self.client = try client.session(with: host)
        self.server = try server.session()
    }

    /// Brings what one has to say to the other, in pieces of at most `size` bytes; `each` runs after every piece.
    static func carry(
        from sender: TLSSession, to receiver: TLSSession, inPiecesOf size: Int = .max,
        _ each: (TLSSession) throws -> Void = { _ in }
    ) throws {
        for piece in Self.output(of: sender).pieces(of: size) {
            unsafe piece.withUnsafeBytes { unsafe receiver.receive($0) }
            try each(receiver)
        }
    }

    /// Everything that a session has to send.
    static func output(of session: TLSSession) -> [UInt8] {
        var bytes: [UInt8] = []
        unsafe session.send { output in
            bytes = unsafe Array(output)
            return bytes.count
        }
        return bytes
    }

    /// Shakes hands to the end; false when neither side goes on.
    func shakeHands(inPiecesOf size: Int = .max) throws -> Bool {
        var (clientIsDone, serverIsDone) = (try client.shakeHands(), false)
        while !clientIsDone || !serverIsDone {
            guard client.hasOutput || server.hasOutput else { return false }
            try Self.carry(from: client, to: server, inPiecesOf: size) { serverIsDone = try $0.shakeHands() }
            try Self.carry(from: server, to: client, inPiecesOf: size) { clientIsDone = try $0.shakeHands() }
        }
        return true
    }
}

extension TLSSession {
    func say(_ bytes: [UInt8]) throws { _ = try unsafe bytes.withUnsafeBytes { try unsafe write($0) } }

    /// What the peer has said.
    func heard() throws -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: 256 << 10) { room, count in
            count = try unsafe read(into: UnsafeMutableRawBufferPointer(room))
        }
    }
}

extension Array {
    func pieces(of size: Int) -> [ArraySlice<Element>] {
        let size = Swift.min(size, Swift.max(count, 1))
        return stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
