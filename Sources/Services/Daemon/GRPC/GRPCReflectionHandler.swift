package import BaseContracts
import ProtoSchema
package import RPC
import Wire

/// The descriptors of what can be called here, as clients of gRPC ask for them: grpcurl, buf, web consoles.
package struct GRPCReflectionHandler: ServerReflectionHandler {
    /// The name of the method in gRPC's first version of it, whose messages are the same.
    package static let olderMethod = MethodDescriptor(
        service: "grpc.reflection.v1alpha.ServerReflection", method: "ServerReflectionInfo", kind: .bidirectional,
        isIdempotent: true, hasNoSideEffects: true, role: .anyone)

    private let services: [String]

    /// `methods` are those of the server, without this service's own.
    init(_ methods: [MethodDescriptor]) {
        services = Set(methods.map(\.service) + [Self.serviceName]).sorted()
    }

    /// Adds the method under both of its names.
    func registerAll(in router: inout Router) {
        register(in: &router)
        router.bidirectional(Self.olderMethod) { requests, responses, context in
            try await serverReflectionInfo(requests, responses, context)
        }
    }

    package func serverReflectionInfo(
        _ requests: RequestStream<ServerReflectionRequest>, _ responses: ResponseWriter<ServerReflectionResponse>,
        _ context: CallContext
    ) async throws {
        for try await request in requests {
            let answer: ServerReflectionResponse.MessageResponse
            do throws(RPCError) {
                answer = try self.answer(request.messageRequest)
            } catch {
                answer = .errorResponse(
                    ErrorResponse(errorCode: Int32(error.code.rawValue), errorMessage: error.message))
            }
            try await responses.write(
                ServerReflectionResponse(
                    validHost: request.host, originalRequest: request, messageResponse: answer))
        }
    }

    private func answer(
        _ question: ServerReflectionRequest.MessageRequest?
    ) throws(RPCError) -> ServerReflectionResponse.MessageResponse {
        switch question {
        case .listServices:
            .listServicesResponse(ListServiceResponse(service: services.map { ServiceResponse(name: $0) }))
        case .fileByFilename(let name): .fileDescriptorResponse(try Self.files(ReflectionHandler.closure(file: name)))
        case .fileContainingSymbol(let name):
            .fileDescriptorResponse(try Self.files(ReflectionHandler.closure(symbol: name)))
        case .fileContainingExtension(let wanted):
            throw RPCError(.notFound, "there is no extension \(wanted.extensionNumber) of that message here")
        case .allExtensionNumbersOfType(let name):
            .allExtensionNumbersResponse(ExtensionNumberResponse(baseTypeName: name))
        case nil: throw RPCError(.invalidArgument, "message_request: it is not set, one of its fields is needed")
        }
    }

    /// A file and all that it imports. Clients may take the first for the one that they have asked for; in a set, as
    /// protoc writes it, a file comes behind its imports.
    private static func files(_ names: Set<String>) throws(RPCError) -> FileDescriptorResponse {
        let files = try packed.get().filter { names.contains($0.name) }
        return FileDescriptorResponse(fileDescriptorProto: files.map(\.bytes).reversed())
    }

    /// All files, each packed for itself: made once, since anyone may ask for them, as fast as they read the answers.
    private static let packed = Result { () throws(SchemaError) in
        try unsafe FileDescriptorSet.files(of: WireDescriptors.fileDescriptorSet)
    }.mapError { RPCError(.internalError, "the descriptors built in are broken", cause: $0) }
}
