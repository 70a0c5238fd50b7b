internal import CZlib

/// Unpacks gzip (RFC 1952) piece by piece, several members one after the other included.
@safe
package struct Gunzip: ~Copyable {
    /// zlib keeps a pointer to the stream's own address.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether a member has begun and not ended.
    package private(set) var isInMember = true

    /// - Parameter isRaw: without the head and the tail of gzip, as in a ZIP archive (RFC 1951).
    package init(isRaw: Bool = false) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe isRaw ? waymark_inflate_raw_init(stream) : waymark_inflate_gzip_init(stream)
        precondition(status == Z_OK, "zlib can't start: out of memory, or headers of another version")
    }

    deinit {
        _ = unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Whether all that was fed has been taken.
    package var wantsMore: Bool { unsafe stream.pointee.avail_in == 0 }

    /// Gives more to unpack: it has to stay where it is until it has been taken.
    package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = UInt32(clamping: bytes.count)
    }

    /// Unpacks into `room`. How many bytes came, maybe none; nil when the data is damaged.
    package mutating func unpack(into room: UnsafeMutableRawBufferPointer) -> Int? {
        if !isInMember {
            guard unsafe inflateReset(stream) == Z_OK else { return nil }
            isInMember = true
        }
        let wanted = min(room.count, 1 << 30)
        unsafe stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(wanted)
        let status = unsafe inflate(stream, Z_NO_FLUSH)
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return nil }
        if status == Z_STREAM_END { isInMember = false }
        return unsafe wanted - Int(stream.pointee.avail_out)
    }
}
