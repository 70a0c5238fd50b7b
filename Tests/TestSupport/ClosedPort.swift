package import EventLoops
import Glibc

/// A port of this machine that is taken, so that no other test gets it, but on which nobody listens.
package final class ClosedPort: Sendable {
    private let descriptor: Int32
    package let port: UInt16

    package init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let bound = unsafe Loopback.withAddress(0) { unsafe bind(descriptor, $0, $1) }
        guard bound == 0 else { throw RawSocketError.failed(call: "bind", code: errno) }
        self.descriptor = descriptor
        port = Loopback.port(of: descriptor)
    }

    deinit { close(descriptor) }

    package var endpoint: Endpoint { Endpoint(host: "127.0.0.1", port: port) }
}
