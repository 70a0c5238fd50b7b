/// Limits that hold for every packed message.
package enum Wire {
    /// The longest frame in bytes that a connection carries unless its limits say otherwise.
    package static let maximumFrameBytes = 4 << 20
    /// Bytes that unpacking one message may take: C structs and Swift arrays grow to several times what was sent.
    package static let defaultBudget = 8 * maximumFrameBytes
}
