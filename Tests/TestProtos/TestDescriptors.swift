internal import CProtoFiles
internal import CTestProtos
package import Wire

/// The descriptors of the messages that only tests use.
package enum TestDescriptors {
    /// The original google.protobuf.FileDescriptorSet, packed.
    package static var fileDescriptorSet: UnsafeRawBufferPointer { unsafe files.descriptorSet }

    private static let files = unsafe LinkedFiles(
        UnsafeBufferPointer(start: testing_files(), count: testing_file_count()))

    /// protobuf-c's table of a message type, by its full name: of those here and those that are compiled into Wire.
    package static func layout(_ protoName: String) -> MessageLayout? {
        files.layout(protoName) ?? WireDescriptors.layout(protoName)
    }
}
