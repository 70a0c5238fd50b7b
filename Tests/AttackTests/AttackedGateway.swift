import Contracts
import EventLoops
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

/// A gateway and a places-service as processes of their own, each in 256 MiB, that let a token in.
struct AttackedGateway: Attacked {
    /// An honest call was answered otherwise than it should.
    struct NotServed: Error { let said: String }

    static let token = "a-token-of-the-attack-tests"
    static let limit = 256 << 20
    /// Of the address that attacks; the honest client has 127.0.0.1.
    static let attacker: UInt8 = 66

    let process: ServiceProcess
    let places: ServiceProcess
    let groups: [MemoryGroup]
    let client: RPCClient
    let http: Endpoint
    let admin: Endpoint

    /// Runs an attack while an honest client calls; every one of its calls has to succeed, in the limit's memory.
    static func survives(
        _ name: String, _ attack: (AttackedGateway) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write(token, to: "tokens")
        let (placesGroup, gatewayGroup) = (
            try #require(MemoryGroup(bytes: limit)), try #require(MemoryGroup(bytes: limit))
        )
        let places = try await ServiceProcess.start(
            "places-service", folder: folder.path,
            ["--data", folder.file("places"), "--bundled", "none", "--admin", "127.0.0.1:0"],
            environment: ["WAYMARK_MEMORY": "96"], started: placesGroup.add)
        let process = try await ServiceProcess.start(
            "gateway", folder: folder.path,
            [
                "--data", folder.file("gateway"), "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--places",
                "\(places.endpoint)", "--token-file", folder.file("tokens"), "--web", "none", "--map", "none",
                "--rate", "0",
            ], environment: ["WAYMARK_MEMORY": "96"], started: gatewayGroup.add)
        try await TestClient.with(process.endpoint) { client in
            let gateway = AttackedGateway(
                process: process, places: places, groups: [gatewayGroup, placesGroup], client: client,
                http: try #require(process.http), admin: try #require(process.admin))
            let honest = HonestClient([
                ("RPC", gateway.echo), ("HTTP", gateway.ask), ("new RPC connection", gateway.echoAnew),
            ])
            let seen = await honest.calls { try await attack(gateway) }
            let most = try groups(gateway)
            print(
                "attack \(name): \(seen); memory at the most: gateway \(most[0] >> 20) MiB, places "
                    + "\(most[1] >> 20) MiB of 256")
            #expect(seen.failures.isEmpty, "\(seen.failures.prefix(3))")
        }
        #expect(try await process.end(by: SIGTERM).code == 0, "the gateway lives, and stops when it is asked to")
        #expect(try await places.end(by: SIGTERM).code == 0)
    }

    private static func groups(_ gateway: AttackedGateway) throws -> [Int] {
        try gateway.groups.map { group in try group.maximumBytes }
    }

    // MARK: what the honest client does

    private var options: CallOptions { CallOptions(deadline: .now + .seconds(20), token: Self.token) }

    func echo() async throws {
        let answer = try await EchoServiceClient(client).echo(EchoRequest(payload: [1, 2, 3]), options)
        guard answer.payload == [1, 2, 3] else { throw NotServed(said: "\(answer.payload.count) bytes") }
    }

    func echoAnew() async throws {
        let socket = try await RawSocket(connectingTo: process.endpoint.port)
        try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest(payload: [7])))
        _ = try await socket.receive(.message)
    }

    func ask() async throws {
        let reply = try await HTTPSocket(connectingTo: http.port).ask(
            "POST", "/waymark.places.v1.PlacesService/Nearby",
            [("Content-Type", "application/json"), ("Authorization", "Bearer \(Self.token)")],
            body: Array(#"{"centre":{"latitude":60,"longitude":25}}"#.utf8))
        guard reply.status == 200 else { throw NotServed(said: "\(reply.status) \(reply.text)") }
    }

    /// Whether both services run.
    var isAlive: Bool {
        get throws { kill(process.program.pid, 0) == 0 && kill(places.program.pid, 0) == 0 && !isEnded }
    }

    /// A process that has ended and is not waited for yet is a zombie.
    private var isEnded: Bool {
        [process.program.pid, places.program.pid].contains { pid in
            let status = (try? WholeFile.text("/proc/\(pid)/stat")) ?? ") Z"
            return status[(status.lastIndex(of: ")") ?? status.startIndex)...].hasPrefix(") Z")
        }
    }

    // MARK: what the attacker has

    /// Imports a table, as somebody does who has a token. It may be refused.
    func importTable(_ bytes: [UInt8]) async throws {
        let service = PlacesServiceClient(client)
        let begun = try await service.beginImport(
            BeginImportRequest(dataset: "fuzz", fileName: "a.csv.gz", byteCount: UInt64(bytes.count)), options)
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
            let data = Array(bytes[start..<min(start + (1 << 20), bytes.count)])
            _ = try await service.writeImport(
                WriteImportRequest(uploadId: begun.uploadId, offset: UInt64(start), data: data), options)
        }
        for try await _ in service.runImport(
            RunImportRequest(uploadId: begun.uploadId), CallOptions(token: Self.token))
        {}
    }

    func attackSocket(receiveBytes: Int32?) async throws -> RawSocket {
        try await RawSocket(
            connectingTo: process.endpoint.port, receiveBytes: receiveBytes, client: Self.attacker)
    }

    func attackHTTP(receiveBytes: Int32? = nil) async throws -> HTTPSocket {
        try await HTTPSocket(connectingTo: http.port, receiveBytes: receiveBytes, client: Self.attacker)
    }
}
