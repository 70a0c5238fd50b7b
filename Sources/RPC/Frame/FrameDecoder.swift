/// Splits a byte stream into frames. Knows nothing of sockets, calls or protobuf.
///
/// Bytes are looked at where they lie: only the piece of a frame that is not whole yet is copied and kept.
package struct FrameDecoder: ~Copyable {
    /// How many bytes of payload a frame may have.
    package let maximumPayload: Int
    private var pending = ByteBuffer()

    package init(maximumPayload: Int) { self.maximumPayload = maximumPayload }

    /// How many bytes wait for the rest of their frame.
    package var pendingBytes: Int { pending.count }

    /// Why a peer that has left may have done so; nil when nothing is known. A short alert is less than a header.
    package var hint: String? {
        unsafe pending.withBytes { unsafe FrameHeader.looksLikeTLS($0) } ? FrameError.tls.description : nil
    }

    /// Takes the next bytes and gives each frame that is now whole, in order, to `body`. The payload is only valid
    /// during the call. After an error the stream has no meaning any more.
    package mutating func feed(
        _ bytes: UnsafeRawBufferPointer, _ body: (FrameHeader, UnsafeRawBufferPointer) -> Void
    ) throws(FrameError) {
        if pending.isEmpty {
            let used = try unsafe Self.frames(in: bytes, maximumPayload, body)
            if used < bytes.count { unsafe pending.append(UnsafeRawBufferPointer(rebasing: bytes[used...])) }
            return
        }
        unsafe pending.append(bytes)
        let limit = maximumPayload
        let used = try unsafe pending.withBytes { bytes throws(FrameError) in
            try unsafe Self.frames(in: bytes, limit, body)
        }
        pending.consume(used)
        pending.shrink(toAtMost: 0)
    }

    /// Gives all whole frames in `bytes`; tells how many bytes they had.
    private static func frames(
        in bytes: UnsafeRawBufferPointer, _ maximumPayload: Int,
        _ body: (FrameHeader, UnsafeRawBufferPointer) -> Void
    ) throws(FrameError) -> Int {
        var start = 0
        while bytes.count - start >= FrameHeader.byteCount {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
            let (header, payloadBytes) = try unsafe FrameHeader.read(rest, maximumPayload: maximumPayload)
            let end = FrameHeader.byteCount + payloadBytes
            guard rest.count >= end else { break }
            unsafe body(header, UnsafeRawBufferPointer(rebasing: rest[FrameHeader.byteCount..<end]))
            start += end
        }
        return start
    }
}

extension ByteBuffer {
    /// Appends a frame whose payload `body` writes.
    package mutating func appendFrame(
        _ header: FrameHeader, payloadBytes: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        unsafe appendRoom(FrameHeader.byteCount + payloadBytes) { room in
            unsafe header.write(to: room, payloadBytes: payloadBytes)
            unsafe body(UnsafeMutableRawBufferPointer(rebasing: room[FrameHeader.byteCount...]))
        }
    }

    /// Appends a frame without a payload.
    package mutating func appendFrame(_ header: FrameHeader) { unsafe appendFrame(header, payloadBytes: 0) { _ in } }
}
