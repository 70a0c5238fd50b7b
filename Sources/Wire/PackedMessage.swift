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
