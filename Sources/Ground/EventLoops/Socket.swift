import CLinux
import Glibc

/// A TCP socket that never blocks. Closed when it goes away.
package struct Socket: ~Copyable, Sendable {
    /// The descriptor, for registering with a loop.
    package let descriptor: Int32

    /// Takes over a descriptor that `release` gave away.
    package init(owning descriptor: Int32) { self.descriptor = descriptor }

    /// Gives the descriptor away, to be taken over in another place: closures can't carry a `Socket`.
    package consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    deinit { close(descriptor) }

    /// Opens a listening socket.
    package static func listening(
        on address: SocketAddress, backlog: Int32 = 1024
    ) throws(SystemError) -> Socket {
        let socket = try make(address)
        try socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
        let name = address.description
        try syscall("bind", name) { unsafe address.withSockaddr { unsafe bind(socket.descriptor, $0, $1) } }
        try syscall("listen", name) { listen(socket.descriptor, backlog) }
        return socket
    }

    /// Starts connecting. The loop reports "writable" when it is done; `connectError` then gives the result.
    package static func connecting(to address: SocketAddress) throws(SystemError) -> Socket {
        let socket = try make(address)
        try socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        _ = try syscallUnlessBlocking("connect") {
            unsafe address.withSockaddr { unsafe connect(socket.descriptor, $0, $1) }
        }
        return socket
    }

    /// Why connecting failed; nil when it worked.
    package func connectError(_ address: SocketAddress) -> SystemError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        if result == -1 { code = errno }
        return code == 0 ? nil : SystemError(call: "connect", code: code, subject: address.description)
    }

    /// The next waiting connection; nil when there is none.
    package func accept() throws(SystemError) -> Socket? {
        let descriptor = try syscallUnlessBlocking("accept") {
            accept4(self.descriptor, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
        }
        guard let descriptor else { return nil }
        let socket = Socket(owning: descriptor)
        try socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        return socket
    }

    /// Returns how many bytes were read into `buffer`: 0 at the end of the stream, nil when there is nothing yet.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        try syscallUnlessBlocking("recv") { unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    /// Returns how many bytes of `bytes` were taken; nil when the peer's window is full.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
        try syscallUnlessBlocking("send") {
            unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// The same for two pieces, one after the other.
    package func write(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) throws(SystemError) -> Int? {
        let pieces = unsafe [first, second].map { piece in
            unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: piece.baseAddress), iov_len: piece.count)
        }
        return try unsafe pieces.withUnsafeBufferPointer { pieces throws(SystemError) in
            var message = unsafe msghdr()
            unsafe message.msg_iov = UnsafeMutablePointer(mutating: pieces.baseAddress)
            unsafe message.msg_iovlen = pieces.count
            return try syscallUnlessBlocking("sendmsg") {
                unsafe sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
            }
        }
    }

    /// How many of the written bytes the peer's system has not acknowledged yet.
    package var unacknowledgedBytes: Int { Int(waymark_unacknowledged_bytes(descriptor)) }

    /// Whether the peer is on this machine and has sent its last bytes from the processor that the caller runs on, so
    /// that the two take turns.
    package var sharesProcessorWithPeer: Bool {
        waymark_is_loopback(descriptor) && waymark_came_on_this_processor(descriptor)
    }

    /// Sends the end of the stream; what the peer still sends can be read. Does nothing when the peer has disconnected.
    package func shutDownWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// The socket's own address.
    package var localAddress: SocketAddress? { unsafe name { unsafe getsockname(self.descriptor, $0, $1) } }

    /// The other side's address; nil when it has disconnected.
    package var peerAddress: SocketAddress? { unsafe name { unsafe getpeername(self.descriptor, $0, $1) } }

    private func name(_ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32)
        -> SocketAddress?
    {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &length) }
        }
        return result == 0 ? SocketAddress(storage, length: Int(length)) : nil
    }

    /// Two descriptors that are connected to each other, each to be taken over.
    package static func pair() throws(SystemError) -> (first: Int32, second: Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try syscall("socketpair") { unsafe socketpair(AF_UNIX, type, 0, &ends) }
        let first = Socket(owning: ends[0])
        let second = Socket(owning: ends[1])
        try first.set(SOL_SOCKET, SO_SNDBUF, pairBytes)
        try second.set(SOL_SOCKET, SO_SNDBUF, pairBytes)
        return (first.release(), second.release())
    }

    /// Bytes that one of a pair may have written before the other has read them.
    private static let pairBytes: Int32 = 64 << 10

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) throws(SystemError) {
        var value = value
        try syscall("setsockopt") {
            unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    private static func make(_ address: SocketAddress) throws(SystemError) -> Socket {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        return Socket(owning: try syscall("socket") { socket(address.family, type, 0) })
    }
}

extension SocketAddress {
    /// The peer's address of a descriptor that has another owner; nil when the peer has disconnected.
    package init?(peerOf descriptor: Int32) {
        let socket = Socket(owning: descriptor)
        let address = socket.peerAddress
        _ = socket.release()
        guard let address else { return nil }
        self = address
    }
}
