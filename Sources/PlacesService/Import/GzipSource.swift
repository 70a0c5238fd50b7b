import CZlib

/// Unpacks gzip (RFC 1952), several members one after the other included. What comes out is limited, since a small
/// file can unpack to almost anything.
@safe
final class GzipSource: ByteSource {
    private static let inputBytes = 128 << 10
    private let file: any ByteSource
    private let limitBytes: UInt64
    private var unpackedBytes: UInt64 = 0
    /// zlib keeps a pointer to the stream's own address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableRawBufferPointer
    private var isInMember = true

    /// `limitBytes` may come out at most.
    init(_ file: any ByteSource, limitBytes: UInt64) {
        self.file = file
        self.limitBytes = limitBytes
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe input = .allocate(byteCount: Self.inputBytes, alignment: 16)
        let status = unsafe waymark_inflate_gzip_init(stream)
        precondition(status == Z_OK, "zlib can't start: out of memory, or headers of another version")
    }

    deinit {
        _ = unsafe inflateEnd(stream)
        unsafe stream.deallocate()
        unsafe input.deallocate()
    }

    var takenBytes: UInt64 { file.takenBytes }

    func read(into room: UnsafeMutableRawBufferPointer) throws(PlacesError) -> Int {
        while true {
            if unsafe stream.pointee.avail_in == 0, try fill() == 0 {
                guard isInMember else { return 0 }
                throw .badFile(reason: "its compressed data ends too early; was it cut short?")
            }
            let count = try unsafe unpack(into: room)
            if count > 0 { return count }
        }
    }

    /// Takes more of the file; gives how much.
    private func fill() throws(PlacesError) -> Int {
        let count = try unsafe file.read(into: input)
        unsafe stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_in = UInt32(count)
        return count
    }

    private func unpack(into room: UnsafeMutableRawBufferPointer) throws(PlacesError) -> Int {
        if !isInMember { try startMember() }
        let wanted = min(room.count, 1 << 30)
        unsafe stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(wanted)
        let status = unsafe inflate(stream, Z_NO_FLUSH)
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
            throw .badFile(reason: "its compressed data is damaged after \(unpackedBytes) unpacked bytes")
        }
        if status == Z_STREAM_END { isInMember = false }
        let count = unsafe wanted - Int(stream.pointee.avail_out)
        unpackedBytes += UInt64(count)
        guard unpackedBytes <= limitBytes else {
            throw .badFile(reason: "it unpacks to more than \(limitBytes) bytes, which is the limit")
        }
        return count
    }

    private func startMember() throws(PlacesError) {
        guard unsafe inflateReset(stream) == Z_OK else {
            throw .badFile(reason: "its compressed data can't be read on")
        }
        isInMember = true
    }
}
