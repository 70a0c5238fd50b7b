import Contracts
import ProtoSchema
import RPC
import TestSupport
import Testing
import Wire

@testable import Daemon

@Suite("Reflection", .timeLimit(.minutes(3)))
struct ReflectionTests {
    private func withReflection(_ body: (ReflectionServiceClient) async throws -> Void) async throws {
        var router = Router([EchoHandler(), ServingHealth()])
        ReflectionHandler(router.methods).register(in: &router)
        try await TestServer.with(router) { server in
            try await server.withClient { client in try await body(ReflectionServiceClient(client)) }
        }
    }

    private func schema(_ client: ReflectionServiceClient, _ symbols: String...) async throws -> Schema {
        let answer = try await client.getDescriptors(GetDescriptorsRequest(symbols: symbols))
        return try answer.fileDescriptorSet.withUnsafeBytes { try Schema(fileDescriptorSet: $0) }
    }

    @Test("lists the services of its server, itself among them")
    func services() async throws {
        try await withReflection { client in
            let answer = try await client.listServices(ListServicesRequest())
            #expect(
                answer.services == [
                    "waymark.rpc.v1.EchoService", "waymark.rpc.v1.HealthService", "waymark.rpc.v1.ReflectionService",
                ])
        }
    }

    @Test(
        "gives the file of a symbol with its comments, and what that imports before it",
        arguments: [
            "waymark.rpc.v1.EchoService", "waymark.rpc.v1.EchoService/Echo", "waymark.rpc.v1.EchoRequest",
        ])
    func files(symbol: String) async throws {
        try await withReflection { client in
            let schema = try await schema(client, symbol)
            #expect(
                schema.files.map(\.name) == [
                    "google/protobuf/descriptor.proto", "google/protobuf/duration.proto",
                    "waymark/rpc/v1/roles.proto", "waymark/rpc/v1/options.proto", "waymark/rpc/v1/echo.proto",
                ])
            let service = try #require(schema.services["waymark.rpc.v1.EchoService"])
            #expect(service.comment.hasPrefix("Answers with what it receives."))
            #expect(service.methods.first?.idempotency == .noSideEffects)
            #expect(schema.messages["waymark.rpc.v1.EchoRequest"]?.fields.map(\.name) == ["payload", "delay"])
        }
    }

    @Test("gives clients of gRPC the file that they ask for first, and what that imports, under both names")
    func byGRPC() async throws {
        var router = Router([EchoHandler()])
        GRPCReflectionHandler(router.methods).registerAll(in: &router)
        #expect(router.methods.contains { $0.path == GRPCReflectionHandler.olderMethod.path })
        try await TestServer.with(router) { server in
            try await server.withClient { client in
                let questions: [ServerReflectionRequest.MessageRequest] = [
                    .fileContainingSymbol("waymark.rpc.v1.EchoService"),
                    .fileContainingSymbol("waymark.rpc.v1.EchoService.Echo"),
                    .fileByFilename("waymark/rpc/v1/echo.proto"),
                ]
                let answers = try await ServerReflectionClient(client).serverReflectionInfo { writer, answers in
                    for question in questions {
                        try await writer.write(ServerReflectionRequest(messageRequest: question))
                    }
                    await writer.finish()
                    var all: [ServerReflectionResponse] = []
                    for try await answer in answers { all.append(answer) }
                    return all
                }
                #expect(answers.count == questions.count)
                for answer in answers {
                    guard case .fileDescriptorResponse(let files) = answer.messageResponse else {
                        Issue.record("no files come: \(answer)")
                        continue
                    }
                    let schemas = try files.fileDescriptorProto.map { file in
                        try ([0x0a] + Self.length(of: file) + file).withUnsafeBytes {
                            try Schema(fileDescriptorSet: $0)
                        }
                    }
                    #expect(schemas.first?.files.map(\.name) == ["waymark/rpc/v1/echo.proto"])
                    #expect(schemas.last?.files.map(\.name) == ["google/protobuf/descriptor.proto"])
                    #expect(
                        schemas.first?.services.values.first?.comment == "", "buf takes no comments without positions")
                }
            }
        }
    }

    /// As a packed set has it before each file.
    private static func length(of file: [UInt8]) -> [UInt8] {
        var (rest, bytes) = (file.count, [UInt8]())
        while rest > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    @Test("gives each file once, whoever imports it, in an order that can be read")
    func order() async throws {
        try await withReflection { client in
            let schema = try await schema(
                client, "waymark.gateway.v1.ExploreService", "waymark.pins.v1.PinState", "waymark.rpc.v1.ServingStatus")
            let names = schema.files.map(\.name)
            #expect(Set(names).count == names.count)
            for (index, file) in schema.files.enumerated() {
                #expect(Set(file.imports).subtracting(names[..<index]).isEmpty, "\(file.name)")
            }
            #expect(schema.enums["waymark.rpc.v1.ServingStatus"] != nil)
        }
    }

    @Test("refuses what is not there, none and too many")
    func refusals() async throws {
        try await withReflection { client async throws in
            func code(_ symbols: [String]) async throws -> RPCCode? {
                try await errorOf { try await client.getDescriptors(GetDescriptorsRequest(symbols: symbols)) }?.code
            }
            #expect(try await code(["waymark.rpc.v1.EchoServic"]) == .notFound)
            #expect(try await code(["EchoService"]) == .notFound)
            #expect(try await code(["waymark.rpc.v1.EchoRequest", ""]) == .notFound)
            #expect(try await code([]) == .invalidArgument)
            let many = [String](repeating: "waymark.rpc.v1.EchoRequest", count: 101)
            #expect(try await code(many) == .invalidArgument)
        }
    }
}
