import CLinux
import Glibc

/// An IPv4 or IPv6 address with a port.
@safe
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// Takes over the first `length` bytes of a filled-in `sockaddr`.
    init(_ storage: sockaddr_storage, length: Int) {
        bytes = unsafe withUnsafeBytes(of: storage) { unsafe Array($0.prefix(length)) }
    }

    /// The family: AF_INET or AF_INET6.
    package var family: Int32 { unsafe withSockaddr { address, _ in unsafe Int32(address.pointee.sa_family) } }

    /// The port, 0 to 65,535.
    package var port: UInt16 { bytes.count >= 4 ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : 0 }

    /// Lends the bytes of the `sockaddr`, for modules that get C's types from elsewhere.
    package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe withSockaddr { address, length in
            unsafe body(UnsafeRawBufferPointer(start: UnsafeRawPointer(address), count: Int(length)))
        }
    }

    func withSockaddr<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var storage = sockaddr_storage()
        unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, socklen_t(bytes.count)) }
        }
    }

    /// "127.0.0.1:7700" or "[::1]:7700".
    package var description: String {
        guard let host else { return "unknown address" }
        return family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// "127.0.0.1" or "::1"; nil when it can't be formatted.
    package var host: String? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let failed = unsafe withSockaddr { address, length in
            unsafe getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
        }
        guard failed == 0 else { return nil }
        return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
