internal import CProtobufC
internal import CDescriptors

extension DescriptorReader {
    func service(
        _ source: UnsafePointer<Google__Protobuf__ServiceDescriptorProto>, scope: String, path: [Int32]
    ) -> ServiceSchema {
        let name = unsafe text(source.pointee.name)
        var service = ServiceSchema(name: name, fullName: joined(scope, name), comment: comments[path])
        service.methods = unsafe list(source.pointee.method, source.pointee.n_method) {
            unsafe method($0, path: path + [2, $1])
        }
        if let options = unsafe source.pointee.options { unsafe service.read(options) }
        return service
    }

    private func method(
        _ source: UnsafePointer<Google__Protobuf__MethodDescriptorProto>, path: [Int32]
    ) -> MethodSchema {
        var method = unsafe MethodSchema(
            name: text(source.pointee.name), input: undotted(text(source.pointee.input_type)),
            output: undotted(text(source.pointee.output_type)), comment: comments[path])
        method.isClientStreaming = unsafe source.pointee.client_streaming != 0
        method.isServerStreaming = unsafe source.pointee.server_streaming != 0
        if let options = unsafe source.pointee.options { unsafe method.read(options) }
        return method
    }
}

extension ServiceSchema {
    /// The number of our option in google.protobuf.ServiceOptions.
    private static let answeredByOption: UInt32 = 50809

    /// Our own options are unknown to descriptor.proto, so they are found among the unknown fields, as varints.
    fileprivate mutating func read(_ options: UnsafePointer<Google__Protobuf__ServiceOptions>) {
        for index in unsafe 0..<Int(options.pointee.base.n_unknown_fields) {
            let unknown = unsafe options.pointee.base.unknown_fields[index]
            let bytes = unsafe UnsafeBufferPointer(start: unknown.data, count: unknown.len)
            if unsafe unknown.tag == Self.answeredByOption, bytes.count == 1, let value = unsafe bytes.first {
                answeredBy.append(Int(value))
            } else {
                unsafe unknownOptions.append(Int(unknown.tag))
            }
        }
    }
}

extension MethodSchema {
    /// The numbers of our options in google.protobuf.MethodOptions.
    private enum Option {
        static let readyPacked: UInt32 = 50801
        static let role: UInt32 = 50807
    }

    /// As for a service.
    fileprivate mutating func read(_ options: UnsafePointer<Google__Protobuf__MethodOptions>) {
        switch unsafe options.pointee.idempotency_level {
        case GOOGLE__PROTOBUF__METHOD_OPTIONS__IDEMPOTENCY_LEVEL__NO_SIDE_EFFECTS: idempotency = .noSideEffects
        case GOOGLE__PROTOBUF__METHOD_OPTIONS__IDEMPOTENCY_LEVEL__IDEMPOTENT: idempotency = .idempotent
        default: idempotency = .unknown
        }
        for index in unsafe 0..<Int(options.pointee.base.n_unknown_fields) {
            let unknown = unsafe options.pointee.base.unknown_fields[index]
            let bytes = unsafe UnsafeBufferPointer(start: unknown.data, count: unknown.len)
            switch unsafe (unknown.tag, bytes.first) {
            case (Option.readyPacked, let value?) where bytes.count == 1: isReadyPacked = value == 1
            case (Option.role, let value?) where bytes.count == 1: role = Int(value)
            default: unsafe unknownOptions.append(Int(unknown.tag))
            }
        }
    }
}
