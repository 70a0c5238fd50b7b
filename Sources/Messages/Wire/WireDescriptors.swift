package import CProtobufC
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

/// A google.protobuf.FileDescriptorSet, packed, put together of the parts in which it is checked in. Lengths come in
/// here: in C they would change with every edit of a .proto.
///
/// `@unchecked Sendable`: written once and never freed, so any thread may read it at any time.
@safe
package struct JoinedDescriptors: @unchecked Sendable {
    package let bytes: UnsafeRawBufferPointer

    /// - Parameter table: of each file its declarations and what is inside of its SourceCodeInfo.
    package init(_ table: UnsafePointer<UnsafePointer<ProtobufCBinaryData>?>, count: Int) {
        var set: [UInt8] = []
        for index in 0..<count {
            guard let parts = unsafe table[index] else { continue }
            var file = unsafe Self.bytes(parts[0])
            let comments = unsafe Self.bytes(parts[1])
            if !comments.isEmpty { file += Self.field(Self.sourceCodeInfo, comments) }
            set += Self.field(Self.file, file)
        }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: set.count, alignment: 1)
        unsafe copy.copyBytes(from: set)
        unsafe bytes = UnsafeRawBufferPointer(copy)
    }

    private static let file: UInt8 = 1
    private static let sourceCodeInfo: UInt8 = 9

    private static func bytes(_ part: ProtobufCBinaryData) -> [UInt8] {
        unsafe [UInt8](UnsafeBufferPointer(start: part.data, count: part.len))
    }

    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var head = [number << 3 | 2]
        var length = bytes.count
        while length >= 0x80 {
            head.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        return head + [UInt8(length)] + bytes
    }
}
