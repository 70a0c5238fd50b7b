package import CProtobufC

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

/// protobuf-c's table of one message type: its fields, their numbers and their places in the C struct.
///
/// `@unchecked Sendable`: the table is constant data of the program's image; nothing writes to it.
@safe
package struct MessageLayout: @unchecked Sendable {
    /// The table itself, good for as long as the program runs.
    package let descriptor: UnsafePointer<ProtobufCMessageDescriptor>

    /// - Parameter descriptor: one that protoc-c generated; it lives as long as the program.
    package init(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) {
        unsafe self.descriptor = descriptor
    }

    /// Makes a C struct of the type at `target`, with every field at its default.
    package func initialize(_ target: UnsafeMutableRawPointer) {
        unsafe target.initializeMemory(as: UInt8.self, repeating: 0, count: structBytes)
        unsafe target.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor = descriptor
    }

    /// Bytes of the C struct.
    package var structBytes: Int { unsafe descriptor.pointee.sizeof_message }
    /// Full name of the message type.
    package var name: String { unsafe String(cString: descriptor.pointee.name) }
}

/// Limits that hold for every packed message.
package enum Wire {
    /// The longest frame in bytes that a connection carries unless its limits say otherwise.
    package static let maximumFrameBytes = 4 << 20
    /// Bytes that unpacking one message may take: C structs and Swift arrays grow to several times what was sent.
    package static let defaultBudget = 8 * maximumFrameBytes
}
