internal import CZlib

/// Packs bytes that come in parts, as they stand in a ZIP archive (RFC 1951).
@safe
package struct RunningDeflate: ~Copyable {
    /// The stream must not move: zlib points back to it.
    private let stream: UnsafeMutablePointer<z_stream>

    package init(level: Int32 = 4) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe waymark_deflate_raw_init(stream, level)
        precondition(status == Z_OK, "zlib can't start: out of memory, or headers of another version")
    }

    deinit {
        _ = unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Takes the next bytes, and gives what is packed so far.
    package mutating func pack(_ bytes: [UInt8], isLast: Bool = false) -> [UInt8] {
        var packed: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64 << 10)
        unsafe bytes.withUnsafeBufferPointer { source in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            unsafe stream.pointee.avail_in = UInt32(source.count)
            var isFull = true
            while isFull {
                let count = unsafe room.withUnsafeMutableBufferPointer { target in
                    unsafe stream.pointee.next_out = target.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(target.count)
                    _ = unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    return unsafe target.count - Int(stream.pointee.avail_out)
                }
                packed += room[..<count]
                isFull = count == room.count
            }
            unsafe stream.pointee.next_in = nil
        }
        return packed
    }
}
