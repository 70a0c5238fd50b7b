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
