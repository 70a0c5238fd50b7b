import CNghttp2

/// Header fields in libnghttp2's form: all names and values in one buffer, the names in lower case.
struct FieldBlock {
    private var bytes: [UInt8] = []
    /// Where a name and its value end.
    private var ends: [(name: Int, value: Int, isKept: Bool)] = []

    /// What belongs to a connection of HTTP/1.1 and is an error in HTTP/2 (RFC 9113, 8.2.2).
    private static let ofConnections = ["connection", "transfer-encoding", "keep-alive", "upgrade", "proxy-connection"]

    /// One that is another each time would drive all others out of the table of the connection (RFC 7541, 2.3.2).
    private static let everNew = "X-Request-Id"

    init() {
        bytes.reserveCapacity(256)
        ends.reserveCapacity(12)
    }

    mutating func add(_ name: String, _ value: String) {
        let start = bytes.count
        bytes.append(contentsOf: name.utf8)
        for index in start..<bytes.count where (0x41...0x5a).contains(bytes[index]) { bytes[index] |= 0x20 }
        if Self.ofConnections.contains(where: { Self.isSame($0, bytes, from: start) }) {
            return bytes.removeSubrange(start...)
        }
        let end = bytes.count
        bytes.append(contentsOf: value.utf8)
        ends.append((end, bytes.count, name.utf8.count != Self.everNew.utf8.count || name != Self.everNew))
    }

    private static func isSame(_ name: String, _ bytes: [UInt8], from start: Int) -> Bool {
        name.utf8.count == bytes.count - start && name.utf8.elementsEqual(bytes[start...])
    }

    /// Lends the fields; libnghttp2 copies them.
    mutating func withUnsafeFields<R>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> R) -> R {
        unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            var fields = unsafe [nghttp2_nv]()
            unsafe fields.reserveCapacity(ends.count)
            var start = 0
            let kept = UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
            let notKept = UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
            for end in ends {
                let base = bytes.baseAddress
                unsafe fields.append(
                    nghttp2_nv(
                        name: base?.advanced(by: start), value: base?.advanced(by: end.name), namelen: end.name - start,
                        valuelen: end.value - end.name, flags: end.isKept ? kept : notKept))
                start = end.value
            }
            return unsafe fields.withUnsafeBufferPointer { unsafe body($0.baseAddress, $0.count) }
        }
    }
}
