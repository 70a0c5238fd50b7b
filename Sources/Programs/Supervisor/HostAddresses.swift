import Bytes
import EventLoops
import Glibc

/// The addresses by which other machines reach this one.
enum HostAddresses {
    /// Whether it means all addresses of the machine.
    static func isEverywhere(_ host: String) -> Bool { host == "0.0.0.0" || host == "::" }

    /// The addresses of this machine's network interfaces that are up, IPv4 first, without loopback and link-local
    /// ones. `host` is the address listened on: 0.0.0.0 is not reached by IPv6.
    static func ofInterfaces(listening host: String) -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var (four, six): ([String], [String]) = ([], [])
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            let isUp = unsafe entry.pointee.ifa_flags & UInt32(IFF_UP) != 0
            guard isUp, let address = unsafe entry.pointee.ifa_addr, let text = unsafe text(of: address) else {
                continue
            }
            if text.holds(":") { six.append(text) } else { four.append(text) }
        }
        return host == "::" ? four + six : four
    }

    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let length: Int
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = unsafe getnameinfo(
            address, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
        guard code == 0 else { return nil }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Endpoint.isLoopback(text) || text.begins(with: "fe80:") || text.begins(with: "169.254.") ? nil : text
    }
}
