internal import CDescriptors

/// One .proto file.
package struct FileSchema: Sendable {
    /// Path below the import root: "waymark/rpc/v1/echo.proto".
    package var name: String
    /// Dotted package name, empty when the file has none.
    package var package: String
    /// "proto2" or "proto3".
    package var syntax: String
    /// Paths of the imported files.
    package var imports: [String] = []
    /// Whether any import is `public` or `weak`.
    package var hasPublicImports = false
    /// Messages that are not inside others, in the order of the file.
    package var messages: [MessageSchema] = []
    /// Enums that are not inside messages.
    package var enums: [EnumSchema] = []
    /// Services, in the order of the file.
    package var services: [ServiceSchema] = []
    /// Extension fields that the file declares.
    package var extensions: [FieldSchema] = []
}

/// The comments of one file, by the path of the declaration they stand above (descriptor.proto, SourceCodeInfo).
struct Comments {
    private var leading: [[Int32]: String] = [:]

    init(_ file: UnsafePointer<Google__Protobuf__FileDescriptorProto>) {
        guard let info = unsafe file.pointee.source_code_info else { return }
        for index in unsafe 0..<info.pointee.n_location {
            guard let location = unsafe info.pointee.location[index],
                let text = unsafe location.pointee.leading_comments
            else { continue }
            let path = unsafe [Int32](
                UnsafeBufferPointer(start: location.pointee.path, count: location.pointee.n_path))
            leading[path] = unsafe String(cString: text)
        }
    }

    /// The comment, one leading space and trailing blank lines removed.
    subscript(path: [Int32]) -> String {
        guard let text = leading[path] else { return "" }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let trimmed = lines.map { $0.first == " " ? $0.dropFirst() : $0 }
        let upToLast = trimmed.lastIndex { !$0.isEmpty }.map { trimmed[...$0] } ?? []
        return upToLast.joined(separator: "\n")
    }
}
