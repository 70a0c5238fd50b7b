extension WireMessage {
    /// Unpacks a message.
    /// - Parameter budget: bytes of memory that unpacking may take besides the message's own strings and arrays.
    package init(packed: UnsafeRawBufferPointer, budget: Int = Wire.defaultBudget) throws(WireError) {
        let use = Arena.ofThread.begin(budget: budget)
        defer { use.end() }
        self.init()
        try unsafe take(unpacked: use.arena.unpack(Self.layout, packed), in: use.arena)
    }

    /// Unpacks a message from an array of bytes.
    package init(packed: [UInt8], budget: Int = Wire.defaultBudget) throws(WireError) {
        let use = Arena.ofThread.begin(budget: budget)
        defer { use.end() }
        self.init()
        try unsafe take(unpacked: use.arena.unpack(Self.layout, packed[...]), in: use.arena)
    }

    /// Unpacks a message from a part of an array of bytes.
    package init(packed: ArraySlice<UInt8>, budget: Int = Wire.defaultBudget) throws(WireError) {
        let use = Arena.ofThread.begin(budget: budget)
        defer { use.end() }
        self.init()
        try unsafe take(unpacked: use.arena.unpack(Self.layout, packed), in: use.arena)
    }
}
