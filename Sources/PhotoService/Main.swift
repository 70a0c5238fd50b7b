import EventLoops
import Glibc
import ServiceRuntime

@main
struct Main {
    static func main() async {
        let program = ServiceProgram(
            name: "photo-service", summary: "keeps the records of photos", defaultPort: 7703, start: makeService)
        exit(await program.main())
    }

    private static func makeService(_ runtime: Runtime) async throws -> StartedService {
        let config = try Config(runtime.options)
        try await runtime.blocking.run { try DataFolder.make(config.dataFolder) }
        let store = try await PhotoStore.open(config.databasePath)
        return StartedService(services: [PhotoHandler(store), AlbumSearchHandler(store)], stop: store.close)
    }
}
