internal import CProtoFiles
internal import CWireProtos

/// The descriptors of every message and service that the program has, as they are in the .proto files: of the parts of
/// the contracts that are linked into it.
package enum WireDescriptors {
    /// The original google.protobuf.FileDescriptorSet, packed, with the comments above declarations.
    package static var fileDescriptorSet: UnsafeRawBufferPointer { unsafe files.descriptorSet }

    private static let files = unsafe LinkedFiles(
        UnsafeBufferPointer(start: waymark_files(), count: waymark_file_count()))

    /// protobuf-c's table of a message type, by its full name. Nil when there is no such message.
    package static func layout(_ protoName: String) -> MessageLayout? { files.layout(protoName) }
}
