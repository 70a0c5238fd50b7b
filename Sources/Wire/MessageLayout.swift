package import CProtobufC

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

    /// Bytes of the C struct.
    package var structBytes: Int { unsafe descriptor.pointee.sizeof_message }
    /// Full name of the message type.
    package var name: String { unsafe String(cString: descriptor.pointee.name) }
}
