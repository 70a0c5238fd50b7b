import Arguments
import Settings
import Budgets
import Contracts
import EventLoops
import RPC
import TestSupport
import TestTools
import Testing

@testable import Gateway
@testable import Daemon

/// The gateway on a real socket, before three services that a test scripts.
struct RunningGateway {
    static let key = DeploymentKey(bytes: Array(0..<32))

    let client: RPCClient
    /// The same methods by HTTP.
    let http: GatewayHTTP
    /// What the services behind were told.
    let behind: ContextRecorder
    /// The sessions that the pin service knows.
    let sessions: FakeSessions
    /// What the gateway knows of them.
    let known: Sessions

    var explore: ExploreServiceClient { ExploreServiceClient(client) }
    var maps: MapServiceClient { MapServiceClient(client) }

    /// Runs `body` against a gateway. `closed` services are not there at all, others are `elsewhere`; `settings` are
    /// flags of its HTTP side with their values.
    static func with(
        _ backends: FakeBackends = FakeBackends(), closed: Set<String> = [], elsewhere: [String: Endpoint] = [:],
        isOpen: Bool = true, time: ManualClock = ManualClock(), settings: [String] = [],
        memory: MemoryBudget = MemoryBudget(bytes: 1 << 30),
        pace: EventPace = EventPace(), sessionPace: SessionPace = SessionPace(),
        _ body: (RunningGateway) async throws -> Void
    ) async throws {
        let key = try #require(key)
        let recorder = ContextRecorder()
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let check = IdentityCheck(key, clock: time.clock)
        let interceptors: [any ServerInterceptor] = [recorder, check]
        try await TestServer.with(backends.placesRouter, interceptors: interceptors) { places in
            try await TestServer.with(backends.pinsRouter, interceptors: interceptors) { pins in
                try await TestServer.with(backends.photosRouter, interceptors: interceptors) { photos in
                    let servers = ["places": places, "pins": pins, "photos": photos]
                    let nobody = try ClosedPort()
                    let endpoints = servers.mapValues { $0.endpoint }
                        .merging(closed.map { ($0, nobody.endpoint) }) { _, closed in closed }
                        .merging(elsewhere) { _, other in other }
                    var runtime = try runtime(endpoints, settings, isOpen: isOpen, in: folder)
                    runtime.memory = memory
                    let signer = IdentitySigner(key, clock: time.clock)
                    try await serve(runtime, signer, pace, sessionPace, backends.echo) { client, http, known in
                        try await body(
                            RunningGateway(
                                client: client, http: http, behind: recorder, sessions: backends.sessions, known: known
                            ))
                    }
                    withExtendedLifetime(nobody) {}
                }
            }
        }
    }

    private static func serve(
        _ runtime: Runtime, _ signer: IdentitySigner, _ pace: EventPace, _ sessionPace: SessionPace,
        _ echo: any EchoServiceHandler, _ body: (RPCClient, GatewayHTTP, Sessions) async throws -> Void
    ) async throws {
        let settings = try Config(runtime.options)
        let backends = Backends(settings, runtime)
        let pictures = MapPictures(map: settings.http.map, towns: settings.http.towns)
        let maps = DatasetMaps(backends, pictures)
        defer { pictures.close() }
        let sharing = Sharing(backends, maps, signer, runtime.key)
        var router = Router([
            ExploreHandler(backends), MapHandler(backends, maps), sharing.handler, echo,
            DataSafetyHandler(
                backends, BackupTimes(folder: settings.http.folder, runtime.blocking), signer),
        ])
        backends.register(in: &router)
        let config = settings.http
        let sessions = Sessions(backends.pins, signer, runtime.key, tokens: config.tokens, pace: sessionPace)
        let admission = ClientAdmission(signer, tokens: config.tokens, isOpen: config.isOpen, sessions: sessions)
        do {
            try await TestServer.with(router, interceptors: [Tracing(), admission]) { server in
                let door = try await HTTPDoor.open(
                    config, admission, sessions, before: server.server, backends, sharing, runtime, pace: pace)
                let http = GatewayHTTP(door: door)
                do {
                    try await server.withClient { client in try await body(client, http, sessions) }
                } catch {
                    await door.close(grace: .zero)
                    throw error
                }
                await door.close(grace: .zero)
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

    private static func runtime(
        _ endpoints: [String: Endpoint], _ settings: [String], isOpen: Bool, in folder: TemporaryFolder
    ) throws -> Runtime {
        let listen = Option("--listen", "HOST:PORT", default: isOpen ? "127.0.0.1:0" : "0.0.0.0:0", help: "")
        let data = Option("--data", "DIR", default: folder.path, help: "")
        let http = ["--http", "127.0.0.1:0", "--web", "none", "--map", "none"]
        let arguments = endpoints.flatMap { ["--\($0.key)", "\($0.value)"] } + http + settings
        return Runtime(
            options: try Options(ServiceSettings.gateway.own + [listen, data], arguments: arguments, environment: [:]),
            loops: try EventLoopGroup(count: 1), blocking: BlockingCalls.ofTested,
            log: Log(service: "gateway", level: .error), key: try #require(key), name: "gateway")
    }
}
