import EventLoops
import Glibc
import ServiceRuntime

@main
struct Main {
    static func main() async {
        let program = ServiceProgram(
            name: "pin-service", summary: "keeps the pins of each account", defaultPort: 7702,
            options: Config.options, start: makeService)
        exit(await program.main())
    }

    private static func makeService(_ runtime: Runtime) async throws -> StartedService {
        let config = try Config(runtime)
        try await runtime.blocking.run { try DataFolder.make(config.dataFolder) }
        let store = try await PinStore.open(config.databasePath)
        return StartedService(services: [PinHandler(store, clock: .system)], stop: store.close)
    }
}
