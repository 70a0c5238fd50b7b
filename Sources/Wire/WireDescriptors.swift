internal import CProtobufC
internal import CProtos

/// The descriptors of every message and service, as they are in the .proto files.
package enum WireDescriptors {
    /// The original google.protobuf.FileDescriptorSet, packed, with the comments above declarations.
    package static var fileDescriptorSet: UnsafeRawBufferPointer { unsafe joined.bytes }

    private static let joined = unsafe JoinedDescriptors(waymark_descriptors(), count: waymark_descriptor_count)

    /// protobuf-c's table of a message type, by its full name. Nil when there is no such message.
    package static func layout(_ protoName: String) -> MessageLayout? {
        var low = 0
        var high = waymark_message_count
        while low < high {
            let middle = (low + high) / 2
            guard let descriptor = unsafe waymark_messages()[middle] else { return nil }
            let name = unsafe String(cString: descriptor.pointee.name)
            if name == protoName { return unsafe MessageLayout(descriptor) }
            if name.utf8.lexicographicallyPrecedes(protoName.utf8) { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}
