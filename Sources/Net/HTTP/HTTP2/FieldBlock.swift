import CNghttp2

/// Header fields in libnghttp2's form: all names and values in one buffer, the names in lower case.
struct FieldBlock {
    private var bytes: [UInt8] = []
    /// Where a name and its value end.
    private var ends: [(name: Int, value: Int)] = []

    /// What belongs to a connection of HTTP/1.1 and is an error in HTTP/2 (RFC 9113, 8.2.2).
    private static let ofConnections = ["connection", "transfer-encoding", "keep-alive", "upgrade", "proxy-connection"]

    init() {
        bytes.reserveCapacity(256)
        ends.reserveCapacity(12)
    }

    mutating func add(_ name: String, _ value: String) {
        let start = bytes.count
        for byte in name.utf8 { bytes.append((0x41...0x5a).contains(byte) ? byte | 0x20 : byte) }
        if Self.ofConnections.contains(where: { $0.utf8.elementsEqual(bytes[start...]) }) {
            return bytes.removeSubrange(start...)
        }
        let end = bytes.count
        bytes.append(contentsOf: value.utf8)
        ends.append((end, bytes.count))
    }

    /// Lends the fields; libnghttp2 copies them.
    mutating func withUnsafeFields<R>(_ body: (UnsafePointer<nghttp2_nv>, Int) -> R) -> R {
        unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            var fields = unsafe [nghttp2_nv]()
            unsafe fields.reserveCapacity(ends.count)
            var start = 0
            for end in ends {
                let base = bytes.baseAddress
                unsafe fields.append(
                    nghttp2_nv(
                        name: base?.advanced(by: start), value: base?.advanced(by: end.name), namelen: end.name - start,
                        valuelen: end.value - end.name, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)))
                start = end.value
            }
            return unsafe fields.withUnsafeBufferPointer { fields in
                guard let first = fields.baseAddress else { preconditionFailure("a head without fields") }
                return unsafe body(first, fields.count)
            }
        }
    }
}
