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

/// The number of (waymark.rpc.v1.ready_packed) in google.protobuf.MethodOptions.
private let readyPackedNumber = 50801

extension MethodSchema {
    /// Our own option is unknown to descriptor.proto, so it is found among the unknown fields, as a varint.
    fileprivate mutating func read(_ options: UnsafePointer<Google__Protobuf__MethodOptions>) {
        switch unsafe options.pointee.idempotency_level {
        case GOOGLE__PROTOBUF__METHOD_OPTIONS__IDEMPOTENCY_LEVEL__NO_SIDE_EFFECTS: idempotency = .noSideEffects
        case GOOGLE__PROTOBUF__METHOD_OPTIONS__IDEMPOTENCY_LEVEL__IDEMPOTENT: idempotency = .idempotent
        default: idempotency = .unknown
        }
        for index in unsafe 0..<Int(options.pointee.base.n_unknown_fields) {
            let unknown = unsafe options.pointee.base.unknown_fields[index]
            guard unsafe unknown.tag == readyPackedNumber, unsafe unknown.len == 1 else {
                unsafe unknownOptions.append(Int(unknown.tag))
                continue
            }
            isReadyPacked = unsafe unknown.data.pointee == 1
        }
    }
}
