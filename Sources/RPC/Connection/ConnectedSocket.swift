import EventLoops
import TLS

/// A connected socket, as it is or with TLS over it.
///
/// `@unchecked Sendable`: the session was made for this value and is reached by it alone, and it has one owner at a
/// time.
struct ConnectedSocket: ~Copyable, @unchecked Sendable {
    /// Why the connection is no longer of use.
    enum Failure: Error, Equatable, CustomStringConvertible {
        case system(SystemError)
        case tls(TLSError)
        /// The end came without being announced in TLS: somebody may have cut off what the peer said last.
        case cutOff
        /// The peer has closed without a byte of TLS.
        case neverBegan
        /// The handshake took longer than the limit.
        case tooSlow(Duration)
        /// Nobody waits for the handshake any more.
        case stopped

        var description: String {
            switch self {
            case .system(let error): "\(error)"
            case .tls(let error): "\(error)"
            case .cutOff: "TLS was cut off without an end"
            case .neverBegan: "it closed before TLS began"
            case .tooSlow(let limit): "the TLS handshake was not done within \(limit)"
            case .stopped: "the TLS handshake was stopped"
            }
        }
    }

    private let socket: Socket
    /// Nil when plain text is spoken.
    private var session: TLSSession?

    /// How much is read, or encrypted, at once.
    private static let mostBytes = 64 << 10

    /// For plain text.
    init(_ socket: consuming Socket) {
        self.socket = socket
    }

    /// For TLS; `host` is whom a client wants to reach.
    init(_ socket: consuming Socket, _ tls: TLSContext, with host: String = "") throws(Failure) {
        do {
            session = try tls.session(with: host)
        } catch {
            throw .tls(error)
        }
        self.socket = socket
    }

    /// Tells the peer that this was all, or why, if it has room for that.
    deinit {
        guard let session else { return }
        session.end()
        unsafe session.send { bytes in ((try? unsafe socket.write(bytes)) ?? nil) ?? 0 }
    }

    /// The descriptor, for registering with a loop.
    var descriptor: Int32 { socket.descriptor }

    /// Who the peer is, by its certificate.
    var peer: PeerIdentity? { session?.peer }

    /// How many bytes were read into `room`, which has more than `mostBytes`: 0 at the end, nil when there is nothing.
    func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
        guard let session else { return try unsafe receive(into: room) }
        return try unsafe read(session, into: room)
    }

    /// How many bytes were taken; nil when the peer has no room.
    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Int? {
        if let session { return try unsafe write(session, bytes) }
        do {
            return try unsafe socket.write(bytes)
        } catch {
            throw .system(error)
        }
    }

    /// The same of two pieces, one behind the other; for plain text, where both are left where they lie.
    func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) throws(Failure) -> Int? {
        do {
            return try unsafe socket.write(first, second)
        } catch {
            throw .system(error)
        }
    }

    /// How much of what was written has not come to the peer's system yet.
    var unacknowledgedBytes: Int { socket.unacknowledgedBytes }

    /// Whether the peer is on this machine, and takes turns with us on this processor.
    var sharesProcessorWithPeer: Bool { socket.sharesProcessorWithPeer }

    /// Whether TLS stands between what is written and the socket.
    var isEncrypted: Bool { session != nil }

    /// Sends the end of the stream, and false as long as the peer has no room even for that.
    func shutDownWriting() throws(Failure) -> Bool {
        if let session {
            session.end()
            guard try sendHeldBack() else { return false }
        }
        socket.shutDownWriting()
        return true
    }

    private func receive(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
        do {
            return try unsafe socket.read(into: room)
        } catch {
            throw .system(error)
        }
    }
}

// MARK: TLS

extension ConnectedSocket {
    /// Whether a read would give something although nothing more comes from the peer.
    var hasMore: Bool { session.map { $0.hasUnread || $0.hasEnded } ?? false }

    /// Whether a write has to wait until something was read.
    var waitsForPeer: Bool { session?.waitsForPeer ?? false }

    /// Whether room for writing is waited for; `hasOutput` says that there is something to be written.
    func needsRoom(_ hasOutput: Bool) -> Bool {
        guard let session else { return hasOutput }
        return session.hasOutput || (hasOutput && !session.waitsForPeer)
    }

    /// Sends what is encrypted already; true when that is all.
    @discardableResult
    func sendHeldBack() throws(Failure) -> Bool {
        while let session, session.hasOutput {
            var isFull = false
            do {
                try unsafe session.send { bytes throws(SystemError) in
                    let sent = try unsafe socket.write(bytes)
                    isFull = sent == nil
                    return sent ?? 0
                }
            } catch {
                throw .system(error)
            }
            if isFull { return false }
        }
        return true
    }

    /// Goes on with the handshake as far as what the peer has sent allows; true when it is done. `room` is for reading.
    func shakeHands(_ room: UnsafeMutableRawBufferPointer) throws(Failure) -> Bool {
        if try unsafe takeIn(room) == 0 { throw session?.hasBegun ?? false ? .cutOff : .neverBegan }
        do throws(Failure) {
            let isDone = try advance()
            return try sendHeldBack() && isDone
        } catch {
            // What TLS has to say to that. The peer may be gone.
            _ = try? sendHeldBack()
            throw error
        }
    }

    private func advance() throws(Failure) -> Bool {
        do {
            return try session?.shakeHands() ?? true
        } catch {
            throw .tls(error)
        }
    }

    /// Goes on in plain text.
    mutating func dropTLS() { session = nil }

    /// Reads and forgets; false at the end.
    func skip(_ room: UnsafeMutableRawBufferPointer) -> Bool { (try? unsafe receive(into: room)) != .some(0) }

    /// Lets the peer know that nothing more comes, and leaves reading to it.
    func stopWriting() { socket.shutDownWriting() }

    private func read(
        _ session: TLSSession, into room: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int? {
        let received = try unsafe takeIn(room)
        if received == nil, !hasMore { return nil }
        let count: Int
        do {
            count = try unsafe session.read(into: room)
        } catch {
            throw .tls(error)
        }
        // TLS may have answered something by itself.
        try sendHeldBack()
        if count > 0 { return count }
        if session.hasEnded { return 0 }
        if received == 0 { throw .cutOff }
        return nil
    }

    /// Hands on to TLS what the socket has; gives how much that was, as `Socket.read` does.
    private func takeIn(_ room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: room.prefix(Self.mostBytes))
        let count = try unsafe receive(into: part)
        if let count { unsafe session?.receive(UnsafeRawBufferPointer(rebasing: part[..<count])) }
        return count
    }

    private func write(_ session: TLSSession, _ bytes: UnsafeRawBufferPointer) throws(Failure) -> Int? {
        guard try sendHeldBack() else { return nil }
        let count: Int
        do {
            count = try unsafe session.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.mostBytes)))
        } catch {
            throw .tls(error)
        }
        try sendHeldBack()
        return count > 0 ? count : nil
    }
}
