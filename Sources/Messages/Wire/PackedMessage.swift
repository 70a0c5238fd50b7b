internal import CProtobufC

/// A message about to be packed. It lives only inside the closure it is lent to.
@safe
package struct PackedMessage: ~Copyable {
    private let root: UnsafeMutablePointer<ProtobufCMessage>
    /// How many bytes the message packs into.
    package let byteCount: Int

    /// - Parameter root: protobuf-c's struct of a message, with all its parts in place.
    package init(_ root: UnsafeMutableRawPointer) {
        unsafe self.root = root.assumingMemoryBound(to: ProtobufCMessage.self)
        byteCount = unsafe protobuf_c_message_get_packed_size(self.root)
    }

    /// Writes the message's bytes at the start of `destination`, which holds at least `byteCount`.
    /// - Returns: `byteCount`.
    @discardableResult
    package borrowing func write(to destination: UnsafeMutableRawBufferPointer) -> Int {
        precondition(destination.count >= byteCount, "no room for \(byteCount) bytes")
        guard let start = destination.baseAddress else { return 0 }
        return unsafe protobuf_c_message_pack(root, start.assumingMemoryBound(to: UInt8.self))
    }

    /// The message's bytes. They are written into the message's arena, and copied: creating an array with room to be
    /// filled looks up generic metadata, which takes longer than copying a short message.
    package borrowing func bytes(in arena: PackingArena) -> [UInt8] {
        let room = unsafe UnsafeMutableRawBufferPointer(start: arena.room(byteCount), count: byteCount)
        unsafe write(to: room)
        return unsafe [UInt8](UnsafeRawBufferPointer(room))
    }
}

/// Packed bytes of a message, to be passed through or appended without being decoded.
package struct Packed<Message: WireMessage>: Sendable, Equatable {
    /// The packed message. Not validated: a peer that can't unpack it reports that.
    package var bytes: [UInt8]

    /// Bytes that someone packed before.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Packs a message.
    package init(_ message: Message) { bytes = message.packedBytes() }

    /// The message itself.
    package func unpacked(budget: Int = Wire.defaultBudget) throws(WireError) -> Message {
        try Message(packed: bytes, budget: budget)
    }
}

extension String {
    /// The text for a sentence: all of it, or else its beginning and "…", at most `byteCount` bytes besides that. Counts
    /// bytes, not characters: one character may be megabytes of accents. Cuts between two scalars.
    package func shortened(to byteCount: Int) -> String {
        let bytes = utf8
        if bytes.count <= byteCount { return self }
        var cut = bytes.index(bytes.startIndex, offsetBy: byteCount)
        // Bytes within a scalar are 10xxxxxx.
        while cut > bytes.startIndex, bytes[cut] & 0xc0 == 0x80 { cut = bytes.index(before: cut) }
        return "\(self[..<cut])…"
    }
}
