import EventLoops
package import Glibc
package import RPC

/// What a raw socket met.
package enum RawSocketError: Error, Equatable {
    case ended
    case failed(call: String, code: Int32)
    /// Nothing came for half a minute.
    case silence
}

/// A blocking socket that sends whatever a test wants, and reads frames.
///
/// `@unchecked Sendable`: a test uses it from one task at a time; the calls run one after the other on threads of a
/// pool.
package final class RawSocket: @unchecked Sendable {
    private let descriptor: Int32
    private var decoder = FrameDecoder(maximumPayload: 64 << 20)
    private var frames: [WireFrame] = []

    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        // Pieces leave as they are sent.
        var isOn: Int32 = 1
        unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Connects to a loopback port, of 127.0.0.1 or of `TestServer.quietHost`. `receiveBytes` makes the window small;
    /// `client` connects from 127.0.0.`client` instead of 127.0.0.1, as another client.
    package convenience init(
        connectingTo port: UInt16, isQuiet: Bool = false, receiveBytes: Int32? = nil, client: UInt8? = nil
    ) async throws {
        let descriptor = try await BlockingCalls.run {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            if var size = receiveBytes {
                unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            }
            if let client {
                let host = 0x7f00_0000 | UInt32(client)
                let bound = unsafe Loopback.withAddress(0, host: host) { unsafe bind(descriptor, $0, $1) }
                if bound == -1 { throw RawSocketError.failed(call: "bind", code: errno) }
            }
            let result = unsafe Loopback.withAddress(port, isQuiet: isQuiet) { unsafe connect(descriptor, $0, $1) }
            if result == -1 { throw RawSocketError.failed(call: "connect", code: errno) }
            return descriptor
        }
        self.init(owning: descriptor)
    }

    /// Sends all bytes, at most so many at once.
    package func send(_ bytes: [UInt8], atOnce most: Int = .max) async throws {
        try await BlockingCalls.run { [descriptor] in
            var start = 0
            while start < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe Glibc.send(
                        descriptor, bytes.baseAddress?.advanced(by: start), min(most, bytes.count - start),
                        Int32(MSG_NOSIGNAL))
                }
                if count == -1 { throw RawSocketError.failed(call: "send", code: errno) }
                start += count
            }
        }
    }

    /// Sends all bytes; false when the peer takes nothing for a second.
    package func sendPatiently(_ bytes: [UInt8]) async throws -> Bool {
        try await BlockingCalls.run { [descriptor] in
            var start = 0
            while start < bytes.count {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard unsafe poll(&wanted, 1, 1000) > 0 else { return false }
                let count = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe Glibc.send(
                        descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start,
                        Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
                if count == -1, errno == EAGAIN { continue }
                if count == -1 { throw RawSocketError.failed(call: "send", code: errno) }
                start += count
            }
            return true
        }
    }

    package func send(_ frames: WireFrame...) async throws { try await send(frames.flatMap(\.bytes)) }

    /// The next frame. Throws `ended` when the peer has closed.
    package func receive() async throws -> WireFrame {
        while frames.isEmpty { frames = try decoder.frames(try await receiveBytes()) }
        return frames.removeFirst()
    }

    /// The next frame of a kind; others are passed over.
    package func receive(_ kind: FrameKind) async throws -> WireFrame {
        while true {
            let frame = try await receive()
            if frame.header.kind == kind { return frame }
        }
    }

    /// The next frame of either kind; others are passed over.
    package func receive(_ kind: FrameKind, or other: FrameKind) async throws -> WireFrame {
        while true {
            let frame = try await receive()
            if frame.header.kind == kind || frame.header.kind == other { return frame }
        }
    }

    /// Reads until the peer closes or resets; gives the frames that came.
    package func receiveAll() async throws -> [WireFrame] {
        var all: [WireFrame] = []
        while true {
            do {
                all.append(try await receive())
            } catch RawSocketError.ended {
                return all
            }
        }
    }

    /// Says that nothing more is sent; still reads.
    package func endSending() { Glibc.shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes with a reset instead of an orderly end.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        var unspecified = sockaddr()
        unspecified.sa_family = sa_family_t(AF_UNSPEC)
        // Connecting to nowhere dissolves the association with a reset and keeps the descriptor for `deinit`.
        unsafe connect(descriptor, &unspecified, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Whether something comes, or the end, within so many milliseconds.
    package func isReadable(within milliseconds: Int32) async throws -> Bool {
        try await BlockingCalls.run { [descriptor] in
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&wanted, 1, milliseconds) > 0
        }
    }

    /// Whatever bytes come next.
    package func receiveBytes() async throws -> [UInt8] {
        try await BlockingCalls.run { [descriptor] in try Self.receive(descriptor, atMost: 256 << 10) }
    }

    /// Is a slow reader for a while: takes at most 4 KiB every 40 milliseconds. All of it on one thread, so that tests
    /// beside it make it hardly slower still. Gives its longest pause, also when the peer ends the connection; the
    /// first one began at `start`.
    package func receiveSlowly(for duration: Duration, since start: ContinuousClock.Instant) async throws -> Duration {
        let (bytes, pause) = try await BlockingCalls.run { [descriptor] in
            var last = start
            let end = ContinuousClock.now + duration
            var bytes: [UInt8] = []
            var longest = Duration.zero
            while last < end {
                do {
                    bytes += try Self.receive(descriptor, atMost: 4096)
                } catch RawSocketError.ended {
                    break
                }
                _ = poll(nil, 0, 40)
                let now = ContinuousClock.now
                longest = max(longest, now - last)
                last = now
            }
            return (bytes, longest)
        }
        frames += try decoder.frames(bytes)
        return pause
    }

    private static func receive(_ descriptor: Int32, atMost most: Int) throws -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: most) { room, used in
            let count = unsafe recv(descriptor, room.baseAddress, room.count, 0)
            if count == 0 || (count == -1 && errno == ECONNRESET) { throw RawSocketError.ended }
            if count == -1, errno == EAGAIN { throw RawSocketError.silence }
            if count == -1 { throw RawSocketError.failed(call: "recv", code: errno) }
            used = count
        }
    }
}

/// Addresses of this machine.
package enum Loopback {
    package static func withAddress<R>(
        _ port: UInt16, isQuiet: Bool = false, host: UInt32? = nil,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) -> R {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (host ?? (isQuiet ? UInt32(0x7f4d_0001) : 0x7f00_0001)).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// The port that a socket has got.
    static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe getsockname(descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
