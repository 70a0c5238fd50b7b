extension WireMessage {
    /// Gives `body` the message ready to be packed: its size first, so that room can be made, then its bytes.
    package func withPacked<Result, Failure: Error>(
        _ body: (borrowing PackedMessage) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let use = Arena.ofThread.begin(budget: .max)
        defer { use.end() }
        let root = unsafe use.arena.room(Self.layout.structBytes)
        unsafe store(to: root, in: use.arena)
        return try body(unsafe PackedMessage(root))
    }

    /// The message's bytes.
    package func packedBytes() -> [UInt8] {
        let use = Arena.ofThread.begin(budget: .max)
        defer { use.end() }
        let root = unsafe use.arena.room(Self.layout.structBytes)
        unsafe store(to: root, in: use.arena)
        return unsafe PackedMessage(root).bytes(in: use.arena)
    }
}
