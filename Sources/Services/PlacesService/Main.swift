import EventLoops
import Glibc
import RPC
import Daemon
import Settings

@main
struct Main {
    static func main() async { exit(await PlacesProgram.program.main()) }
}

/// Puts the service together.
enum PlacesProgram {
    static let program = ServiceProgram(.places, start: start)

    @Sendable
    private static func start(_ runtime: Runtime) async throws -> StartedService {
        let places = try await PlacesProcess(
            try Config(runtime.options), runtime.loops.loops[0], runtime.blocking, runtime.memory, runtime.log)
        runtime.metrics.add { places.metrics }
        return StartedService(
            services: [places.handler, PlaceClusterHandler(places: places.handler), places.areas],
            data: places.dataName, stop: { await places.stop() })
    }
}
