import Bytes
import EventLoops
import Glibc
import Supervisor

/// Checks what is reached by network: the ports that Waymark needs, and the servers of live networks.
struct ReachDoctor: Sendable {
    /// How long connecting to a server may take, in milliseconds.
    private static let patience: Int32 = 5_000

    /// Whether a port is free. `isRunning`: a Waymark uses the data folder, and may have the port. Blocks.
    static func port(_ endpoint: Endpoint, flag: String, isRunning: Bool) -> Diagnosis {
        let subject = "port \(endpoint.port)"
        do {
            try PortCheck.check(endpoint, flag: flag)
            return .ok(subject, "it is free on \(endpoint.host)")
        } catch {
            if isRunning { return .ok(subject, "it is taken, and waymark up runs") }
            return .wrong(subject, "\(error)", "end the program that has it (ss -ltnp), or \(flag) N")
        }
    }

    /// Whether the server of an address answers a connection. Blocks.
    static func network(_ flag: String, _ url: String) -> Diagnosis {
        let subject = String(flag.until("-"))
        guard let endpoint = endpoint(of: url) else {
            return .wrong(subject, "--\(flag) is \(url)", "http:// or https://, a host and perhaps a path are needed")
        }
        do {
            guard let address = try endpoint.resolve().first else {
                return .wrong(subject, "\(endpoint.host) has no address", "look at the name, and at /etc/resolv.conf")
            }
            let socket = try Socket.connecting(to: address)
            var polled = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&polled, 1, patience) == 1 else {
                return .warning(
                    subject, "\(endpoint) does not answer within 5 s", "look at the network and its firewall")
            }
            if let error = socket.connectError(address) {
                return .warning(subject, "\(error)", "look at the address, the network and its firewall")
            }
            return .ok(subject, "\(endpoint) is reached")
        } catch {
            return .warning(subject, "\(error)", "look at the name, the network and its firewall")
        }
    }

    /// Host and port of an address; nil when it is none.
    static func endpoint(of url: String) -> Endpoint? {
        let schemes: [(String, UInt16)] = [("https://", 443), ("http://", 80)]
        guard let (scheme, port) = schemes.first(where: { url.begins(with: $0.0) }) else { return nil }
        return url.after(scheme).flatMap { Endpoint(String($0.until("/")), defaultPort: port) }
    }
}
