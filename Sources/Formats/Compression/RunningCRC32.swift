internal import CZlib

/// The CRC-32 of bytes that come in parts, as ZIP and gzip have it (RFC 1952, section 8).
package struct RunningCRC32: Sendable {
    /// Of all bytes so far.
    package private(set) var value: UInt32 = 0

    package init() {}

    /// Adds the next bytes.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let first = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        value = UInt32(truncatingIfNeeded: unsafe crc32_z(UInt(value), first, bytes.count))
    }
}
