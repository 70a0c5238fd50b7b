import Contracts
import EventLoops
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

/// A service behind the gateway, in 256 MiB, attacked at its own port.
struct AttackedService: Attacked {
    static let names = ["places-service", "pin-service", "photo-service"]

    private let process: ServiceProcess

    /// Runs an attack while an honest client calls; every one of its calls has to succeed, in the limit's memory.
    static func survives(
        _ name: String, _ attackName: String, _ attack: (AttackedService) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let group = try #require(MemoryGroup(bytes: AttackedGateway.limit))
        let process = try await ServiceProcess.start(
            name, folder: folder.path,
            ["--data", folder.file("data")] + (name == "places-service" ? ["--bundled", "none"] : []),
            environment: ["WAYMARK_MEMORY": "96"], started: group.add)
        try await TestClient.with(process.endpoint) { client in
            let question: HonestClient.Call = { try await Self.ask(name, client) }
            let honest = HonestClient([("echo", { try await echo(client) }), (name, question)])
            let seen = await honest.calls { try await attack(AttackedService(process: process)) }
            print("attack \(attackName): \(seen); memory at the most: \(try group.maximumBytes >> 20) MiB of 256")
            #expect(seen.failures.isEmpty, "\(seen.failures.prefix(3))")
        }
        #expect(try await process.end(by: SIGTERM).code == 0, "it lives, and stops when it is asked to")
    }

    private static func echo(_ client: RPCClient) async throws {
        _ = try await EchoServiceClient(client).echo(EchoRequest(), ServiceProcess.options(of: "ann"))
    }

    /// What only this service answers.
    private static func ask(_ name: String, _ client: RPCClient) async throws {
        let options = ServiceProcess.options(of: "ann")
        switch name {
        case "places-service":
            _ = try await PlacesServiceClient(client).listDatasets(ListDatasetsRequest(), options)
        case "pin-service":
            _ = try await PinServiceClient(client).listPins(ListPinsRequest(), options)
        default:
            _ = try await PhotoServiceClient(client).photosNear(
                PhotosNearRequest(centre: Coordinate(latitude: 60, longitude: 25)), options)
        }
    }

    func attackSocket(receiveBytes: Int32?) async throws -> RawSocket {
        try await RawSocket(
            connectingTo: process.endpoint.port, receiveBytes: receiveBytes, client: AttackedGateway.attacker)
    }
}
