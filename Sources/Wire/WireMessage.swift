/// A generated message type: a Swift value that protobuf-c packs and unpacks.
///
/// The last three requirements are for generated code and for this module alone.
package protocol WireMessage: Sendable, Equatable {
    /// Full name of the message type: "waymark.rpc.v1.EchoRequest".
    static var protoName: String { get }
    /// A message with every field at its default.
    init()

    /// protobuf-c's table of the type.
    static var layout: MessageLayout { get }
    /// Copies the fields of protobuf-c's struct of the type into a message that has its defaults. It is not an
    /// initializer: the result of one is copied once more to its destination, which matters in lists.
    mutating func take(unpacked source: UnsafeRawPointer, in arena: Arena) throws(WireError)
    /// Initialises protobuf-c's struct of the type at `target`; what it points to goes into `arena`.
    func store(to target: UnsafeMutableRawPointer, in arena: PackingArena)
}
