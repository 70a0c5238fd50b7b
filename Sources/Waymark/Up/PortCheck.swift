import EventLoops
import Glibc
import Terminal

/// Tells early, and in a sentence, that a port is taken.
enum PortCheck {
    /// Binds the address and lets it go again. Blocks on the name's look-up.
    static func check(_ endpoint: Endpoint, flag: String) throws {
        guard let address = try endpoint.resolve().first else {
            throw CommandFailure("\(endpoint.host) has no address")
        }
        let taken = try isTaken(address)
        if taken {
            throw CommandFailure(
                "port \(endpoint.port) is taken on \(endpoint.host); \(flag) N chooses another, 0 a free one")
        }
    }

    private static func isTaken(_ address: SocketAddress) throws(SystemError) -> Bool {
        do {
            close(try Socket.listening(on: address).release())
            return false
        } catch  where error.code == EADDRINUSE {
            return true
        }
    }
}
