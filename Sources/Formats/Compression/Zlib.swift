internal import CZlib

/// Whole messages in zlib's format (RFC 1950), of a length that is given separately.
package enum Zlib {
    /// What unpacking gives.
    package enum Unpacked: Equatable {
        case bytes([UInt8])
        case damaged
        /// The output is longer than the given length; none of it is kept.
        case tooLong
        /// Only so many bytes come out.
        case tooShort(Int)
    }

    /// Nil without the memory for it.
    /// - Parameter level: 1 is the fastest, 9 the smallest.
    package static func pack(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        var length = compressBound(UInt(bytes.count))
        var status = Z_OK
        let packed = unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { target, count in
            status = unsafe bytes.withUnsafeBufferPointer { source in
                unsafe compress2(target.baseAddress, &length, source.baseAddress, UInt(source.count), level)
            }
            count = status == Z_OK ? Int(length) : 0
        }
        return status == Z_OK ? packed : nil
    }

    /// - Parameter byteCount: how many bytes must come out; so much memory is taken before the first of them.
    package static func unpack(_ bytes: [UInt8], byteCount: Int) -> Unpacked {
        var status = Z_OK
        var taken = UInt(bytes.count)
        let unpacked = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
            var length = UInt(target.count)
            status = unsafe bytes.withUnsafeBufferPointer { source in
                unsafe uncompress2(target.baseAddress, &length, source.baseAddress, &taken)
            }
            count = Int(length)
        }
        // Without room for more, data that continues means that there is more; data that ends was cut short.
        if status == Z_BUF_ERROR, taken < UInt(bytes.count) { return .tooLong }
        guard status == Z_OK, taken == UInt(bytes.count) else { return .damaged }
        return unpacked.count == byteCount ? .bytes(unpacked) : .tooShort(unpacked.count)
    }
}
