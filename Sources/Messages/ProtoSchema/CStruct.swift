package import CProtobufC

/// protobuf-c's structs, unpacked and packed by their descriptors, which is all that is generated of them.
package enum CStruct {
    /// The struct of a packed message, until it is freed. Nil when the bytes are no such message.
    package static func unpack<Struct>(
        _ layout: UnsafePointer<ProtobufCMessageDescriptor>?, _ bytes: UnsafeRawBufferPointer, as type: Struct.Type
    ) -> UnsafeMutablePointer<Struct>? {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let message = unsafe protobuf_c_message_unpack(layout, nil, bytes.count, start)
        return unsafe UnsafeMutableRawPointer(message)?.assumingMemoryBound(to: type)
    }

    /// Frees what was unpacked, and all that it points to.
    package static func free<Struct>(_ message: UnsafeMutablePointer<Struct>) {
        unsafe protobuf_c_message_free_unpacked(
            UnsafeMutableRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self), nil)
    }

    /// The bytes of the message in a struct.
    package static func pack<Struct>(_ message: UnsafePointer<Struct>) -> [UInt8] {
        let base = unsafe UnsafeRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self)
        let size = unsafe protobuf_c_message_get_packed_size(base)
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { room, written in
            written = unsafe protobuf_c_message_pack(base, room.baseAddress)
        }
    }
}
