internal import CDescriptors
internal import ProtoSchema

/// Leaves in descriptors, of all that they know of their sources, the comments of our own files: what a program shows
/// of its methods and messages.
enum CommentKeeper {
    static func keep(_ descriptorSet: [UInt8]) throws(GenerationError) -> [UInt8] {
        guard let set = unsafe descriptorSet.withUnsafeBytes({ unsafe FileDescriptorSet.unpack($0) }) else {
            throw GenerationError("the input is not a packed google.protobuf.FileDescriptorSet")
        }
        // What is dropped is never freed: this is a step of a short process.
        for index in unsafe 0..<set.pointee.n_file {
            guard let file = unsafe set.pointee.file[index] else { continue }
            if unsafe String(cString: file.pointee.name).hasPrefix("google/") {
                unsafe file.pointee.source_code_info = nil
            } else if let info = unsafe file.pointee.source_code_info {
                unsafe keep(info)
            }
        }
        return unsafe CStruct.pack(set)
    }

    private static func keep(_ info: UnsafeMutablePointer<Google__Protobuf__SourceCodeInfo>) {
        var kept = 0
        for index in unsafe 0..<info.pointee.n_location {
            guard let location = unsafe info.pointee.location[index],
                unsafe location.pointee.leading_comments != nil
            else { continue }
            unsafe location.pointee.n_span = 0
            unsafe location.pointee.trailing_comments = nil
            unsafe location.pointee.n_leading_detached_comments = 0
            unsafe info.pointee.location[kept] = location
            kept += 1
        }
        unsafe info.pointee.n_location = kept
    }
}
