package import CProtoFiles
internal import CProtobufC

/// What the .proto files say that are linked into a program, in the section of their set (see CProtoFiles.h).
///
/// `@unchecked Sendable`: written once and never freed, so any thread may read it at any time.
@safe
package struct LinkedFiles: @unchecked Sendable {
    /// A google.protobuf.FileDescriptorSet, packed, each file behind those that it imports.
    package let descriptorSet: UnsafeRawBufferPointer
    private let layouts: [String: MessageLayout]

    /// - Parameter table: the files, in the order of the linker.
    package init(_ table: UnsafeBufferPointer<UnsafePointer<ProtoFile>?>) {
        var files = unsafe table.compactMap { file in unsafe file?.pointee }
        unsafe files.sort { unsafe ($0.depth, String(cString: $0.name)) < ($1.depth, String(cString: $1.name)) }
        unsafe descriptorSet = Self.join(files)
        var layouts: [String: MessageLayout] = [:]
        for file in unsafe files.indices {
            let file = unsafe files[file]
            for index in unsafe 0..<file.message_count {
                guard let layout = unsafe file.messages[index].map({ unsafe MessageLayout($0) }) else { continue }
                layouts[layout.name] = layout
            }
        }
        self.layouts = layouts
    }

    /// protobuf-c's table of a message type, by its full name.
    package func layout(_ protoName: String) -> MessageLayout? { layouts[protoName] }

    /// Lengths come in here: in C they would change with every edit of a .proto.
    private static func join(_ files: [ProtoFile]) -> UnsafeRawBufferPointer {
        var set: [UInt8] = []
        for file in unsafe files.indices {
            let file = unsafe files[file]
            var bytes = unsafe bytes(file.declarations)
            let comments = unsafe self.bytes(file.comments)
            if !comments.isEmpty { bytes += field(sourceCodeInfo, comments) }
            set += field(Self.file, bytes)
        }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: set.count, alignment: 1)
        unsafe copy.copyBytes(from: set)
        return UnsafeRawBufferPointer(copy)
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
