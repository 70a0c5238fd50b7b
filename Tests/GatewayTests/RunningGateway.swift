import Contracts
import EventLoops
import RPC
import TestSupport
import Testing

@testable import Gateway
@testable import ServiceRuntime

/// The gateway on a real socket, before three services that a test scripts.
struct RunningGateway {
    static let key = DeploymentKey(bytes: Array(0..<32))

    let client: RPCClient
    /// What the services behind were told.
    let behind: ContextRecorder

    var explore: ExploreServiceClient { ExploreServiceClient(client) }

    /// Runs `body` against a gateway. `closed` services are not there at all.
    static func with(
        _ backends: FakeBackends = FakeBackends(), closed: Set<String> = [], isOpen: Bool = true,
        time: ManualClock = ManualClock(), _ body: (RunningGateway) async throws -> Void
    ) async throws {
        let key = try #require(key)
        let recorder = ContextRecorder()
        let check = IdentityCheck(key, openServices: [], clock: time.clock)
        let interceptors: [any ServerInterceptor] = [recorder, check]
        try await TestServer.with(backends.placesRouter, interceptors: interceptors) { places in
            try await TestServer.with(backends.pinsRouter, interceptors: interceptors) { pins in
                try await TestServer.with(backends.photosRouter, interceptors: interceptors) { photos in
                    let servers = ["places": places, "pins": pins, "photos": photos]
                    let nobody = try ClosedPort()
                    let endpoints = servers.mapValues { $0.endpoint }
                        .merging(closed.map { ($0, nobody.endpoint) }) { _, closed in closed }
                    try await serve(endpoints, IdentitySigner(key, clock: time.clock), isOpen: isOpen) { client in
                        try await body(RunningGateway(client: client, behind: recorder))
                    }
                    withExtendedLifetime(nobody) {}
                }
            }
        }
    }

    private static func serve(
        _ endpoints: [String: Endpoint], _ signer: IdentitySigner, isOpen: Bool,
        _ body: (RPCClient) async throws -> Void
    ) async throws {
        let runtime = try runtime(endpoints)
        let backends = Backends(try Config(runtime), runtime)
        var router = Router([ExploreHandler(backends), EchoHandler()])
        backends.register(in: &router)
        let admission = ClientAdmission(signer, isOpen: isOpen)
        do {
            try await TestServer.with(router, interceptors: [admission]) { server in
                try await server.withClient { client in try await body(client) }
            }
        } catch {
            await stop(backends, runtime)
            throw error
        }
        await stop(backends, runtime)
    }

    private static func stop(_ backends: Backends, _ runtime: Runtime) async {
        await backends.close()
        runtime.loops.shutDown()
        runtime.log.close()
    }

    private static func runtime(_ endpoints: [String: Endpoint]) throws -> Runtime {
        let listen = Option("--listen", "HOST:PORT", fallback: "127.0.0.1:0", help: "")
        let arguments = endpoints.flatMap { ["--\($0.key)", "\($0.value)"] }
        return Runtime(
            options: try Options(Config.options + [listen], arguments: arguments, environment: [:]),
            loops: try EventLoopGroup(count: 1), blocking: BlockingCalls.pool,
            log: Log(service: "gateway", level: .error), key: try #require(key), name: "gateway")
    }
}
