import Bytes
import CLinux
import Glibc

/// Where a server listens or is called: a host's name or address and a port, "gateway:7700" or "[::1]:7700".
package struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// A name or a numeric address, without brackets; or several with commas between them, which all have that port.
    package let host: String
    /// 0 lets the system choose a free port for a listener.
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses "host:port", "host,host:port", "[v6 address]:port" or, with a default, "host". Nil when it is none of
    /// these.
    package init?(_ text: String, defaultPort: UInt16? = nil) {
        let halves = text.halves(atLast: ":").flatMap { $0.1.holds("]") ? nil : $0 }
        let bare = halves?.0 ?? text[...]
        let port = halves.map { Self.port($0.1) } ?? defaultPort
        let inner = bare.after("[")?.before("]")
        let (host, isBracketed) = (String(inner ?? bare), inner != nil)
        let isList = !host.split(at: ",", omittingEmptySubsequences: false).contains(where: \.isEmpty)
        guard let port, isList, isBracketed || host.until(":", "[", "]") == host else { return nil }
        self.init(host: host, port: port)
    }

    /// Digits only: `UInt16` would also accept a sign.
    private static func port(_ text: Substring) -> UInt16? {
        text.unicodeScalars.allSatisfy(\.isDigit) ? UInt16(text) : nil
    }

    package var description: String { host.holds(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether only this machine can reach the host. A name that merely begins like a loopback address does not count.
    package var isLoopback: Bool { hosts.allSatisfy(Self.isLoopback) }

    /// The names or addresses in `host`, at least one.
    package var hosts: [String] { host.split(at: ",").map(String.init) }

    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let numbers = host.split(at: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
    }

    /// All addresses that the names have now, in the resolver's order; names without any are left out unless all are.
    /// Blocks: call it on a `BlockingPool`.
    package func resolve() throws(SystemError) -> [SocketAddress] {
        var (found, failure): ([SocketAddress], SystemError?) = ([], nil)
        for host in hosts {
            do throws(SystemError) {
                found += try resolve(host).filter { !found.contains($0) }
            } catch {
                failure = error
            }
        }
        if let failure, found.isEmpty { throw failure }
        return found
    }

    private func resolve(_ host: String) throws(SystemError) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            throw SystemError(call: "getaddrinfo", code: code == EAI_SYSTEM ? errno : EHOSTUNREACH, subject: host)
        }
        defer { unsafe freeaddrinfo(list) }
        return unsafe Self.addresses(in: list)
    }

    private static func addresses(in list: UnsafeMutablePointer<addrinfo>?) -> [SocketAddress] {
        var found: [SocketAddress] = []
        var next = unsafe list
        while let info = unsafe next {
            var storage = sockaddr_storage()
            let length = unsafe min(Int(info.pointee.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
            if let address = unsafe info.pointee.ai_addr {
                unsafe withUnsafeMutableBytes(of: &storage) {
                    unsafe $0.copyMemory(from: .init(start: address, count: length))
                }
                found.append(SocketAddress(storage, length: length))
            }
            unsafe next = unsafe info.pointee.ai_next
        }
        return found
    }
}
