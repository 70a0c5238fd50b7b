import EventLoops
import Glibc
import RPC
import Daemon
import Settings
import Stores

@main
struct Main {
    static func main() async { exit(await PlacesProgram.program.main()) }
}

/// Puts the service together.
enum PlacesProgram {
    static let program = ServiceProgram(.places, tryData: tryData, start: start)

    @Sendable
    private static func tryData(_ runtime: Runtime, _ scope: TryScope) async throws -> [String] {
        let config = try Config(runtime.options)
        if scope == .move { return try await DatasetMove.run(config, runtime.blocking) }
        let damaged = try await runtime.blocking.run { try Catalog(root: config.dataFolder).damaged }
        await (try await DiscoveryStore.open(config.database.address, config.database.settings)).close()
        return damaged.map { "dataset \($0.name): \($0.reason)" }
    }

    @Sendable
    private static func start(_ runtime: Runtime) async throws -> StartedService {
        let places = try await PlacesProcess(
            try Config(runtime.options), runtime.loops.loops[0], runtime.blocking, runtime.memory, runtime.key,
            runtime.log)
        runtime.metrics.add { places.metrics }
        runtime.metrics.warn { places.warning }
        return StartedService(
            services: [places.handler, PlaceClusterHandler(places: places.handler), places.areas, places.replication],
            data: places.dataName, stop: { await places.stop() })
    }
}
