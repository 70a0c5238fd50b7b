import EventLoops
import TLS

/// A connected socket, with or without TLS.
///
/// `@unchecked Sendable`: the session was made for this value and only it uses the session, and it has one owner at a
/// time.
struct ConnectedSocket: ~Copyable, @unchecked Sendable {
    /// Why the connection is no longer of use.
    enum Failure: Error, Equatable, CustomStringConvertible {
        case system(SystemError)
        case tls(TLSError)
        /// The stream ended without TLS announcing it: an attacker may have cut off the peer's last bytes.
        case cutOff
        /// The peer has closed without a byte of TLS.
        case neverBegan
        /// The handshake took longer than the limit.
        case tooSlow(Duration)
        /// The handshake was cancelled.
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
    /// Nil for plain text.
    private var session: TLSSession?

    /// How much is read, or encrypted, at once.
    private static let maximumBytes = 64 << 10

    /// For plain text.
    init(_ socket: consuming Socket) {
        self.socket = socket
    }

    /// For TLS; `host` is the name that a client connects to.
    init(_ socket: consuming Socket, _ tls: TLSContext, with host: String = "") throws(Failure) {
        do {
            session = try tls.session(with: host)
        } catch {
            throw .tls(error)
        }
        self.socket = socket
    }

    /// Announces the end to the peer, or the reason for it, if there is room for that.
    deinit {
        guard let session else { return }
        session.end()
        unsafe session.send { bytes in ((try? unsafe socket.write(bytes)) ?? nil) ?? 0 }
    }

    /// The descriptor, for registering with a loop.
    var descriptor: Int32 { socket.descriptor }

    /// Who the peer is, by its certificate.
    var peer: PeerIdentity? { session?.peer }

    /// Returns how many bytes were read into `room`, which has more than `maximumBytes`: 0 at the end, nil when there
    /// is nothing to read.
    func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
        guard let session else { return try unsafe receive(into: room) }
        return try unsafe read(session, into: room)
    }

    /// Returns how many bytes were taken; nil when the peer has no room.
    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Int? {
        if let session { return try unsafe write(session, bytes) }
        do {
            return try unsafe socket.write(bytes)
        } catch {
            throw .system(error)
        }
    }

    /// The same for two pieces, one after the other; for plain text, where neither is copied.
    func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) throws(Failure) -> Int? {
        do {
            return try unsafe socket.write(first, second)
        } catch {
            throw .system(error)
        }
    }

    /// How many of the written bytes the peer's system has not acknowledged yet.
    var unacknowledgedBytes: Int { socket.unacknowledgedBytes }

    /// Whether the peer is on this machine and runs on the same processor as this thread.
    var sharesProcessorWithPeer: Bool { socket.sharesProcessorWithPeer }

    /// Whether TLS is between what is written and the socket.
    var isEncrypted: Bool { session != nil }

    /// Sends the end of the stream; false as long as the peer has no room even for that.
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
    /// Whether a read would return something although nothing more comes from the peer.
    var hasMore: Bool { session.map { $0.hasUnread || $0.hasEnded } ?? false }

    /// Bytes of memory for what is encrypted and not sent yet.
    var heldBack: Int { session?.heldOutput ?? 0 }

    /// Whether a write has to wait for a read.
    var waitsForPeer: Bool { session?.waitsForPeer ?? false }

    /// Whether to wait for room to write; `hasOutput` says that there is something to write.
    func needsRoom(_ hasOutput: Bool) -> Bool {
        guard let session else { return hasOutput }
        return session.hasOutput || (hasOutput && !session.waitsForPeer)
    }

    /// Sends what is already encrypted; true when that was all.
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

    /// Continues the handshake as far as the bytes from the peer allow; true when it is done. `room` is for reading.
    func shakeHands(_ room: UnsafeMutableRawBufferPointer) throws(Failure) -> Bool {
        if try unsafe takeIn(room) == 0 { throw session?.hasBegun ?? false ? .cutOff : .neverBegan }
        do throws(Failure) {
            let isDone = try advance()
            return try sendHeldBack() && isDone
        } catch {
            // TLS's reply to that, an alert. The peer may be gone.
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

    /// Continues in plain text.
    mutating func dropTLS() { session = nil }

    /// Reads and discards; false at the end.
    func skip(_ room: UnsafeMutableRawBufferPointer) -> Bool { (try? unsafe receive(into: room)) != .some(0) }

    /// Shuts down our side; the peer reads the end.
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

    /// Passes what the socket has to TLS; returns how much that was, as `Socket.read` does.
    private func takeIn(_ room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: room.prefix(Self.maximumBytes))
        let count = try unsafe receive(into: part)
        if let count { unsafe session?.receive(UnsafeRawBufferPointer(rebasing: part[..<count])) }
        return count
    }

    private func write(_ session: TLSSession, _ bytes: UnsafeRawBufferPointer) throws(Failure) -> Int? {
        guard try sendHeldBack() else { return nil }
        let count: Int
        do {
            count = try unsafe session.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.maximumBytes)))
        } catch {
            throw .tls(error)
        }
        try sendHeldBack()
        return count > 0 ? count : nil
    }
}
