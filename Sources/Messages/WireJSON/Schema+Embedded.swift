package import ProtoSchema
internal import Wire

extension Schema {
    /// All messages and services that this program was built with.
    package static let embedded: Schema = {
        do {
            return try unsafe Schema(fileDescriptorSet: WireDescriptors.fileDescriptorSet)
        } catch {
            preconditionFailure("the descriptors built in are broken: \(error)")
        }
    }()
}
