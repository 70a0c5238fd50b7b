internal import CSodium

/// BLAKE2b (RFC 7693), which is faster than SHA-256 where a processor has no instructions for that.
package enum BLAKE2b {
    /// A digest of 16 bytes.
    package static func digest128(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let length = 16
        var digest = [UInt8](repeating: 0, count: length)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            _ = unsafe crypto_generichash(&digest, length, bytes.baseAddress, UInt64(bytes.count), nil, 0)
        }
        return digest
    }
}
