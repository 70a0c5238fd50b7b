internal import CDescriptors

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
