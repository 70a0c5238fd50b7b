internal import CZlib

/// Whole messages in gzip (RFC 1952), by zlib.
package enum Gzip {
    /// What unpacking gives.
    package enum Unpacked: Equatable {
        case bytes([UInt8])
        case damaged
        case tooLong
    }

    /// Smaller messages are not worth packing.
    package static let worthwhile = 1400

    /// - Parameter level: 1 is the fastest, 9 the smallest.
    package static func pack(_ bytes: [UInt8], level: Int32 = 4) -> [UInt8] {
        var stream = unsafe z_stream()
        let status = unsafe waymark_deflate_gzip_init(&stream, level)
        precondition(status == Z_OK, "zlib can't start: out of memory, or headers of another version")
        defer { _ = unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { target, count in
            unsafe bytes.withUnsafeBufferPointer { source in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                let status = unsafe deflate(&stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "zlib's bound does not hold")
            }
            count = unsafe target.count - Int(stream.avail_out)
        }
    }

    /// One member, and nothing behind it.
    /// - Parameter limit: bytes that may come out.
    package static func unpack(_ bytes: [UInt8], limit: Int) -> Unpacked {
        var gunzip = Gunzip()
        var unpacked: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        return unsafe bytes.withUnsafeBytes { source in
            unsafe gunzip.feed(source)
            while true {
                let count = unsafe block.withUnsafeMutableBytes { unsafe gunzip.unpack(into: $0) }
                guard let count else { return .damaged }
                guard unpacked.count + count <= limit else { return .tooLong }
                unpacked += block[..<count]
                if !gunzip.isInMember { return gunzip.wantsMore ? .bytes(unpacked) : .damaged }
                // Neither more to read nor more to write: it was cut short.
                if count == 0, gunzip.wantsMore { return .damaged }
            }
        }
    }
}
