internal import CProtobufC
internal import CTestProtos
package import Wire

/// The descriptors of the messages that only tests use.
package enum TestDescriptors {
    /// The original google.protobuf.FileDescriptorSet, packed.
    package static var fileDescriptorSet: UnsafeRawBufferPointer { unsafe joined.bytes }

    private static let joined = unsafe JoinedDescriptors(testing_descriptors(), count: testing_descriptor_count)

    /// protobuf-c's table of a message type, by its full name: of those here and those that are compiled into Wire.
    package static func layout(_ protoName: String) -> MessageLayout? {
        for index in 0..<testing_message_count {
            guard let descriptor = unsafe testing_messages()[index] else { continue }
            let layout = unsafe MessageLayout(descriptor)
            if layout.name == protoName { return layout }
        }
        return WireDescriptors.layout(protoName)
    }
}
