/// Splits a byte stream into frames. Knows nothing of sockets, calls or protobuf.
///
/// Bytes are parsed in place: only an incomplete frame at the end is copied and kept. The caller may refuse to keep
/// one: then the rest of that frame is skipped as it comes, and the next frame is read.
package struct FrameDecoder: ~Copyable {
    /// How many bytes of payload a frame may have.
    package let maximumPayload: Int
    private var pending = ByteBuffer()
    /// Bytes still to come of a frame that is being skipped.
    private var dropping = 0

    package init(maximumPayload: Int) { self.maximumPayload = maximumPayload }

    /// Bytes buffered of a frame that is still incomplete.
    package var pendingBytes: Int { pending.count }
    /// The size of its memory in bytes.
    package var heldBytes: Int { pending.capacity }

    /// Why a peer that has left may have done so; nil when nothing is known. A short alert is less than a header.
    package var hint: String? {
        unsafe pending.withBytes { unsafe FrameHeader.looksLikeTLS($0) } ? FrameError.tls.description : nil
    }

    /// Takes the next bytes and passes each frame that is now complete, in order, to `body`. The payload is only valid
    /// during the call. After an error the rest of the stream can't be parsed.
    /// - Parameter keeps: asked before this many bytes of memory are used for an incomplete frame. False skips it.
    package mutating func feed(
        _ bytes: UnsafeRawBufferPointer, keeps: (FrameHeader, Int) -> Bool = { _, _ in true },
        _ body: (FrameHeader, UnsafeRawBufferPointer) -> Void
    ) throws(FrameError) {
        let dropped = min(dropping, bytes.count)
        dropping -= dropped
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes[dropped...])
        if pending.isEmpty {
            let used = try unsafe Self.frames(in: bytes, maximumPayload, body)
            guard used < bytes.count else { return }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[used...])
            guard let frame = try unsafe Self.frame(in: rest, maximumPayload) else {
                return unsafe pending.append(rest)
            }
            if unsafe append(rest, of: frame, keeps) { return }
            return dropping = frame.byteCount - rest.count
        }
        let limit = maximumPayload
        let frame = try unsafe pending.withBytes { bytes throws(FrameError) in
            try unsafe Self.frame(in: bytes, limit)
        }
        if let frame {
            if unsafe !append(bytes, of: frame, keeps) {
                dropping = frame.byteCount - pending.count
                pending.consume(pending.count)
                pending.shrink(toAtMost: 0)
                return try unsafe feed(bytes, keeps: keeps, body)
            }
        } else {
            unsafe pending.append(bytes)
        }
        let used = try unsafe pending.withBytes { bytes throws(FrameError) in
            try unsafe Self.frames(in: bytes, limit, body)
        }
        pending.consume(used)
        pending.shrink(toAtMost: 0)
    }

    /// The frame at the start of `bytes`, and its total size; nil when its header is incomplete.
    private static func frame(
        in bytes: UnsafeRawBufferPointer, _ maximumPayload: Int
    ) throws(FrameError) -> (header: FrameHeader, byteCount: Int)? {
        guard bytes.count >= FrameHeader.byteCount else { return nil }
        let (header, payloadBytes) = try unsafe FrameHeader.read(bytes, maximumPayload: maximumPayload)
        return (header, FrameHeader.byteCount + payloadBytes)
    }

    /// Appends bytes of an incomplete frame, in memory that grows to no more than the whole frame; false when the
    /// caller refuses to keep it.
    private mutating func append(
        _ bytes: UnsafeRawBufferPointer, of frame: (header: FrameHeader, byteCount: Int),
        _ keeps: (FrameHeader, Int) -> Bool
    ) -> Bool {
        let capacity = pending.capacity(with: bytes.count, maximum: frame.byteCount)
        guard capacity == pending.capacity || keeps(frame.header, capacity) else { return false }
        unsafe pending.append(bytes, maximum: frame.byteCount)
        return true
    }

    /// Passes all complete frames in `bytes` on; returns how many bytes they had.
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
