extension WireMessage {
    /// Gives `body` the message ready to be packed: its size first, so that room can be made, then its bytes.
    package func withPacked<Result, Failure: Error>(
        _ body: (borrowing PackedMessage) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let arena = PackingArena.ofThread
        let use = arena.begin()
        defer { use.end() }
        let root = unsafe arena.room(Self.layout.structBytes)
        unsafe store(to: root, in: arena)
        return try body(unsafe PackedMessage(root))
    }

    /// The message's bytes.
    package func packedBytes() -> [UInt8] {
        let arena = PackingArena.ofThread
        let use = arena.begin()
        defer { use.end() }
        let root = unsafe arena.room(Self.layout.structBytes)
        unsafe store(to: root, in: arena)
        return unsafe PackedMessage(root).bytes(in: arena)
    }
}
