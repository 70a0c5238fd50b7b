package import EventLoops
import Glibc
import RPC

/// A listening socket of a test that plays the server, frame by frame.
package final class RawListener: Sendable {
    private let descriptor: Int32
    /// The free port that it got.
    package let port: UInt16

    /// `receiveBytes` makes the window of its connections small.
    package init(receiveBytes: Int32? = nil) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        if var size = receiveBytes {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let bound = unsafe Loopback.withAddress(0) { unsafe bind(descriptor, $0, $1) }
        guard bound == 0, listen(descriptor, 128) == 0 else { throw RawSocketError.failed(call: "listen", code: errno) }
        port = Loopback.port(of: descriptor)
    }

    deinit { close(descriptor) }

    /// Whoever waits for a connection, or will, gets an error.
    package func stop() { Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }

    package var endpoint: Endpoint { Endpoint(host: "127.0.0.1", port: port) }

    /// The next connection.
    package func accept() async throws -> RawSocket {
        let accepted = try await BlockingCalls.run { [descriptor] in
            // No program that another test starts inherits it: it would keep the connection open.
            let listener = Socket(owning: descriptor)
            let accepted = (try? listener.accept())?.release()
            let code = errno
            _ = listener.release()
            guard let accepted else { throw RawSocketError.failed(call: "accept", code: code) }
            _ = fcntl(accepted, F_SETFL, 0)
            return accepted
        }
        return RawSocket(owning: accepted)
    }

    /// The next connection, after the hellos of both sides.
    package func acceptWithHello() async throws -> RawSocket {
        let socket = try await accept()
        try await socket.send(.hello)
        _ = try await socket.receive(.hello)
        return socket
    }
}
