import Budgets
import EventLoops
import TLS

/// Stands between a client that speaks TLS and libmicrohttpd, which has the plain text at one end of a pair of sockets
/// and handles it as it does any client's socket.
///
/// It holds at most one piece in each direction and reads on when the other side has taken that, so a side that doesn't
/// read stops the one that sends. How long anything may take is decided where it is for plain text: by the connection
/// that libmicrohttpd has, from the first byte of the handshake on.
final class TLSRelay: TimerOwner {
    /// Bytes read at once.
    private static let pieceBytes = 16 << 10
    /// Reads of what is still in flight when the connection ends; otherwise the reset that it would cause could discard
    /// the last answer.
    private static let lastReads = 16

    /// Memory of a relay and its session, in bytes: 16 KiB for one that idles, as measured, and a piece in each
    /// direction before and after TLS.
    private static let heldBytes = 64 << 10
    /// Bytes of it until the handshake is done.
    static let maximumBytes = heldBytes + TLSSession.handshakeBytes

    private let loop: EventLoop
    private var memory: MemoryAccount
    private let session: TLSSession
    private let client: RelayEnd
    private let inner: RelayEnd
    private var isSecure = false
    /// Decrypted bytes that libmicrohttpd has no room for yet.
    private var inward: [UInt8] = []
    /// Bytes of libmicrohttpd that TLS does not take yet, as the client is in the middle of a TLS message.
    private var outward: [UInt8] = []
    private var clientHasEnded = false
    private var innerHasEnded = false
    private(set) var isOver = false
    private var timer: TimerToken?
    private var whenOver: () -> Void = {}

    /// Begins with the handshake. `inner` is the other end of libmicrohttpd's socket, `memory` has granted
    /// `maximumBytes`.
    init(
        _ client: consuming Socket, _ inner: consuming Socket, _ session: TLSSession, loop: EventLoop,
        memory: consuming MemoryAccount
    ) throws(SystemError) {
        self.loop = loop
        self.memory = memory
        self.session = session
        self.client = RelayEnd(client, loop: loop)
        self.inner = RelayEnd(inner, loop: loop)
        do throws(SystemError) {
            try self.client.start { [self] in run() }
            try self.inner.start { [self] in run() }
            try watch()
        } catch {
            cut()
            throw error
        }
    }

    /// Ends it at once.
    func cut() {
        guard !isOver else { return }
        isOver = true
        client.close()
        inner.close()
        if let timer { loop.cancelTimer(timer) }
        whenOver()
        whenOver = {}
    }

    /// libmicrohttpd has closed its socket: the client gets what is on its way, until `deadline`. Then, or when that is
    /// done, `body` is called.
    func leave(until deadline: MonotonicTime, _ body: @escaping () -> Void) {
        guard !isOver else { return body() }
        whenOver = body
        hurry(until: deadline)
        run()
    }

    /// Sets another deadline for what is on its way.
    func hurry(until deadline: MonotonicTime) {
        if let timer { loop.cancelTimer(timer) }
        timer = loop.setTimer(deadline, owner: self, tag: 0)
    }

    func timerFired(_ tag: UInt32) {
        timer = nil
        cut()
    }

    /// Moves what can be moved.
    private func run() {
        guard !isOver else { return }
        do {
            try send()
            if !isSecure { try shakeHands() }
            if isSecure {
                try passInward()
                try passOutward()
            }
            if client.isGone || innerHasEnded && !session.hasOutput && outward.isEmpty { return finish() }
            try watch()
        } catch {
            // An alert may say why.
            try? send()
            cut()
        }
    }

    /// All is said.
    private func finish() {
        client.stopWriting()
        for _ in 0..<Self.lastReads {
            guard let count = try? unsafe client.read(into: piece) ?? 0, count > 0 else { break }
        }
        cut()
    }

    private func watch() throws(SystemError) {
        try client.watch(read: inward.isEmpty && !clientHasEnded, write: session.hasOutput)
        let wantsMore = isSecure && !innerHasEnded && !session.hasOutput && outward.isEmpty
        try inner.watch(read: wantsMore, write: !inward.isEmpty)
    }

    /// Where one piece is read to.
    private var piece: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: loop.scratch.prefix(Self.pieceBytes))
    }
}

// MARK: TLS

extension TLSRelay {
    /// Why a connection is not of use any more.
    private enum End: Error { case cutOff }

    private func shakeHands() throws {
        if try receive() == 0 { throw End.cutOff }
        isSecure = try session.shakeHands()
        if isSecure { _ = memory.hold(Self.heldBytes) }
        try send()
    }

    /// Gives what the client has sent to TLS; returns how much that was, as `Socket.read` does.
    private func receive() throws(SystemError) -> Int? {
        let piece = unsafe piece
        let count = try unsafe client.read(into: piece)
        if let count { unsafe session.receive(UnsafeRawBufferPointer(rebasing: piece[..<count])) }
        return count
    }

    /// Sends what is encrypted, as far as the client takes it.
    private func send() throws(SystemError) {
        while session.hasOutput {
            var isFull = false
            try unsafe session.send { bytes throws(SystemError) in
                let count = try unsafe client.write(bytes)
                isFull = count == nil
                return count ?? 0
            }
            if isFull { return }
        }
    }
}

// MARK: plain text

extension TLSRelay {
    /// From the client to libmicrohttpd.
    private func passInward() throws {
        inward = unsafe inward.withUnsafeBytes { unsafe inner.rest(afterWriting: $0) }
        guard inward.isEmpty, !clientHasEnded else { return endInward() }
        let count = try receive()
        guard count != nil || session.hasUnread else { return }
        // There is room for more than a piece becomes, so nothing is left in the session but the beginning of a record.
        let room = unsafe loop.scratch
        let plain = try unsafe session.read(into: room)
        inward = unsafe inner.rest(afterWriting: UnsafeRawBufferPointer(rebasing: room[..<plain]))
        try send()
        // Whether TLS has announced the end or not: where a request ends is declared by HTTP.
        clientHasEnded = session.hasEnded || count == 0
        endInward()
    }

    private func endInward() { if clientHasEnded, inward.isEmpty { inner.stopWriting() } }

    /// From libmicrohttpd to the client. It does not write meanwhile, so this ends with what it has written.
    private func passOutward() throws {
        while !session.hasOutput {
            if !outward.isEmpty {
                let count = try unsafe outward.withUnsafeBytes { try unsafe session.write($0) }
                guard count > 0 else { return }
                outward = []
            } else {
                guard !innerHasEnded, let count = unsafe inner.readOrEnd(into: piece) else { return }
                if count == 0 {
                    innerHasEnded = true
                    session.end()
                } else {
                    let bytes = unsafe UnsafeRawBufferPointer(rebasing: piece[..<count])
                    if try unsafe session.write(bytes) == 0 { outward = unsafe Array(bytes) }
                }
            }
            try send()
        }
    }
}
